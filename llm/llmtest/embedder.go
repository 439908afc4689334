package llmtest

import (
	"encoding/json"
	"hash/fnv"
	"math"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"

	"github.com/winnow-go/winnow/llm"
)

// Embedder is a server on the loopback that speaks the embeddings call of the protocol. Its vectors are counts of hashed words and
// parts of words, so texts with like words have like vectors; it knows no meaning but the synonyms that it is given. The same
// text always has the same vector. Safe for concurrent use.
type Embedder struct {
	// URL is the base URL for a client.
	URL string

	dimensions int
	synonyms   map[string]string
	server     *http.Server
	served     sync.WaitGroup

	mu    sync.Mutex
	calls [][]string
	next  []http.HandlerFunc
}

// StartEmbedder starts a server whose vectors have this length; the caller closes it. A word that is a key of synonyms counts as its
// value, which makes a meaning that words alone don't show; nil for none.
func StartEmbedder(dimensions int, synonyms map[string]string) (*Embedder, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	e := &Embedder{URL: "http://" + l.Addr().String() + "/v1", dimensions: dimensions, synonyms: synonyms}
	e.server = &http.Server{Handler: e, ReadHeaderTimeout: 10 * time.Second}
	e.served.Go(func() { _ = e.server.Serve(l) }) // it ends with Close
	return e, nil
}

// Close stops the server at once.
func (e *Embedder) Close() error {
	err := e.server.Close()
	e.served.Wait()
	return err
}

// Client returns an embedder at the server, local and named as given. It keeps no connection open.
func (e *Embedder) Client(name string, change ...func(*llm.OpenAIEmbedderOptions)) (*llm.OpenAIEmbedder, error) {
	o := llm.OpenAIEmbedderOptions{
		BaseURL: e.URL, Model: name, Local: true, HTTP: &http.Client{Transport: &http.Transport{DisableKeepAlives: true}},
	}
	for _, c := range change {
		c(&o)
	}
	return llm.NewOpenAIEmbedder(o)
}

// Calls returns the texts of all requests so far that got vectors, in order.
func (e *Embedder) Calls() [][]string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.Clone(e.calls)
}

// Then makes these handlers answer the next requests, one each, instead of vectors.
func (e *Embedder) Then(handlers ...http.HandlerFunc) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.next = append(e.next, handlers...)
}

// ServeHTTP implements http.Handler.
func (e *Embedder) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if scripted := e.scripted(); scripted != nil {
		scripted(w, r)
		return
	}
	var in struct {
		Input []string `json:"input"`
		Model string   `json:"model"`
	}
	if err := json.NewDecoder(r.Body).Decode(&in); err != nil || r.URL.Path != "/v1/embeddings" || len(in.Input) == 0 || in.Model == "" {
		http.Error(w, `{"error":{"message":"want a model and input at /v1/embeddings"}}`, http.StatusBadRequest)
		return
	}
	e.mu.Lock()
	e.calls = append(e.calls, in.Input)
	e.mu.Unlock()
	type vector struct {
		Object    string    `json:"object"`
		Index     int       `json:"index"`
		Embedding []float32 `json:"embedding"`
	}
	list := make([]vector, len(in.Input))
	for i, text := range in.Input { // the last comes first: a client goes by the numbers
		list[len(list)-1-i] = vector{"embedding", i, e.Vector(text)}
	}
	w.Header().Set("Content-Type", "application/json")
	usage := map[string]int{"prompt_tokens": len(list)}
	_ = json.NewEncoder(w).Encode(map[string]any{"object": "list", "model": in.Model, "data": list, "usage": usage})
}

func (e *Embedder) scripted() http.HandlerFunc {
	e.mu.Lock()
	defer e.mu.Unlock()
	if len(e.next) == 0 {
		return nil
	}
	first := e.next[0]
	e.next = e.next[1:]
	return first
}

// Vector is that of a text, of length 1, or of zeros where it has no words.
func (e *Embedder) Vector(text string) []float32 {
	v := make([]float32, e.dimensions)
	add := func(feature string, weight float32) {
		h := fnv.New32a()
		_, _ = h.Write([]byte(feature))
		v[int(h.Sum32())%e.dimensions] += weight
	}
	for _, word := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		if same, ok := e.synonyms[word]; ok {
			word = same
		}
		add(word, 1)
		for i := 0; i+4 <= len(word); i++ {
			add("part "+word[i:i+4], 0.3)
		}
	}
	sum := 0.0
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	if sum > 0 {
		for i := range v {
			v[i] /= float32(math.Sqrt(sum))
		}
	}
	return v
}
