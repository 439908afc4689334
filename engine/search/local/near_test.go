package local

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/winnow-go/winnow/engine/search"
	"github.com/winnow-go/winnow/formats/passages"
	"github.com/winnow-go/winnow/llm"
	"github.com/winnow-go/winnow/llm/llmtest"
)

// markdown is a page of this Markdown.
func markdown(url, text string) search.Page {
	p := search.Page{URL: url, Title: strings.TrimPrefix(url, "https://"), Text: text, Language: "en"}
	for _, part := range passages.Split(text, passages.Options{Language: "en"}) {
		p.Passages = append(p.Passages, search.Passage{
			ID: part.ID, Headings: part.Headings, Kind: string(part.Kind), From: part.From, To: part.To, Tokens: part.Tokens, Text: part.Text,
			Head: part.Head, Foot: part.Foot,
		})
	}
	return p
}

// handbook has pages whose words differ from those that people use for what they say.
func handbook() *fakeCache {
	s := newFakeCache()
	s.put(markdown("https://a.example/cars", "# Motoring\n\n## Purchase\n\nBuy an automobile in spring.\n\n## Repair\n\nThe mechanic fixes brakes.\n\n## Fuel\n\nPetrol is sold at the corner."))
	s.put(markdown("https://a.example/soup", "# Cooking\n\n## Soup\n\nSimmer barley for an hour.\n\n## Bread\n\nKnead the dough twice."))
	s.put(markdown("https://b.example/farm", "# Farming\n\n## Sowing\n\nBarley is sown in March.\n\n## Reaping\n\nIt is cut in July."))
	return s
}

// toy is an embedder that knows some synonyms.
func toy(t testing.TB) *llmtest.Embedder {
	t.Helper()
	e, err := llmtest.StartEmbedder(256, map[string]string{"vehicle": "automobile", "harvest": "reaping", "loaf": "bread"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	})
	return e
}

// meaningful gives an index of the cache that has the embedder.
func meaningful(t testing.TB, s *fakeCache, folder string, e *llmtest.Embedder, change ...func(*llm.OpenAIEmbedderOptions)) *Index {
	t.Helper()
	client, err := e.Client("toy", append([]func(*llm.OpenAIEmbedderOptions){func(o *llm.OpenAIEmbedderOptions) { o.Retries = -1 }}, change...)...)
	if err != nil {
		t.Fatal(err)
	}
	x := New(Options{Patience: time.Minute, Embedder: client})
	x.meaning.pause = func(int) time.Duration { return time.Millisecond }
	if err := x.Attach(s, search.Setup{Folder: folder, Now: func() time.Time { return today }}); err != nil {
		t.Fatal(err)
	}
	s.index = x
	t.Cleanup(func() {
		if err := x.Close(); err != nil {
			t.Error("close:", err)
		}
	})
	return x
}

