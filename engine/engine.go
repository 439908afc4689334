package engine

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"path/filepath"
	"runtime"
	"sync"
	"time"

	"github.com/winnow-go/winnow/browser"
	"github.com/winnow-go/winnow/browser/profile"
	"github.com/winnow-go/winnow/engine/internal/enrich"
	"github.com/winnow-go/winnow/engine/internal/jobs"
	"github.com/winnow-go/winnow/engine/internal/judge"
	"github.com/winnow-go/winnow/engine/internal/learnt"
	"github.com/winnow-go/winnow/engine/internal/locale"
	"github.com/winnow-go/winnow/engine/internal/monitoring/carrying"
	"github.com/winnow-go/winnow/engine/internal/page"
	"github.com/winnow-go/winnow/engine/internal/pagestore"
	"github.com/winnow-go/winnow/engine/internal/probe"
	"github.com/winnow-go/winnow/engine/internal/proxies"
	"github.com/winnow-go/winnow/engine/internal/queue"
	"github.com/winnow-go/winnow/engine/internal/render"
	"github.com/winnow-go/winnow/engine/internal/robotstxt"
	"github.com/winnow-go/winnow/engine/internal/scraping"
	"github.com/winnow-go/winnow/engine/internal/searchindex"
	"github.com/winnow-go/winnow/engine/internal/sessions"
	"github.com/winnow-go/winnow/engine/internal/spreading"
	"github.com/winnow-go/winnow/engine/internal/stores"
	"github.com/winnow-go/winnow/engine/internal/taping"
	"github.com/winnow-go/winnow/engine/internal/warm"
	"github.com/winnow-go/winnow/engine/internal/work"
	"github.com/winnow-go/winnow/fetch"
	"github.com/winnow-go/winnow/fetch/guard"
	"github.com/winnow-go/winnow/formats/document"
)

// Engine scrapes pages. Make one with [New], use it from as many goroutines as
// you like, and end it with Close. Two engines in one process share nothing, unless they are given one [SharedBrowser].
type Engine struct {
	options Options
	log     *slog.Logger
	now     func() time.Time

	client *fetch.Client
	guard  *guard.Guard
	// openGuard is for sessions without a sandbox: it can't see which process connects.
	openGuard *guard.Guard
	pool      *browser.Pool
	proxies   proxies.List
	pages     *page.Getter
	pageStore *pagestore.Store
	queue     *queue.Queue  // of scrapes that fetch
	patience  time.Duration // of scrapes without Timeout

	stores    *stores.Stores
	durable   *work.Runner // jobs that are kept
	ephemeral *work.Runner // jobs in memory only
	monitors  *carrying.Monitors
	hooks     *jobs.Sender
	spread    *spreading.Spreading // jobs over a cluster; nil: there is none
	readers   *queue.Queue         // of scrapes that are served from the cache
	rendered  *render.Cache
	robots    *robotstxt.Files
	scraper   *scraping.Scraper

	taped    *taping.Taping
	index    *searchindex.Index // of the cached pages
	sessions *sessions.Set
	live     *sessions.View
	counts   counts
	ready    *probe.Probe

	ctx    context.Context // ends with Close
	cancel context.CancelCauseFunc
	mu     sync.Mutex // orders begin and Close
	atWork sync.WaitGroup
	once   sync.Once
	err    error // of Close
}

// New makes an engine. It starts, installs and contacts nothing yet. An option
// that can't be honoured is a [CodeBadRequest] error.
func New(o Options) (*Engine, error) {
	if err := checkOptions(o); err != nil {
		return nil, failure(context.Background(), "new", "", err)
	}
	e := &Engine{options: withDefaults(o), patience: patience}
	e.ctx, e.cancel = context.WithCancelCause(context.Background())
	e.log, e.now = stores.Quiet(e.options.Logger), e.options.Now
	e.queue, e.readers = queue.New(e.options.MaxPages, e.now), queue.New(e.options.MaxPages, e.now)
	e.rendered = render.NewCache(e.options.Dir)
	e.ready = probe.New(readyAge, e.now)
	e.proxies = proxyList(e.options.Proxies)
	var err error
	if e.live, err = newLiveView(e.options); err != nil {
		return nil, failure(context.Background(), "new", "", err)
	}
	if e.taped, err = e.startTaping(); err != nil {
		return nil, failure(context.Background(), "new", "", err)
	}
	if e.client, err = fetch.New(e.fetchOptions()); err != nil {
		return e.abandon(err)
	}
	pool := e.poolOptions()
	if err := pool.Validate(); err != nil {
		return e.abandon(err)
	}
	e.pool = browser.NewPool(pool)
	e.guard = guard.New(e.guardOptions())
	e.openGuard = guard.New(e.taped.Guard(guard.Options{Dialer: e.client.Dialer(), Logger: e.log}))
	e.pages = e.newGetter()
	e.robots = robotstxt.New(robotstxt.Options{Client: e.client, Agent: e.pages.Agent, Proxy: e.proxies.Basic(""), Now: e.now})
	if e.stores, err = stores.Open(storeOptions(e.options, o.Now)); err != nil {
		return e.abandon(err)
	}
	e.pageStore = &pagestore.Store{Pages: e.stores.Pages, Log: e.log, Now: e.now}
	if err := e.attachIndex(); err != nil {
		_, failed := e.abandon(err)
		return nil, errors.Join(failed, e.stores.Close())
	}
	e.sessions = sessions.New(e.sessionOptions())
	e.scraper = e.newScraper()
	if isTrue(e.options.RenderLearning, true) {
		e.pages.Learnt = learnt.New(e.stores.Learnt, e.log, e.now)
	}
	if err := errors.Join(e.startJobs(), e.sessions.CloseOrphans()); err != nil {
		return nil, errors.Join(failure(context.Background(), "new", "", err), e.Close())
	}
	return e, nil
}

