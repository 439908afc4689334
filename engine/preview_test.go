package engine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/winnow-go/winnow/llm"
)

// replies is a model that answers by a function. It keeps what it was asked.
type replies struct {
	reply func(ctx context.Context, r llm.Request) (string, error)
	cloud bool

	mu    sync.Mutex
	asked []llm.Request
}

func (m *replies) Info() llm.Info {
	return llm.Info{Name: "replies", Local: !m.cloud, Context: 32_000, Output: 4_000}
}

func (m *replies) Ask(ctx context.Context, r llm.Request) (llm.Answer, error) {
	m.mu.Lock()
	m.asked = append(m.asked, r)
	m.mu.Unlock()
	text, err := m.reply(ctx, r)
	return llm.Answer{Text: text, Usage: llm.Usage{Calls: 1, InputTokens: 100, OutputTokens: 10}}, err
}

func (m *replies) count() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.asked)
}

// inTurn answers with one text after the other, the last again and again.
func inTurn(texts ...string) *replies {
	m := &replies{}
	m.reply = func(context.Context, llm.Request) (string, error) {
		return texts[min(m.count(), len(texts))-1], nil
	}
	return m
}

func blogSite() map[string]string {
	pages := map[string]string{"a.example/": linksTo("/blog/1", "/shop/1"), "a.example/blog/1": linksTo("/blog/2", "/shop/2"), "a.example/shop/1": linksTo(), "a.example/shop/2": linksTo()}
	pages["a.example/blog/2"] = linksTo("/blog/1")
	return pages
}