func embedded(t testing.TB, x *Index) {
	t.Helper()
	if err := x.Embed(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// texts is how many texts and queries an embedder has made vectors of.
func texts(e *llmtest.Embedder) (n int) {
	for _, call := range e.Calls() {
		n += len(call)
	}
	return n
}

func TestIndex_resultsHaveTheBestPassages(t *testing.T) {
	s := handbook()
	x := on(t, s, "")
	found := find(t, x, "mechanic brakes")
	if urls(found) != "a.example/cars" || len(found[0].Passages) != 1 {
		t.Fatalf("got %+v", found)
	}
	got, page := found[0].Passages[0], s.pages["https://a.example/cars"]
	if strings.Join(got.Headings, ">") != "Motoring>Repair" || page.Text[got.From:got.To] != got.Text || got.ID == "" || got.Kind != "prose" || got.Tokens == 0 {
		t.Errorf("got %+v", got)
	}
	all, err := x.Passages(t.Context(), search.Query{Text: "barley in march", Limit: 2})
	if err != nil || len(all.List) != 2 || all.List[0].URL != "https://b.example/farm" || all.List[0].Passage.Headings[1] != "Sowing" || all.Warning != "" {
		t.Fatalf("got %+v, %v", all, err)
	}
	if got := all.List[1]; got.URL != "https://a.example/soup" || got.Title != "a.example/soup" || !got.Date.Equal(today) {
		t.Errorf("got %+v", got)
	}
	for text, want := range map[string]string{
		"barley site:b.example": "Sowing", `barley "an hour"`: "Soup", "barley -march": "Soup", "zzz": "", "barley filetype:pdf": "",
	} {
		all, err := x.Passages(t.Context(), search.Query{Text: text})
		last := ""
		for _, f := range all.List {
			last += f.Passage.Headings[1]
		}
		if err != nil || last != want {
			t.Errorf("%s: %s, %v", text, last, err)
		}
	}
	if _, err := x.Passages(t.Context(), search.Query{Text: "barley", Source: search.Images}); err == nil {
		t.Error("passages of images")
	}
	none := New(Options{Passages: -1})
	if none.passages != 0 || New(Options{Passages: 50}).passages != maxPassages || x.passages != 3 {
		t.Error("the number of passages")
	}
}

func TestIndex_findsByMeaning(t *testing.T) {
	for name, inFolder := range map[string]bool{"in memory": false, "in a folder": true} {
		t.Run(name, func(t *testing.T) {
			dir := ""
			if inFolder {
				dir = t.TempDir()
			}
			e, s := toy(t), handbook()
			x := meaningful(t, s, dir, e)
			embedded(t, x)
			for text, want := range map[string]string{
				"vehicle": "a.example/cars Purchase", "harvest": "b.example/farm Reaping", "loaf": "a.example/soup Bread",
				"harvest site:a.example": "", "vehicle -petrol": "", "barley loaf": "a.example/soup",
			} {
				page, heading, _ := strings.Cut(want, " ")
				r, err := x.Search(t.Context(), search.Query{Text: text, Limit: 1})
				if err != nil {
					t.Fatal(err)
				}
				if want == "" {
					for _, f := range r.List {
						if strings.Contains(f.URL, page) && page != "" {
							t.Errorf("%s: %s", text, f.URL)
						}
					}
					continue
				}
				if urls(r.List) != page || heading != "" && r.List[0].Passages[0].Headings[1] != heading {
					t.Errorf("%s: %s %+v", text, urls(r.List), r)
				}
			}
			for text, never := range map[string]string{"harvest site:a.example": "b.example", "vehicle -petrol": "cars", `vehicle "sown in march"`: "cars"} {
				if got := urls(find(t, x, text)); strings.Contains(got, never) {
					t.Errorf("%s: %s", text, got)
				}
			}
			all, err := x.Passages(t.Context(), search.Query{Text: "vehicle"})
			if err != nil || len(all.List) == 0 || all.List[0].Passage.Headings[1] != "Purchase" || all.Warning != "" {
				t.Errorf("got %+v, %v", all, err)
			}
		})
	}
}

// What stays as it is isn't embedded again; what is gone is gone.
func TestIndex_vectorsFollowTheCache(t *testing.T) {
	dir := t.TempDir()
	e, s := toy(t), handbook()
	x := meaningful(t, s, dir, e)
	embedded(t, x)
	if got := texts(e); got != 7 || x.meaning.table.Load().Count() != 7 {
		t.Fatalf("%d texts, %d vectors", got, x.meaning.table.Load().Count())
	}
	s.put(markdown("https://a.example/cars", "# Motoring\n\n## News\n\nA race was won.\n\n## Purchase\n\nBuy an automobile in spring.\n\n## Repair\n\nThe mechanic fixes brakes.\n\n## Fuel\n\nPetrol is sold out."))
	embedded(t, x)
	// "# Motoring" begins the first passage: that of News now.
	if got := texts(e); got != 7+3 || x.meaning.table.Load().Count() != 8 {
		t.Errorf("%d texts, %d vectors", got, x.meaning.table.Load().Count())
	}
	s.remove("https://a.example/soup")
	if err := x.Purge(t.Context()); err != nil || x.meaning.table.Load().Count() != 6 {
		t.Errorf("%d vectors, %v", x.meaning.table.Load().Count(), err)
	}
	// The same page, fetched in another way, has the same vectors.
	p := *s.pages["https://b.example/farm"]
	s.mu.Lock()
	s.pages["https://b.example/farm\x00mobile"] = &p
	s.mu.Unlock()
	s.notify("https://b.example/farm\x00mobile")
	embedded(t, x)
	s.remove("https://b.example/farm")
	embedded(t, x)
	if got := texts(e); got != 10 || x.meaning.table.Load().Count() != 6 {
		t.Errorf("%d texts, %d vectors", got, x.meaning.table.Load().Count())
	}
	if got := urls(find(t, x, "harvest")); !strings.HasPrefix(got, "b.example/farm") {
		t.Errorf("got %s", got)
	}
	if err := errors.Join(x.Compact(t.Context()), x.Close()); err != nil {
		t.Fatal(err)
	}
	// While no program runs a page goes; the next one, without an embedder, removes its vectors too.
	s.remove("https://b.example/farm\x00mobile")
	y := on(t, s, dir)
	if err := errors.Join(y.Purge(t.Context()), y.Close()); err != nil {
		t.Fatal(err)
	}
	y = meaningful(t, s, dir, e)
	embedded(t, y)
	if got := texts(e); got != 11 || y.meaning.table.Load().Count() != 4 {
		t.Errorf("%d texts, %d vectors", got, y.meaning.table.Load().Count())
	}
	// An index that is built again keeps the vectors.
	if err := errors.Join(y.Close(), os.WriteFile(filepath.Join(dir, schemaName), []byte("another"), 0o600)); err != nil {
		t.Fatal(err)
	}
	y = meaningful(t, s, dir, e)
	embedded(t, y)
	if got := texts(e); got != 11 || y.meaning.table.Load().Count() != 4 {
		t.Errorf("%d texts, %d vectors", got, y.meaning.table.Load().Count())
	}
	// Another embedder makes its own.
	if err := y.Close(); err != nil {
		t.Fatal(err)
	}
	y = meaningful(t, s, dir, e, func(o *llm.OpenAIEmbedderOptions) { o.TextPrefix = "passage: " })
	embedded(t, y)
	if got := texts(e); got != 15 || y.meaning.table.Load().Count() != 4 {
		t.Errorf("%d texts, %d vectors", got, y.meaning.table.Load().Count())
	}
}

func TestIndex_anEmbedderThatFailsLeavesTheWords(t *testing.T) {
	e, s := toy(t), handbook()
	x := meaningful(t, s, "", e, func(o *llm.OpenAIEmbedderOptions) { o.Batch = 4 })
	busy := func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "busy", http.StatusServiceUnavailable) }
	e.Then(busy)
	if err := x.Embed(t.Context()); err != nil && !errors.Is(err, llm.ErrUnavailable) {
		t.Errorf("got %v", err)
	}
	for x.Embed(t.Context()) != nil { // it is tried again
	}
	if got := x.meaning.table.Load().Count(); got != 7 {
		t.Errorf("%d vectors", got)
	}
	e.Then(busy)
	r, err := x.Search(t.Context(), search.Query{Text: "barley"})
	if err != nil || sorted(r.List) != "a.example/soup b.example/farm" || !strings.Contains(r.Warning, "the embedder is unavailable") {
		t.Errorf("got %+v, %v", r, err)
	}
	for _, call := range e.Calls() {
		if len(call) > 4 {
			t.Errorf("%d texts in a call", len(call))
		}
	}
}

