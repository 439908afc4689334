//go:build unix

package cache

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

func init() { helpers["write"] = writeForEver }

// killOp is one operation of the process that is killed. Its n is also its time in seconds. Parent and child make the same out of a seed.
type killOp struct {
	n    int
	what string // put, renew, forget, flush, compact
	key  string
	size int // of a put
}

type killOps struct {
	random *rand.Rand
	n      int
}

func newKillOps(seed uint64) *killOps { return &killOps{random: rand.New(rand.NewPCG(seed, 1))} }

func (k *killOps) next() killOp {
	k.n++
	what := "put"
	switch n := k.random.IntN(100); {
	case n < 12:
		what = "renew"
	case n < 15:
		what = "forget"
	case n < 18:
		what = "flush"
	case n < 20:
		what = "compact"
	}
	return killOp{k.n, what, fmt.Sprintf("key%d/", k.random.IntN(8)), k.random.IntN(3) * k.random.IntN(30_000)}
}

// killText is the value of put n. Larger ones have a template in common, so that they get dictionaries.
func killText(n, size int) string {
	text := fmt.Sprintf("%d %s", n, strings.Repeat(fmt.Sprint(n), size/4))
	if size > 0 {
		text = killTemplate() + text
	}
	return text
}

var killTemplate = sync.OnceValue(func() (text string) {
	random := rand.New(rand.NewPCG(3, 4))
	for range 60 {
		text += fmt.Sprintf("<li id=%x>%x</li>", random.Uint64(), random.Uint64())
	}
	return text
})

// killGroup has all keys in one group, so that its dictionaries come and go.
func killGroup(string) string { return "all" }

// writeForEver is the process that is killed. What it prints: "begin n" before an operation, "put n" when it was committed, "renew n m"
// before put m is renewed, "done n" when a forget or flush has returned.
func writeForEver(args []string) int {
	go func() { // the parent is gone: so is this
		_, _ = io.Copy(io.Discard, os.Stdin)
		os.Exit(3)
	}()
	var seed uint64
	if _, err := fmt.Sscan(args[1], &seed); err != nil {
		return 2
	}
	b, err := OpenBolt(args[0], FileOptions{}, Options{QueueEntries: 30, Group: killGroup})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	Often(b.file)
	ops := newKillOps(seed)
	for {
		if err := killDo(b, ops.next()); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
	}
}

func killDo(b *Bolt, op killOp) error {
	ctx := context.Background()
	fmt.Println("begin", op.n)
	switch op.what {
	case "put":
		e := Entry{Key: op.key, Stored: at(op.n), Meta: fmt.Append(nil, op.n), Value: []byte(killText(op.n, op.size))}
		return b.Put(ctx, e, func(err error) {
			if err == nil {
				fmt.Println("put", op.n)
			}
		})
	case "renew":
		vs, err := b.Versions(ctx, op.key)
		if err != nil || len(vs) == 0 {
			return err
		}
		v := vs[len(vs)-1]
		fmt.Println("renew", op.n, string(v.Meta))
		return b.Renew(ctx, v, at(op.n), v.Meta)
	case "forget":
		if _, err := b.Forget(ctx, op.key); err != nil {
			return err
		}
	case "flush":
		if err := b.Flush(ctx); err != nil {
			return err
		}
	case "compact":
		return b.Compact(ctx)
	}
	fmt.Println("done", op.n)
	return nil
}

// killLog is what the process said before it was killed.
type killLog struct {
	ops     []killOp     // all that were begun
	acked   []int        // puts
	done    map[int]bool // forgets and flushes
	renewed map[int]int  // n of a renewal: the put
}

// runAndKill starts the process, kills it after some lines or some time, and returns what it had said.
func runAndKill(t *testing.T, path string, seed uint64) *killLog {
	t.Helper()
	random := rand.New(rand.NewPCG(seed, 2))
	cmd := helperCommand(t, "write", path, fmt.Sprint(seed))
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines, pause := random.IntN(400), time.Duration(random.IntN(5000))*time.Microsecond // anywhere in a transaction
	if random.IntN(10) == 0 {
		lines, pause = 0, 4*pause // while the file is made
	}
	l := &killLog{done: map[int]bool{}, renewed: map[int]int{}}
	ops := newKillOps(seed)
	scanner := bufio.NewScanner(out)
	for i := 0; ; i++ {
		if i == lines {
			time.Sleep(pause)
			_ = cmd.Process.Signal(syscall.SIGKILL)
		}
		if !scanner.Scan() {
			break
		}
		l.read(t, scanner.Text(), ops)
	}
	if err := cmd.Wait(); cmd.ProcessState.Sys().(syscall.WaitStatus).Signal() != syscall.SIGKILL {
		t.Fatalf("seed %d: the process ended by itself: %v", seed, err)
	}
	return l
}

func (l *killLog) read(t *testing.T, line string, ops *killOps) {
	t.Helper()
	var what string
	var n, m int
	if fields, err := fmt.Sscan(line, &what, &n, &m); fields < 2 {
		t.Fatalf("%q: %v", line, err)
	}
	switch what {
	case "begin":
		l.ops = append(l.ops, ops.next())
	case "put":
		l.acked = append(l.acked, n)
	case "renew":
		l.renewed[n] = m
	case "done":
		l.done[n] = true
	}
}