func TestCrawlPreview_makesCheckedParametersOfWords(t *testing.T) {
	m := inTurn(`{"includePaths":["^/blog/"],"crawlEntireDomain":true,"maxDepth":null,"limit":20,"delay":1.5,"sitemap":"skip"}`)
	e := webEngine(t, blogSite(), withModel(m))
	p, err := e.CrawlPreview(t.Context(), "a.example", "the blog's posts, at most 20, slowly", CrawlOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if p.Usage != (llm.Usage{Calls: 1, InputTokens: 100, OutputTokens: 10}) {
		t.Errorf("usage %+v", p.Usage)
	}
	got, _ := json.Marshal(p)
	want := `{"url":"http://a.example/","includePaths":["^/blog/"],"crawlEntireDomain":true,"sitemap":"skip","delay":1.5,"limit":20}`
	if string(got) != want {
		t.Errorf("got %s, want %s", got, want)
	}
	ask := m.asked[0].Messages[1].Text
	words, urls, fenced := strings.Cut(ask, "<untrusted")
	if !fenced || !strings.Contains(words, "the blog's posts") || strings.Contains(words, "/shop/1") || !strings.Contains(urls, "/shop/1") || !strings.Contains(m.asked[0].Messages[0].Text, llm.UntrustedRule) {
		t.Errorf("asked %s", ask)
	}
	if u, err := e.Usage(t.Context(), ""); err != nil || u.Credits != 0 {
		t.Errorf("%+v, %v", u, err)
	}
}

func TestCrawlPreview_aParameterThatBreaksARuleGetsASecondTry(t *testing.T) {
	for wrong, tell := range map[string]string{
		`{"includePaths":["("]}`: "includePaths[0]",
		`{"limit":5000000}`:      "limit",
		`{"delay":-2}`:           "delay",
		`{"delay":1e300}`:        "delay",
		`{"maxDepth":-1}`:        "maxDepth",
		`{"ignoreRobotsTxt":true,"robotsUserAgent":"x"}`:         "robotsUserAgent",
		`{"excludePaths":["` + strings.Repeat("a", 2001) + `"]}`: "excludePaths[0]",
	} {
		m := inTurn(wrong, `{"limit":3}`)
		e := webEngine(t, blogSite(), withModel(m))
		p, err := e.CrawlPreview(t.Context(), "a.example", "three pages", CrawlOptions{})
		if err != nil || p.Limit != 3 || m.count() != 2 {
			t.Errorf("%s: %+v, %v after %d calls", wrong, p, err, m.count())
			continue
		}
		if last := m.asked[1].Messages; !strings.Contains(last[len(last)-1].Text, tell) {
			t.Errorf("%s: was told %q", wrong, last[len(last)-1].Text)
		}
		m = inTurn(wrong)
		e = webEngine(t, blogSite(), withModel(m))
		if _, err := e.CrawlPreview(t.Context(), "a.example", "three pages", CrawlOptions{}); CodeOf(err) != CodeModelFailed || !strings.Contains(err.Error(), tell) || m.count() != 2 {
			t.Errorf("%s again: %v after %d calls", wrong, err, m.count())
		}
	}
}

func TestCrawlPreview_refusals(t *testing.T) {
	m := inTurn(`{}`)
	e := webEngine(t, blogSite(), withModel(m))
	_, err := e.CrawlPreview(t.Context(), "a.example", "", CrawlOptions{})
	wantRefusal(t, err, "prompt", CodeBadRequest)
	_, err = e.CrawlPreview(t.Context(), "a.example", strings.Repeat("x", maxPrompt+1), CrawlOptions{})
	wantRefusal(t, err, "prompt", CodeBadRequest)
	_, err = e.CrawlPreview(t.Context(), "a.example", "x", CrawlOptions{Limit: -1})
	wantRefusal(t, err, "limit", CodeBadRequest)
	_, err = e.CrawlPreview(t.Context(), "ftp://a.example", "x", CrawlOptions{})
	wantRefusal(t, err, "url", CodeBadRequest)
	if m.count() != 0 {
		t.Errorf("asked %d times", m.count())
	}
	e = webEngine(t, blogSite())
	if _, err := e.CrawlPreview(t.Context(), "a.example", "x", CrawlOptions{}); CodeOf(err) != CodeModelNotConfigured {
		t.Errorf("without a model: %v", err)
	}
	m.cloud = true
	e = webEngine(t, blogSite(), withModel(m), func(o *Options) { o.AllowZeroDataRetention = true })
	if _, err := e.CrawlPreview(t.Context(), "a.example", "x", CrawlOptions{ZeroDataRetention: true}); CodeOf(err) != CodeModelNotLocal || strings.Contains(err.Error(), "a.example") {
		t.Errorf("a model elsewhere: %v", err)
	}
	if m.count() != 0 {
		t.Errorf("asked %d times", m.count())
	}
}

func TestCrawlPreview_aModelThatFails(t *testing.T) {
	m := &replies{reply: func(context.Context, llm.Request) (string, error) {
		return "", fmt.Errorf("%w: down", llm.ErrUnavailable)
	}}
	e := webEngine(t, blogSite(), withModel(m))
	if _, err := e.CrawlPreview(t.Context(), "a.example", "x", CrawlOptions{}); CodeOf(err) != CodeModelFailed || !errors.Is(err, llm.ErrUnavailable) {
		t.Errorf("got %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	m.reply = func(ctx context.Context, _ llm.Request) (string, error) {
		cancel()
		<-ctx.Done()
		return "", ctx.Err()
	}
	if _, err := e.CrawlPreview(ctx, "a.example", "x", CrawlOptions{}); CodeOf(err) != CodeCancelled {
		t.Errorf("cancelled: %v", err)
	}
}

func TestCrawl_promptMakesOptionsAndExplicitOnesWin(t *testing.T) {
	m := inTurn(`{"includePaths":["^/blog/"],"limit":1,"ignoreQueryParameters":true}`)
	e := webEngine(t, blogSite(), withModel(m))
	o := CrawlOptions{Prompt: "the blog", Limit: 10, IdempotencyKey: "k"}
	job, got := crawled(t, e, "a.example", o)
	if want := []string{"http://a.example/blog/1", "http://a.example/blog/2"}; !slices.Equal(got, want) {
		t.Errorf("got %v", got)
	}
	plan, err := job.CrawlPlan(t.Context())
	if err != nil || plan == nil {
		t.Fatal(err)
	}
	if plan.Generated.Limit != 1 || plan.Final.Limit != 10 || !slices.Equal(plan.Final.IncludePaths, []string{"^/blog/"}) || !isTrue(plan.Final.IgnoreQueryParameters, false) {
		t.Errorf("%+v", plan)
	}
	s, err := job.Status(t.Context())
	if err != nil || s.Usage.Calls != 1 || s.Usage.InputTokens != 100 || s.CreditsUsed != 2 {
		t.Errorf("%+v, %v", s, err)
	}
	m.reply = func(context.Context, llm.Request) (string, error) { return `{"limit":7}`, nil }
	again, err := e.StartCrawl(t.Context(), "a.example", o)
	if err != nil || again.ID() != job.ID() || m.count() != 1 {
		t.Errorf("the same request again: %+v, %v after %d calls", again, err, m.count())
	}
	o.Prompt = "the shop"
	if _, err := e.StartCrawl(t.Context(), "a.example", o); CodeOf(err) != CodeIdempotency {
		t.Errorf("another request with the key: %v", err)
	}
	plain, _ := crawled(t, e, "a.example", CrawlOptions{})
	if plan, err := plain.CrawlPlan(t.Context()); plan != nil || err != nil {
		t.Errorf("without a prompt: %+v, %v", plan, err)
	}
}

func TestCrawl_promptThatTheModelFailsOnIsAnError(t *testing.T) {
	e := webEngine(t, blogSite(), withModel(inTurn("no idea")))
	job, err := e.StartCrawl(t.Context(), "a.example", CrawlOptions{Prompt: "the blog"})
	if CodeOf(err) != CodeModelFailed || job != nil {
		t.Errorf("%+v, %v", job, err)
	}
	if all, err := e.Jobs(t.Context(), false); err != nil || len(all) != 0 {
		t.Errorf("%d jobs, %v", len(all), err)
	}
}

func TestCrawlParameters_theCallersOptionsStay(t *testing.T) {
	p := CrawlParameters{
		IncludePaths: []string{"a"}, ExcludePaths: []string{"b"}, MaxDepth: new(1), MaxDiscoveryDepth: new(2), CrawlEntireDomain: new(true),
		AllowExternalLinks: new(true), AllowSubdomains: new(true), Sitemap: SitemapOnly, IgnoreQueryParameters: new(true), IgnoreRobotsTxt: new(true),
		DeduplicateSimilarURLs: new(false), Delay: 2, Limit: 3,
	}
	all := parametersOf("u", p.Options(CrawlOptions{}))
	p.URL = "u"
	if !sameJSON(all, p) {
		t.Errorf("got %+v, want %+v", all, p)
	}
	own := CrawlOptions{
		IncludePaths: []string{"x"}, ExcludePaths: []string{"y"}, MaxDepth: new(0), MaxDiscoveryDepth: new(0), Sitemap: SitemapSkip,
		RobotsUserAgent: "me", DeduplicateSimilarURLs: new(true), Delay: time.Second, Limit: 9,
		CrawlEntireDomain: true, AllowExternalLinks: true, AllowSubdomains: true, IgnoreQueryParameters: true,
	}
	if got := p.Options(own); !sameJSON(got, own) {
		t.Errorf("got %+v, want %+v", got, own)
	}
}