// refuses is an embedder that refuses texts with a word, panics at another, and is slow at none.
type refuses struct {
	llm.Embedder
	word  string
	calls int
}

func (r *refuses) Embed(ctx context.Context, q llm.EmbedRequest) (llm.Embedded, error) {
	r.calls++
	if strings.Contains(strings.Join(q.Texts, " "), r.word) {
		return llm.Embedded{}, fmt.Errorf("%w: %s", llm.ErrRefused, r.word)
	}
	return r.Embedder.Embed(ctx, q)
}

func TestIndex_aTextThatIsRefusedIsLeftOut(t *testing.T) {
	e, s := toy(t), handbook()
	x := meaningful(t, s, "", e)
	x.meaning.embedder = &refuses{Embedder: x.meaning.embedder, word: "dough"}
	embedded(t, x)
	if got := x.meaning.table.Load().Count(); got != 6 {
		t.Errorf("%d vectors", got)
	}
	if got := urls(find(t, x, "dough")); !strings.HasPrefix(got, "a.example/soup") {
		t.Errorf("got %s", got)
	}
	// All refused is a fault of the call.
	y := meaningful(t, handbook(), "", e)
	all := &refuses{Embedder: y.meaning.embedder, word: ""}
	y.meaning.embedder = all
	if err := y.Embed(t.Context()); !errors.Is(err, llm.ErrRefused) {
		t.Errorf("got %v", err)
	}
}

