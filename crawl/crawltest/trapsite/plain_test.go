package trapsite

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
)

var hrefs = regexp.MustCompile(`href="([^"]*)"`)

// crawlPlain walks a site by regular expression and gives the paths that it met.
func crawlPlain(t testing.TB, origin string) []string {
	t.Helper()
	queue, seen := []string{"/"}, map[string]bool{"/": true}
	for at := 0; at < len(queue); at++ {
		resp, err := http.Get(origin + queue[at])
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		if err != nil || resp.StatusCode != http.StatusOK {
			t.Fatalf("%s: status %d, %v", queue[at], resp.StatusCode, err)
		}
		links := hrefs.FindAllStringSubmatch(string(body), -1)
		if len(links) != plainLinks+plainNav {
			t.Fatalf("%s: %d links", queue[at], len(links))
		}
		for _, link := range links {
			if !seen[link[1]] {
				seen[link[1]] = true
				queue = append(queue, link[1])
			}
		}
	}
	slices.Sort(queue)
	return queue
}

func TestPlain_everyPageIsReachableAndCounted(t *testing.T) {
	for _, pages := range []int{1, 2, 9, 300} {
		site := Plain(pages, 2<<10, 8<<10)
		srv := httptest.NewServer(site.Handler())
		got := crawlPlain(t, srv.URL)
		srv.Close()
		if want := site.URLs(""); !slices.Equal(got, want) || len(got) != pages {
			t.Fatalf("%d pages: got %d: %q", pages, len(got), got)
		}
		if len(site.Hits()) != pages || site.Twice() != nil || site.Missed() != nil || site.NotFound() != 0 {
			t.Errorf("%d pages: twice %q, missed %q, not found %d", pages, site.Twice(), site.Missed(), site.NotFound())
		}
		site.Reset()
		if len(site.Hits()) != 0 || len(site.Missed()) != pages {
			t.Errorf("%d pages: counts after a reset: %v", pages, site.Hits())
		}
	}
}

func TestPlain_countsWhatIsAskedTwiceAndWhatIsNone(t *testing.T) {
	site := Plain(10, 0, 0)
	ask := func(method, path string) int {
		w := httptest.NewRecorder()
		site.Handler().ServeHTTP(w, httptest.NewRequest(method, path, nil))
		return w.Code
	}
	for _, path := range []string{"/p/10", "/p/0", "/p/", "/p/01", "/p/-1", "/robots.txt", "/p/1/"} {
		if code := ask("GET", path); code != http.StatusNotFound {
			t.Errorf("%s: %d", path, code)
		}
	}
	ask("GET", "/p/3")
	ask("GET", "/p/3")
	ask("GET", "/p/4?x=1")
	ask("HEAD", "/p/4")
	if got := site.Twice(); !slices.Equal(got, []string{"/p/3"}) || site.NotFound() != 7 || site.Hits()["/p/4"] != 1 || len(site.Missed()) != 8 {
		t.Errorf("twice %q, not found %d, hits %v, missed %q", got, site.NotFound(), site.Hits(), site.Missed())
	}
}

func TestPlain_sizesAreLogUniform(t *testing.T) {
	site := Plain(1000, 2<<10, 200<<10)
	var body []byte
	var sum, within int
	for i, want := range site.sizes {
		body = site.write(body[:0], i)
		sum += len(body)
		if d := len(body) - int(want); d > -1000 && d < 1000 {
			within++
		}
	}
	if mean := sum / 1000; mean < 42<<10 || mean > 45<<10 {
		t.Errorf("mean %d bytes", mean)
	}
	if within < 990 {
		t.Errorf("%d of 1000 pages are within 1000 bytes of their size", within)
	}
	if int64(sum) != site.Bytes() {
		t.Errorf("Bytes: %d, want %d", site.Bytes(), sum)
	}
}

func TestPlain_isTheSameInEveryRunAndForAll(t *testing.T) {
	a, b := Plain(200, 2<<10, 50<<10), Plain(200, 2<<10, 50<<10)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for i := range a.sizes {
				w := httptest.NewRecorder()
				a.Handler().ServeHTTP(w, httptest.NewRequest("GET", plainPath(i), nil))
				if got, want := w.Body.String(), string(b.write(nil, i)); got != want {
					t.Errorf("page %d differs: %d and %d bytes", i, len(got), len(want))
				}
			}
		})
	}
	wg.Wait()
	if bodies := string(a.write(nil, 1)); strings.Contains(bodies[500:], string(a.write(nil, 2))[500:1500]) {
		t.Error("two pages have the same text")
	}
}

func TestPlain_bringsOptionsIntoRange(t *testing.T) {
	if got := len(Plain(-1, -1, -1).sizes); got != 1 {
		t.Errorf("%d pages", got)
	}
	if got := Plain(1, 1<<30, 5).sizes[0]; got != 16<<20 {
		t.Errorf("%d bytes", got)
	}
}

func ExamplePlain() {
	site := Plain(1000, 2<<10, 200<<10)
	srv := httptest.NewServer(site.Handler())
	defer srv.Close()

	resp, err := http.Get(srv.URL + "/p/17") // a crawler would begin at the root
	if err != nil {
		fmt.Println(err)
		return
	}
	resp.Body.Close()
	fmt.Println(len(site.URLs(srv.URL)), len(site.Missed()), len(site.Twice()))
	// Output: 1000 999 0
}

func BenchmarkPlain_serve(b *testing.B) {
	site := Plain(1000, 2<<10, 200<<10)
	handler := site.Handler()
	b.SetBytes(site.Bytes() / 1000)
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		handler.ServeHTTP(devNull{}, httptest.NewRequest("GET", plainPath(i%1000), nil))
		i++
	}
}

type devNull struct{}

func (devNull) Header() http.Header         { return http.Header{} }
func (devNull) Write(b []byte) (int, error) { return len(b), nil }
func (devNull) WriteHeader(int)             {}
