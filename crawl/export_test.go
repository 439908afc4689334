package crawl

// KeepHosts sets how many hosts the frontier keeps in memory.
func (f *Frontier) KeepHosts(n int) { f.lineup.maxHosts = n }

// HostsInMemory returns how many it keeps.
func (f *Frontier) HostsInMemory() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.lineup.hosts)
}

// HostsRemembered returns how many hosts the Pace knows.
func (p *Pace) HostsRemembered() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.hosts)
}
