package serving

import (
	"fmt"
	"log/slog"

	"github.com/winnow-go/winnow/browser"
	"github.com/winnow-go/winnow/engine"
	"github.com/winnow-go/winnow/engine/httpapi"
	"github.com/winnow-go/winnow/engine/search"
	"github.com/winnow-go/winnow/engine/search/local"
	"github.com/winnow-go/winnow/examples/server/demo"
	"github.com/winnow-go/winnow/llm"
)

// engineOptions are those of the command line. The keys control which requests may use zero data retention.
func (s *settings) engineOptions(base string, log *slog.Logger) (engine.Options, error) {
	o := engine.Options{
		Dir: s.cache, Render: s.render, MinConfidence: s.minConfidence, Proxies: s.proxies, Logger: log,
		AllowZeroDataRetention: true, AllowUnsandboxedCode: s.unsandboxed,
		LiveView: &engine.LiveViewOptions{BaseURL: base + httpapi.LivePath, FrameAncestors: []string{base}},
	}
	o.Policy.AllowPrivate = s.allowPrivate
	o.Browser.System = s.system
	o.Browser.Progress = func(p browser.Progress) { logInstall(log, p) }
	if s.demo {
		o.Hosts = demo.Hosts()
	}
	provider, err := s.provider()
	if err != nil {
		return o, err
	}
	o.Search = []search.Provider{provider}
	if s.asksModel() {
		model := s.model
		model.Logger = log
		if o.Model, err = llm.NewOpenAI(model); err != nil {
			return o, fmt.Errorf("-model-url, -model: %w", err)
		}
	}
	return o, nil
}

// provider is the index of the cache unless another is configured.
func (s *settings) provider() (search.Provider, error) {
	if s.searxng == "" {
		return local.New(local.Options{}), nil
	}
	p, err := search.NewSearXNG(search.SearXNGOptions{URL: s.searxng})
	if err != nil {
		return nil, fmt.Errorf("-searxng: %w", err)
	}
	return p, nil
}
