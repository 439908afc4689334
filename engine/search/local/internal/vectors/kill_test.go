//go:build unix

package vectors

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// writerPath, in the environment, makes of a run of the test binary a program that changes the table there until it is killed.
const writerPath = "WINNOW_TEST_VECTORS"

// A program that is killed while it adds, removes and compacts leaves vectors that are right, and those that it had added for good.
func TestTable_aKilledProgramLeavesNoWrongVector(t *testing.T) {
	if path := os.Getenv(writerPath); path != "" {
		writeForever(t, path)
		return
	}
	rounds := 4
	if os.Getenv("WINNOW_SOAK") == "1" {
		rounds = 100
	}
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r, path := rand.New(rand.NewPCG(seed, 0)), filepath.Join(t.TempDir(), "v")
	for range rounds {
		added := killedWriter(t, path, 20+r.IntN(200))
		table, err := Open(path, space)
		if err != nil {
			t.Fatal(err)
		}
		var all []Vector
		for page := range pagesWritten {
			for n := range textsWritten {
				all = append(all, random(page, n, 40))
			}
		}
		if bad := wrong(t, table, all); bad > 0 || table.Count() == 0 && added > 0 {
			t.Errorf("%d vectors, %d of them wrong, after %d changes", table.Count(), bad, added)
		}
		if n := len(table.free) + table.Count(); n != table.slots {
			t.Errorf("%d slots of %d", n, table.slots)
		}
		if err := table.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// What the program writes.
const pagesWritten, textsWritten = 20, 16

// killedWriter kills the program after it has reported some changes.
func killedWriter(t *testing.T, path string, after int) (added int) {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$")
	cmd.Env = append(os.Environ(), writerPath+"="+path)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	for added < after && lines.Scan() {
		added++
	}
	_ = cmd.Process.Kill()
	_ = cmd.Wait() // it was killed
	if added == 0 {
		t.Fatal("the program has changed nothing")
	}
	return added
}

func writeForever(t *testing.T, path string) {
	t.Helper()
	table, err := Open(path, space)
	if err != nil {
		t.Fatal(err)
	}
	for {
		page, n := rand.IntN(pagesWritten), rand.IntN(textsWritten)
		switch rand.IntN(20) {
		case 0:
			err = table.Compact()
		case 1, 2:
			v := random(page, n, 40)
			err = table.Keep(v.Page, map[Text]bool{v.Text: true})
		default:
			err = table.Put([]Vector{random(page, n, 40), random(page, (n+1)%textsWritten, 40)})
		}
		if err != nil {
			t.Fatal(err)
		}
		fmt.Println("changed")
	}
}