func TestIndex_onlyALocalEmbedderGetsPrivateQueries(t *testing.T) {
	e, s := toy(t), handbook()
	for _, isLocal := range []bool{true, false} {
		x := meaningful(t, s, "", e, func(o *llm.OpenAIEmbedderOptions) { o.Local = isLocal })
		embedded(t, x)
		before := texts(e)
		r, err := x.Search(t.Context(), search.Query{Text: "barley", Private: true})
		if err != nil || len(r.List) < 2 || (texts(e) > before) != isLocal || strings.Contains(r.Warning, "not local") == isLocal {
			t.Errorf("local %v: %d texts, %+v, %v", isLocal, texts(e)-before, r, err)
		}
	}
}

// Vectors of another length under the same name replace the others.
func TestIndex_anEmbedderThatChangesStartsOver(t *testing.T) {
	dir, s := t.TempDir(), handbook()
	x := meaningful(t, s, dir, toy(t))
	embedded(t, x)
	if err := x.Close(); err != nil {
		t.Fatal(err)
	}
	other, err := llmtest.StartEmbedder(64, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	s.put(markdown("https://a.example/new", "# New\n\nA page."))
	x = meaningful(t, s, dir, other)
	embedded(t, x)
	if table := x.meaning.table.Load(); table.Dimensions() != 64 || table.Count() != 8 {
		t.Errorf("%d vectors of %d numbers", table.Count(), table.Dimensions())
	}
}

// A page that goes while its vectors are made leaves none.
func TestIndex_aPageThatGoesWhileItIsEmbedded(t *testing.T) {
	e, s := toy(t), newFakeCache()
	s.put(markdown("https://a.example/gone", "# Gone\n\nA secret."))
	x := meaningful(t, s, "", e)
	entered, leave := make(chan struct{}), make(chan struct{})
	x.meaning.embedder = &waits{Embedder: x.meaning.embedder, entered: entered, leave: leave}
	if err := x.Purge(t.Context()); err != nil {
		t.Fatal(err)
	}
	find(t, x, "secret")
	<-entered
	s.remove("https://a.example/gone")
	find(t, x, "secret")
	close(leave)
	embedded(t, x)
	if got := x.meaning.table.Load().Count(); got != 0 {
		t.Errorf("%d vectors", got)
	}
}

// waits is an embedder whose first call waits.
type waits struct {
	llm.Embedder
	entered, leave chan struct{}
	once           bool
}

func (w *waits) Embed(ctx context.Context, q llm.EmbedRequest) (llm.Embedded, error) {
	if !w.once && !q.Query {
		w.once = true
		close(w.entered)
		<-w.leave
	}
	return w.Embedder.Embed(ctx, q)
}

func TestFused_ranks(t *testing.T) {
	same := func(s string) string { return s }
	for _, c := range []struct{ a, b, want string }{
		{"a b c", "", "a b c"}, {"", "a b", "a b"}, {"a b c", "c d", "c a b d"}, {"a b", "b a", "a b"},
	} {
		if got := strings.Join(fused(same, strings.Fields(c.a), strings.Fields(c.b)), " "); got != c.want {
			t.Errorf("%s and %s: %s, want %s", c.a, c.b, got, c.want)
		}
	}
}
