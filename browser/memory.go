package browser

import (
	"bytes"
	"os"
	"strconv"
	"strings"
	"time"
)

// memoryEvery is how often the memory of the browsers is looked at.
const memoryEvery = 10 * time.Second

// maxDriverMemory is how many bytes the driver may hold alone: beside a young browser its leaks would go unnoticed.
const maxDriverMemory = 500 << 20

// watchMemory retires browsers that have grown too big, until the pool is closed.
func (p *Pool) watchMemory() {
	every := p.opts.seams.memoryEvery
	if every == 0 {
		every = memoryEvery
	}
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		select {
		case <-p.ctx.Done():
			return
		case <-tick.C:
		}
		p.mu.Lock()
		g := p.current
		p.mu.Unlock()
		if g == nil || g.isDead() {
			continue
		}
		if held, over := g.overMemory(p.opts.MaxMemory); over {
			p.log.Info("replacing a browser that holds too much memory", "bytes", held)
			p.retire(g)
		}
	}
}

// overMemory reports whether driver and browser hold more than they may.
func (g *generation) overMemory(limit int64) (held int64, over bool) {
	all := processes()
	driver := memoryOf([]int{g.driver.Pid}, maxDriverMemory)
	if driver > maxDriverMemory {
		return driver, true
	}
	// The driver's tree holds the browser, unless something has taken the browser's parent away.
	held = memoryOf(tree(all, g.driver.Pid, readPid(g.folder.browserPid())), limit)
	return held, held > limit
}

// memoryOf is how many bytes the processes hold together, each shared page counted by share. Asking for shares makes the kernel walk
// all pages, so a cheap upper bound comes first, and is the answer when it is within the limit.
func memoryOf(pids []int, limit int64) int64 {
	var most, shares int64
	for _, pid := range pids {
		resident, _ := residentOf(pid)
		most += resident
	}
	if most <= limit {
		return most
	}
	for _, pid := range pids {
		shares += shareOf(pid)
	}
	return shares
}

// residentOf is how many bytes of a process are in memory, and how many of these are shared with others.
func residentOf(pid int) (resident, shared int64) {
	data, err := os.ReadFile(procFile(pid, "statm"))
	if err != nil {
		return 0, 0
	}
	fields := strings.Fields(string(data))
	if len(fields) < 3 {
		return 0, 0
	}
	resident, _ = strconv.ParseInt(fields[1], 10, 64)
	shared, _ = strconv.ParseInt(fields[2], 10, 64)
	page := int64(os.Getpagesize())
	return resident * page, shared * page
}

// shareOf is a process's share of memory. A sandboxed process hides it from others; then it is the memory that it shares with no other
// process.
func shareOf(pid int) int64 {
	data, err := os.ReadFile(procFile(pid, "smaps_rollup"))
	if err != nil {
		resident, shared := residentOf(pid)
		return resident - shared
	}
	for line := range bytes.Lines(data) {
		if rest, found := bytes.CutPrefix(line, []byte("Pss:")); found {
			number, _, _ := strings.Cut(strings.TrimSpace(string(rest)), " ")
			kilobytes, _ := strconv.ParseInt(number, 10, 64)
			return kilobytes << 10
		}
	}
	return 0
}
