package instance

import (
	"bytes"
	"cmp"
	"slices"
	"time"

	"github.com/winnow-go/winnow/browser/internal/launch"
	"github.com/winnow-go/winnow/browser/internal/process"
)

// A browser can be half dead: one of its processes is stopped, hangs or was replaced, while the others go on. Nothing fails then, but
// every call that needs that process waits for ever. So every browser has a heartbeat while it is in use. Each beat looks at its
// processes and sends it a question that goes through driver, browser and network service:
//
//   - A renderer that is stopped (by a signal; state T) at two successive beats is killed, which ends its own pages alone. Any other
//     stopped process ends the browser.
//   - A browser whose network service has ended is killed too: another one takes its place, but the contexts have lost their proxies and
//     cookies. So is one that can't start renderers any more.
//   - A browser that owes an answer for beatPatience is ended. The time in which one of its processes waits for a processor or the disk
//     does not count: a machine that is slow makes them wait, and a process that hangs sleeps. Where that can't be seen, because there
//     is no /proc or the browser runs elsewhere, it has blindPatience.
const (
	beatEvery     = 500 * time.Millisecond
	beatPatience  = 10 * time.Second
	blindPatience = 30 * time.Second
)

// pulse is the state of one instance's heartbeat.
type pulse struct {
	gen     *Instance
	every   time.Duration
	stopped map[process.ID]bool // at the beat before
	answer  <-chan struct{}     // of the question under way; nil for none
	missed  time.Duration       // how long it has been owed
	since   delays              // at the beat before, if it was owed then
}

// watchPulse beats until the instance is dead. An instance that is not in use isn't checked.
func (i *Instance) watchPulse(every time.Duration, inUse func() bool) {
	w := pulse{gen: i, every: every}
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		select {
		case <-i.death.dead:
			return
		case <-tick.C:
		}
		if i.launched.Load() && !inUse() {
			w = pulse{gen: i, every: every}
			continue
		}
		if why := w.beat(); why != "" {
			i.condemn(why)
		}
	}
}

// beat returns why the instance has to end; "" if it may go on.
func (w *pulse) beat() string {
	family := w.gen.Family()
	if halted := w.halted(family); halted != "" {
		return whyStopped + halted
	}
	if ended := w.gen.lostPillar(); ended != "" {
		return whyEnded + ended
	}
	if w.silent(family) {
		return whySilent
	}
	return ""
}

// halted looks for processes that are stopped, and were at the beat before: it kills those that are renderers, and names another one.
func (w *pulse) halted(family []process.Process) (name string) {
	before := w.stopped
	w.stopped = map[process.ID]bool{}
	for _, p := range family {
		if !p.Stopped() {
			continue
		}
		w.stopped[p.ID()] = true
		switch kind := KindOf(p.PID); {
		case !before[p.ID()]:
		case kind == RendererKind:
			w.gen.log.Warn("killing a renderer that is stopped", "pid", p.PID)
			p.Kill()
		default:
			name = cmp.Or(kind, "driver or browser")
		}
	}
	return name
}

// silent sends a question, and reports whether an answer has been owed too long.
func (w *pulse) silent(family []process.Process) bool {
	if !w.gen.launched.Load() {
		return false // its start has a limit of its own
	}
	if w.answer == nil || IsClosed(w.answer) {
		w.answer, w.missed, w.since = w.gen.ask(), 0, delays{}
		return false
	}
	if !waiting(family) && !w.heldUp() {
		w.missed += w.every
	}
	if len(family) == 0 || w.gen.Isolation == launch.Remote {
		return w.missed >= blindPatience
	}
	return w.missed >= beatPatience
}

// heldUp reports whether a process waited for a processor for much of the time since the beat before: at the beats themselves it may sleep.
func (w *pulse) heldUp() bool {
	before := w.since
	w.since = w.gen.delays()
	return before.each != nil && w.gen.heldUp(before)
}

// ask makes the browser query its network service for the cookies of the context that no page uses. The channel is closed with the answer.
func (i *Instance) ask() <-chan struct{} {
	answered := make(chan struct{})
	started := i.Spawn(func() {
		defer close(answered)
		_, _ = i.heart.Send("Storage.getCookies", map[string]any{})
	})
	if !started {
		close(answered)
	}
	return answered
}