// abandon undoes what New has begun when it fails.
func (e *Engine) abandon(err error) (*Engine, error) {
	if e.client != nil {
		e.client.Close()
	}
	e.taped.Discard()
	return nil, failure(context.Background(), "new", "", err)
}

func (e *Engine) startTaping() (*taping.Taping, error) {
	return taping.Start(e.options.Record, e.options.Replay, taping.Engine{
		Judges: e.options.FilterInProxy, Authority: e.options.Browser.authority(),
		ZeroDataRetention: e.options.AllowZeroDataRetention, Remote: e.browserOptions().ConnectURL != "", Hosts: len(e.options.Hosts) > 0,
		TLS: e.options.TLS, Credentials: e.options.Credentials, Log: e.log, Now: e.now})
}

func checkOptions(o Options) error {
	_, rules := renderRules(o.RenderRules)
	if err := cmp.Or(o.Render.validate("Render"), checkConfidence("MinConfidence", o.MinConfidence), rules, proxyList(o.Proxies).Check(o.ProxyPolicy),
		page.NewBlocker(o.FilterLists, o.FilterInProxy, o.Logger).Check(), o.Browser.checkShared(), o.Browser.checkInstall()); err != nil {
		return err
	}
	for i, n := range []int64{int64(o.MaxPages), int64(o.MaxSessions), o.MaxBytes, o.MaxFileMemory, o.JobMemory} {
		if n < 0 {
			field := []string{"MaxPages", "MaxSessions", "MaxBytes", "MaxFileMemory", "JobMemory"}[i]
			return &OptionError{Field: field, Value: n, Want: "0 (the default) or more"}
		}
	}
	return cmp.Or(enrich.CheckModel(o.Model), searchindex.Check(o.Search), spreading.Check(o.Cluster), storeOptions(o, nil).Check())
}

const defaultMaxBytes = 50 << 20

// maxScriptFacts is how many bytes what was learnt of sites' scripts may take in memory.
const maxScriptFacts = 16 << 20