// killed is the file after a kill, opened again.
type killed struct {
	*killLog
	t     *testing.T
	b     *Bolt
	found map[int]Version // by put
	// dictionaries that are stored, and values that need one
	dictionaries, needing int
}

// check compares the file with what the process had said.
func (k *killed) check() {
	k.found = map[int]Version{}
	keys, err := k.b.Keys(k.t.Context(), "", "", 0)
	if err != nil {
		k.t.Fatal(err)
	}
	for _, key := range keys {
		k.checkKey(key)
	}
	for _, n := range k.acked {
		if _, ok := k.found[n]; !ok && !k.mayBeGone(n) {
			k.t.Errorf("put %d of %s was acknowledged and is lost", n, k.ops[n-1].key)
		}
	}
	k.checkFlushedRenewals()
	checkPages(k.t, k.b.file)
	checkTotals(k.t, k.b.store)
	k.dictionaries, k.needing = countUses(k.t, k.b)
}

func (k *killed) checkKey(key string) {
	vs, err := k.b.Versions(k.t.Context(), key)
	if err != nil || len(vs) == 0 || len(vs) > 5 || !slices.IsSortedFunc(vs, func(a, b Version) int { return b.Stored.Compare(a.Stored) }) {
		k.t.Errorf("%s: %v, %v", key, vs, err)
	}
	for _, v := range vs {
		var n int
		if _, err := fmt.Sscan(string(v.Meta), &n); err != nil || n < 1 || n > len(k.ops) {
			k.t.Fatalf("%s: meta %q", key, v.Meta)
		}
		op := k.ops[n-1]
		value, err := k.b.Get(k.t.Context(), v)
		if err != nil || string(value) != killText(n, op.size) || op.key != key || op.what != "put" {
			k.t.Errorf("%s has put %d, which was %+v: %.20q, %v", key, n, op, value, err)
		}
		if r := int(v.Stored.Sub(at(0)) / time.Second); r != n && k.renewed[r] != n {
			k.t.Errorf("put %d has the time of %d", n, r)
		}
		if k.forgotten(n, true) {
			k.t.Errorf("put %d of %s was forgotten and is there", n, key)
		}
		k.found[n] = v
	}
}

// forgotten reports whether the key was forgotten after put n: surely, or perhaps.
func (k *killed) forgotten(n int, surely bool) bool {
	return slices.ContainsFunc(k.ops[n:], func(op killOp) bool {
		return op.what == "forget" && op.key == k.ops[n-1].key && (k.done[op.n] || !surely)
	})
}

// mayBeGone reports whether put n can have been forgotten or displaced by five newer versions.
func (k *killed) mayBeGone(n int) bool {
	newer := map[int]bool{}
	for _, op := range k.ops[n:] {
		if op.key != k.ops[n-1].key {
			continue
		}
		if op.what == "put" {
			newer[op.n] = true
		}
		if m := k.renewed[op.n]; m != 0 && m != n {
			newer[m] = true
		}
	}
	return len(newer) >= 5 || k.forgotten(n, false)
}

// checkFlushedRenewals: a renewal before a Flush that returned is durable.
func (k *killed) checkFlushedRenewals() {
	flushed := 0
	for _, op := range k.ops {
		if op.what == "flush" && k.done[op.n] {
			flushed = op.n
		}
	}
	for r, n := range k.renewed {
		if v, ok := k.found[n]; ok && r < flushed && v.Stored.Before(at(r)) {
			k.t.Errorf("put %d was renewed at %d and flushed at %d, and is of %v", n, r, flushed, v.Stored)
		}
	}
}

// A process is killed in the middle of random operations: what it had acknowledged is there, and the file is clean.
func TestBolt_killedAnywhereLosesNothingAcknowledged(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	acked, lost, needing := 0, 0, 0
	kills := uint64(soak(500))
	if kills < 500 { // each run of the suite has other seeds
		kills = 15
	}
	for i := range kills {
		path := filepath.Join(t.TempDir(), "cache.db")
		k := &killed{killLog: runAndKill(t, path, seed+i), t: t}
		var err error
		if k.b, err = OpenBolt(path, FileOptions{}, Options{Group: killGroup}); err != nil {
			t.Fatalf("seed %d: %v", seed+i, err)
		}
		k.check()
		acked += len(k.acked)
		lost += len(k.ops) - len(k.acked)
		needing += k.needing
		mustClose(t, k.b)
		if entries, err := os.ReadDir(filepath.Dir(path)); err != nil || len(entries) != 1 {
			t.Errorf("left: %v, %v", entries, err)
		}
		if t.Failed() {
			t.Fatalf("seed %d", seed+i)
		}
	}
	t.Logf("%d puts were acknowledged, %d other operations begun; %d values need a dictionary", acked, lost, needing)
	if needing == 0 {
		t.Error("no value needed a dictionary")
	}
}
