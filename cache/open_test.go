package cache

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	bolt "go.etcd.io/bbolt"
)

func TestOpenFile_makesFolderAndFileForTheOwnerOnly(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a", "b", "test.db")
	mustClose(t, mustOpenFile(t, path, FileOptions{}))
	for name, want := range map[string]os.FileMode{path: 0o600, filepath.Dir(path): 0o700 | os.ModeDir} {
		info, err := os.Stat(name)
		if err != nil || info.Mode() != want {
			t.Errorf("%s: %v, %v, want %v", name, info.Mode(), err, want)
		}
	}
}

func TestOpenFile_optionsAreChecked(t *testing.T) {
	for _, o := range []FileOptions{{}, {Kind: "k", Schema: -1}, {Kind: "k", LockWait: -1}, {Kind: "k", MapSize: -1}} {
		if _, err := OpenFile(filePath(t), o); err == nil {
			t.Errorf("%+v: no error", o)
		}
	}
}

func TestOpenFile_lockedInThisProcess(t *testing.T) {
	path := filePath(t)
	f := mustOpenFile(t, path, FileOptions{})
	if _, err := OpenFile(path, FileOptions{Kind: "test", LockWait: time.Millisecond}); !errors.Is(err, ErrLocked) || !strings.Contains(err.Error(), path) {
		t.Errorf("second: %v", err)
	}
	mustPut(t, f, "k", "v")
	opened := make(chan *File)
	go func() {
		second, err := OpenFile(path, FileOptions{Kind: "test", LockWait: time.Minute})
		if err != nil {
			t.Errorf("one that waits: %v", err)
		}
		opened <- second
	}()
	mustClose(t, f)
	second := <-opened
	if got := value(t, second, "k"); got != "v" {
		t.Errorf("it read %q", got)
	}
	mustClose(t, second)
}

func TestOpenFile_lockedByAnotherProcess(t *testing.T) {
	path := filePath(t)
	cmd := helperCommand(t, "hold", path)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(out).ReadString('\n'); line != "open\n" {
		t.Fatalf("helper: %q, %v", line, err)
	}
	_, err = OpenFile(path, FileOptions{Kind: "test", LockWait: time.Millisecond})
	if !errors.Is(err, ErrLocked) {
		t.Errorf("while it is held: %v", err)
	}
	in.Close()
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	mustClose(t, mustOpenFile(t, path, FileOptions{}))
}