func withDefaults(o Options) Options {
	if o.OCR == nil {
		o.OCR = document.FindTesseract()
	}
	o.Render = cmp.Or(o.Render, RenderAuto)
	o.MaxBytes = cmp.Or(o.MaxBytes, defaultMaxBytes)
	if o.MaxPages == 0 {
		o.MaxPages = queue.DefaultSlots()
	}
	if o.Model != nil {
		o.Model = enrich.Guarded(o.Model)
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	return o
}

func (e *Engine) fetchOptions() fetch.Options {
	return e.taped.Client(fetch.Options{
		Policy:    &e.options.Policy,
		UserAgent: e.options.UserAgent, MaxBytes: e.options.MaxBytes,
		EnvironmentProxy: e.options.EnvironmentProxy,
		Hosts:            e.options.Hosts,
		Authority:        e.options.Browser.authority(),
		Resolver:         e.options.Resolver, DialContext: e.options.DialContext,
		Logger: e.log, OnReplay: e.options.OnReplay,
	})
}

func (e *Engine) poolOptions() browser.Options {
	o := browser.Options{}
	if shared := e.options.Browser.Shared; shared != nil {
		o.Shared = shared.browsers
	} else {
		o = e.launchOptions()
	}
	o.MaxPages, o.Usual, o.Logger, o.AcquireProxy = e.options.MaxPages, e.usualPage(), e.log, e.acquireProxy
	return o
}

// launchOptions are how a browser for the engine is started.
func (e *Engine) launchOptions() browser.Options {
	o := e.browserOptions().launchOptions(e.log)
	o.Pin = e.pin()
	return o
}

// browserOptions are those of the browser that the engine uses.
func (e *Engine) browserOptions() BrowserOptions {
	if shared := e.options.Browser.Shared; shared != nil {
		return shared.options
	}
	return e.options.Browser
}

// newGetter makes what gets pages.
func (e *Engine) newGetter() *page.Getter {
	rules, _ := renderRules(e.options.RenderRules) // which have been checked
	return &page.Getter{
		Client: e.client, Pool: e.pool, Tabs: warm.New(e.pool, e.options.MaxPages),
		Blocker: page.NewBlocker(e.options.FilterLists, e.options.FilterInProxy, e.log),
		Scripts: judge.NewLibrary(maxScriptFacts, e.now), Rules: rules,
		Profiles: profile.Open(e.folder("profiles")), UserAgent: e.options.UserAgent, MaxBytes: e.options.MaxBytes, AssetDir: e.options.AssetDir,
		OnPage: reporter(e.options.OnPage), OnLivePage: e.options.OnLivePage, Now: e.now, Script: e.taped.Script(e.options.PageScript),
	}
}

// newScraper joins what scrapes go through.
func (e *Engine) newScraper() *scraping.Scraper {
	return &scraping.Scraper{
		Client: e.client, Getter: e.pages, Store: e.pageStore, Queue: e.queue, Readers: e.readers, Rendered: e.rendered, Robots: e.robots,
		Layouts: enrich.NewLayouts(e.stores.Layouts, e.log, e.now), History: e.stores.History, Visibility: e.visibility,
		Log: e.log, Now: e.now, Desk: page.NewDesk(runtime.GOMAXPROCS(0)),
	}
}

// reporter hands reports to the embedder's function; nil for none.
func reporter(onPage func(PageReport)) func(page.Report) {
	if onPage == nil {
		return nil
	}
	return func(r page.Report) { onPage(PageReport(r)) }
}

// acquireProxy returns a lease of the guard for one page, which closes it.
func (e *Engine) acquireProxy() (browser.ProxyLease, error) {
	lease, err := e.guard.Lease(guard.LeaseOptions{})
	if err != nil {
		return browser.ProxyLease{}, err
	}
	return browser.ProxyLease{Addr: lease.URL(), Handle: lease, Close: func() { lease.Close() }}, nil
}

// usualPage is what a scrape without options of its own asks for: pages are made
// ahead for it.
func (e *Engine) usualPage() browser.PageOptions {
	return browser.PageOptions{
		UserAgent: e.options.UserAgent, SkipTLSVerify: true,
		Locale: locale.Plain.Tag, Languages: locale.Plain.Languages,
	}
}

// guardOptions let only the browser's processes use the guard; those of a remote browser are unknown.
func (e *Engine) guardOptions() guard.Options {
	o := guard.Options{Dialer: e.client.Dialer(), MaxBytes: 2 * e.options.MaxBytes, Logger: e.log}
	if e.browserOptions().ConnectURL == "" {
		o.Peer = e.pool.Pids
	}
	return e.taped.Guard(o)
}

// pin is the key of the authority that vouches for virtual hosts, for the browser to
// trust; a remote browser can't be set up for it.
func (e *Engine) pin() string {
	if v := e.client.Virtual(); v != nil && e.browserOptions().ConnectURL == "" {
		return v.Pin()
	}
	return e.taped.Pin("")
}

// folder is where one kind of thing is kept; "" is in memory.
func (e *Engine) folder(name string) string {
	if e.options.Dir == "" {
		return ""
	}
	return filepath.Join(e.options.Dir, name)
}

// begin registers a piece of work: the context it gets ends with the engine, and
// Close waits for done.
func (e *Engine) begin(ctx context.Context) (_ context.Context, done func(), err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.ctx.Err() != nil {
		return nil, nil, ErrClosed
	}
	e.atWork.Add(1)
	ctx, cancel := context.WithCancelCause(ctx)
	forget := context.AfterFunc(e.ctx, func() { cancel(ErrClosed) })
	return ctx, func() { forget(); cancel(nil); e.atWork.Done() }, nil
}

// Close ends running scrapes with [ErrClosed], waits for them, and leaves no
// process, goroutine, temporary file or lock behind. It can be called more than
// once; every call waits and gives the same result. The error says what could not be written, where the disk is full for example; jobs
// that are unfinished go on with the next engine on the folder.
func (e *Engine) Close() error {
	e.once.Do(func() {
		left := e.spread.Close()
		e.mu.Lock()
		e.cancel(ErrClosed)
		e.mu.Unlock()
		e.atWork.Wait()
		e.err = errors.Join(
			left, e.sessions.Close(), e.live.Close(), e.pages.Tabs.Close(), e.pool.Close(), e.guard.Close(), e.openGuard.Close(),
			e.durable.Close(), e.ephemeral.Close(), e.index.Close(), e.stores.Close(), e.rendered.Close(),
		)
		e.hooks.Close()
		e.client.Close()
		e.err = errors.Join(e.err, e.taped.Close())
	})
	return e.err
}