// Family are the living processes of driver and browser.
func (i *Instance) Family() []process.Process {
	all := process.All()
	known := make(map[int]process.Process, len(all))
	for _, p := range all {
		known[p.PID] = p
	}
	var family []process.Process
	for _, pid := range process.Tree(all, i.driver.Pid, i.Folder.BrowserPID()) {
		family = append(family, known[pid])
	}
	return family
}

// waiting reports whether one of the processes that answer waits for a processor or the disk. A renderer answers for its own pages alone.
func waiting(family []process.Process) bool {
	for _, p := range family {
		if p.Waiting() && KindOf(p.PID) != RendererKind {
			return true
		}
	}
	return false
}

// Kinds of processes.
const (
	RendererKind = "renderer"
	ZygoteKind   = "zygote"
	NetworkKind  = "network service"
)

// networkService marks the command line of the process through which everything that a browser loads comes.
const networkService = "--utility-sub-type=network.mojom.NetworkService"

// KindOf is the kind of a process of Chromium; "" for its first one, and for others.
func KindOf(pid int) string {
	line, _ := process.CommandLine(pid)
	_, rest, found := bytes.Cut(line, []byte("--type="))
	if !found {
		return ""
	}
	if bytes.Contains(line, []byte(networkService)) {
		return NetworkKind
	}
	kind, _, _ := bytes.Cut(rest, []byte{0})
	kind, _, _ = bytes.Cut(kind, []byte{' '}) // a process may rewrite its line
	return string(kind)
}

// Why generations are condemned.
const (
	whyEnded   = "one of its processes has ended: "
	whyStopped = "one of its processes is stopped: "
	whySilent  = "it does not answer"
)

// pillars are the processes that a browser can't replace: the network service, since it does so without what the contexts had, and those
// that renderers are forked from.
type pillars struct {
	network *process.Process // nil while unknown
	zygotes []process.Process
}

// LearnPillars looks for the pillars until it has found them all. The network service may come with the first page.
func (i *Instance) LearnPillars() {
	if known := i.pillars.Load(); known != nil && known.network != nil || i.Isolation == launch.Remote {
		return
	}
	found := &pillars{}
	for _, p := range i.Family() {
		switch KindOf(p.PID) {
		case NetworkKind:
			found.network = &p
		case ZygoteKind:
			found.zygotes = append(found.zygotes, p)
		}
	}
	i.pillars.Store(found)
}

// lostPillar names the kind of a pillar that has ended; "" for none.
func (i *Instance) lostPillar() string {
	if !i.networkLives() {
		return NetworkKind
	}
	if known := i.pillars.Load(); known != nil && slices.ContainsFunc(known.zygotes, process.Process.Ended) {
		return ZygoteKind
	}
	return ""
}

// networkLives reports whether the network service is the original one. Where that is unknown it is assumed.
func (i *Instance) networkLives() bool {
	known := i.pillars.Load()
	return known == nil || known.network == nil || !known.network.Ended()
}

// CheckNetwork ends the instance when its network service has ended.
func (i *Instance) CheckNetwork() {
	if !i.IsDead() && !i.networkLives() {
		i.condemn(whyEnded + NetworkKind)
	}
}

// Examine looks at the processes of a browser that has not answered. A process that is stopped is the reason.
func (i *Instance) Examine() {
	w := pulse{gen: i, stopped: map[process.ID]bool{}}
	family := i.Family()
	for _, p := range family {
		w.stopped[p.ID()] = true
	}
	if halted := w.halted(family); halted != "" {
		i.condemn(whyStopped + halted)
	} else if ended := i.lostPillar(); ended != "" {
		i.condemn(whyEnded + ended)
	}
}

// condemn ends an instance that is half dead: its calls fail at once, its processes are killed in the background.
func (i *Instance) condemn(why string) {
	i.log.Warn("killing the browser and its driver", "why", why)
	i.death.condemned.Store(true)
	i.MarkDead(why)
	i.Spawn(func() {
		if i.socket && i.launched.Load() {
			i.Spawn(func() { _ = i.Browser.Close() }) // only hangs up, which frees the calls
		}
		if i.inside == nil {
			i.killBrowser()
		}
		i.killDriver()
	})
}