// whole is the content of a file with some data, free pages and more than one commit.
func whole(t *testing.T, kind string, schema int) []byte {
	t.Helper()
	path := filePath(t)
	f := mustOpenFile(t, path, FileOptions{Kind: kind, Schema: schema})
	for i := range 30 {
		mustPut(t, f, strings.Repeat("k", 1+i), strings.Repeat("v", 1000*i))
	}
	if err := f.Update(func(tx Tx) error { return tx.Delete("b", []byte("kkkkkkkkkkkkkkkkkkkk")) }); err != nil {
		t.Fatal(err)
	}
	if err := f.Compact(t.Context()); err != nil { // so that it has no room at its end
		t.Fatal(err)
	}
	for i := range 10 {
		mustPut(t, f, strings.Repeat("k", 1+i), strings.Repeat("w", 1000*i))
	}
	mustClose(t, f)
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// bareBolt is the content of a file that another program wrote.
func bareBolt(t *testing.T, o *bolt.Options) []byte {
	t.Helper()
	path := filePath(t)
	db, err := bolt.Open(path, 0o600, o)
	if err != nil {
		t.Fatal(err)
	}
	err = db.Update(func(tx *bolt.Tx) error {
		b, err := tx.CreateBucket([]byte("theirs"))
		if err != nil {
			return err
		}
		return b.Put([]byte("k"), []byte("v"))
	})
	if err != nil {
		t.Fatal(err)
	}
	mustClose(t, db)
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// refusedUntouched writes the content to a file, opens it, and checks that it is still the same.
func refusedUntouched(t *testing.T, content []byte, o FileOptions) error {
	t.Helper()
	path := filePath(t)
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	o.Kind = "test"
	f, err := OpenFile(path, o)
	if err == nil {
		mustClose(t, f)
		return nil
	}
	after, readErr := os.ReadFile(path)
	if readErr != nil || sha256.Sum256(after) != sha256.Sum256(content) {
		t.Errorf("the file was changed: %d bytes, were %d, %v", len(after), len(content), readErr)
	}
	if entries, _ := os.ReadDir(filepath.Dir(path)); len(entries) != 1 {
		t.Errorf("something else was left: %v", entries)
	}
	if !strings.Contains(err.Error(), path) {
		t.Errorf("the error doesn't name the file: %v", err)
	}
	return err
}

func TestOpenFile_refusesWhatIsNotItsOwnUntouched(t *testing.T) {
	metas := whole(t, "test", 1)
	clear(metas[16 : 16+64])
	clear(metas[4096+16 : 4096+16+64])
	for name, content := range map[string][]byte{
		"text":                bytes.Repeat([]byte("this is a text file\n"), 1000),
		"short":               []byte("x"),
		"zeros":               make([]byte, 100_000),
		"SQLite":              append([]byte("SQLite format 3\x00"), make([]byte, 8176)...),
		"another program's":   bareBolt(t, nil),
		"without a free list": bareBolt(t, &bolt.Options{NoFreelistSync: true}),
		"of another kind":     whole(t, "other", 1),
		"both metas gone":     metas,
		"half a new one":      whole(t, "test", 1)[:10_000],
	} {
		t.Run(name, func(t *testing.T) {
			err := refusedUntouched(t, content, FileOptions{})
			if d, ok := errors.AsType[*DamagedError](err); !ok || d.Err == nil || !strings.Contains(d.Error(), "move it away") {
				t.Errorf("%v", err)
			}
			t.Log(err)
		})
	}
}

func TestOpenFile_refusesANewerSchemaUntouched(t *testing.T) {
	content := whole(t, "test", 3)
	err := refusedUntouched(t, content, FileOptions{Schema: 2})
	if s, ok := errors.AsType[*SchemaError](err); !ok || s.Have != 3 || s.Want != 2 {
		t.Errorf("%v", err)
	}
}

func TestOpenFile_marksAnOlderSchema(t *testing.T) {
	path := filePath(t)
	mustClose(t, mustOpenFile(t, path, FileOptions{Schema: 1}))
	mustClose(t, mustOpenFile(t, path, FileOptions{Schema: 2}))
	if _, err := OpenFile(path, FileOptions{Kind: "test", Schema: 1}); !errors.As(err, new(*SchemaError)) {
		t.Errorf("the older program again: %v", err)
	}
}

// Wherever a file is cut off, opening it is an error that leaves it alone.
func TestOpenFile_truncatedAnywhere(t *testing.T) {
	content := whole(t, "test", 1)
	m, err := newestMeta(bytes.NewReader(content), int64(len(content)))
	if err != nil {
		t.Fatal(err)
	}
	content = content[:int64(m.high)*m.pageSize] // the rest was grown ahead
	if err := refusedUntouched(t, content, FileOptions{}); err != nil {
		t.Errorf("whole: %v", err)
	}
	seed := rand.Uint64()
	t.Logf("seed %d, %d bytes", seed, len(content))
	random := rand.New(rand.NewPCG(seed, 0))
	lengths := []int{1, 16, 80, 4095, 4096, 4097, 8192, 12288, 16384, len(content) - 1}
	for range soak(500) {
		lengths = append(lengths, 1+random.IntN(len(content)-1))
	}
	for _, n := range lengths {
		if err := refusedUntouched(t, content[:n], FileOptions{}); !errors.As(err, new(*DamagedError)) {
			t.Errorf("%d bytes: %v", n, err)
		}
	}
}

// A process can be killed while bbolt writes the first four pages of a new file.
func TestOpenFile_takesOverOneThatWasNeverMade(t *testing.T) {
	path := filePath(t)
	db, err := bolt.Open(path, 0o600, nil)
	if err != nil {
		t.Fatal(err)
	}
	mustClose(t, db)
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{0, 4096, 8192, 12288, 16384} {
		if err := os.WriteFile(path, content[:n], 0o600); err != nil {
			t.Fatal(err)
		}
		f := mustOpenFile(t, path, FileOptions{})
		mustPut(t, f, "k", "v")
		checkPages(t, f)
		mustClose(t, f)
	}
}

// The first meta page can be torn by a power cut: then the second counts.
func TestOpenFile_oneMetaIsEnough(t *testing.T) {
	for _, at := range []int{0, os.Getpagesize()} {
		content := whole(t, "test", 1)
		content[at+16+20]++
		path := filePath(t)
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		f := mustOpenFile(t, path, FileOptions{})
		if got := value(t, f, "k"); got != "" {
			t.Errorf("%q", got)
		}
		checkPages(t, f)
		mustClose(t, f)
	}
}

func TestOpenFile_folderInItsPlace(t *testing.T) {
	path := filepath.Join(t.TempDir(), "folder")
	if err := os.Mkdir(path, 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenFile(path, FileOptions{Kind: "test"}); err == nil || !strings.Contains(err.Error(), "folder") {
		t.Errorf("%v", err)
	}
	if _, err := OpenFile(filepath.Join(filePath(t), "\x00"), FileOptions{Kind: "test"}); err == nil {
		t.Error("a path that can't be: no error")
	}
}

func TestOpenFile_removesWhatACompactionLeft(t *testing.T) {
	path := filePath(t)
	mustClose(t, mustOpenFile(t, path, FileOptions{}))
	if err := os.WriteFile(path+compactSuffix, []byte("half"), 0o600); err != nil {
		t.Fatal(err)
	}
	f := mustOpenFile(t, path, FileOptions{})
	if _, err := os.Stat(path + compactSuffix); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%v", err)
	}
	if err := f.Compact(t.Context()); err != nil {
		t.Error(err)
	}
	mustClose(t, f)
}
