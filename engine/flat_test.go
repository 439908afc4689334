package engine_test

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"

	"github.com/winnow-go/winnow/engine"
	"github.com/winnow-go/winnow/engine/httpapi"
)

// gauge counts what is read, and looks every few MiB at how much memory is in use.
type gauge struct {
	read, looked, most int64
	r                  io.Reader
}

// Read implements io.Reader.
func (g *gauge) Read(b []byte) (int, error) {
	n, err := g.r.Read(b)
	if g.read += int64(n); g.read-g.looked >= 4<<20 {
		g.looked, g.most = g.read, max(g.most, inUse())
	}
	return n, err
}

func inUse() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// A crawl of 1 GB (here 100 MB) is read page by page, and neither side of it holds even one page of 10 MiB.
func TestJob_aGigabyteIsReadWithFlatMemory(t *testing.T) {
	if engine.Raced() {
		t.Skip("-race: memory is measured without the race detector; what is read is tested with it elsewhere")
	}
	const secret = "a-secret-of-this-test"
	key, err := httpapi.NewKey(secret, "team")
	if err != nil {
		t.Fatal(err)
	}
	e, err := engine.New(engine.Options{Dir: t.TempDir(), Render: engine.RenderNever})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	documents := engine.Soak(1000)
	job := engine.FilledBatch(t, e, "team", &engine.Document{RawHTML: strings.Repeat("0123456789abcdef", 1<<16)}, documents)
	server := httptest.NewServer(httpapi.New(e, httpapi.Options{Keys: []httpapi.Key{key}}))
	defer server.Close()
	client := server.Client()

	get := func(target string) (g *gauge, n int, next string) {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL+target, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", "Bearer "+secret)
		resp, err := client.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		g = &gauge{r: resp.Body}
		n, next = skim(t, g)
		return g, n, next
	}
	target := "/v2/batch/scrape/" + job.ID()
	get(target) // once for what is kept ready from then on
	base := inUse()
	var read, most int64
	pages, seen := 0, 0
	for ; target != ""; pages++ {
		g, n, next := get(target)
		if g.read > 10<<20+4096 {
			t.Errorf("a page of %d bytes", g.read)
		}
		read, most, seen, target = read+g.read, max(most, g.most), seen+n, next
	}
	t.Logf("%d MiB in %d pages; at most %.1f MiB more in use than before", read>>20, pages, float64(most-base)/(1<<20))
	if seen != documents || read < int64(documents)<<20 || pages < documents/10 {
		t.Errorf("%d documents of %d, %d bytes, %d pages", seen, documents, read, pages)
	}
	if most-base > 9<<20 {
		t.Errorf("%d bytes more are in use than before", most-base)
	}
}

// skim counts a page's documents and gives its next, without holding more than a piece of it.
func skim(t *testing.T, r io.Reader) (documents int, next string) {
	t.Helper()
	name := []byte(`"rawHtml":`)
	piece, held := make([]byte, 64<<10), 0
	for {
		n, err := r.Read(piece[held:])
		held += n
		documents += bytes.Count(piece[:held], name)
		switch {
		case err == io.EOF:
			_, tail, _ := bytes.Cut(piece[:held], []byte(`"next":"`))
			tail, _, _ = bytes.Cut(tail, []byte(`"`))
			return documents, string(tail)
		case err != nil:
			t.Fatal(err)
		case held > len(piece)/2: // keep what may be the beginning of a name, or the end of the page
			keep := piece[held-1000 : held]
			if at := bytes.LastIndex(keep, name); at >= 0 {
				keep = keep[at+1:]
			}
			held = copy(piece, keep)
		default:
			documents -= bytes.Count(piece[:held], name) // they are counted again with what follows
		}
	}
}
