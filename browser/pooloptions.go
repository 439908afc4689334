package browser

import (
	"encoding/base64"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"runtime"
	"slices"
	"time"

	"github.com/winnow-go/winnow/browser/internal/install"
	"github.com/winnow-go/winnow/browser/internal/instance"
)

// A browser is replaced after so many contexts, when it is so old, or when it and its driver are so big: both grow slowly.
const (
	defaultMaxContexts = 1000
	defaultMaxAge      = 30 * time.Minute
	defaultMaxMemory   = 1500 << 20
)

// Options of a pool. The zero value works.
type Options struct {
	// Install controls where driver and browser come from.
	Install InstallOptions
	// Headless is the kind of browser: "shell", the headless shell, 3 to 4 times faster, with a full build where there is none;
	// "new": a full build only, closer to the browsers of people. Empty is "shell".
	Headless string
	// ConnectURL is a browser that runs elsewhere, instead of one on this machine: a Playwright server of the driver's version
	// ("ws:", "wss:"), or a DevTools endpoint ("http:", "https:", or "ws:" with a path of /devtools/browser/). Only the driver is
	// installed then. What needs the browser's own command line is unavailable: Args, Pin, Headless and NoSandbox are refused, its
	// memory isn't watched, and WebRTC, QUIC and its own traffic are as its owner started it. The proxy of each page is set all the
	// same, and must be reachable from there; a page without one gets GuardURL. MaxContexts and MaxAge make a new connection. After
	// the sudden end of the driver, a Playwright server's calls that were under way leave a goroutine each: the library can't free
	// them.
	ConnectURL string
	// NoSandbox switches Chromium's own sandbox off. For root it works only where bubblewrap is installed and works; elsewhere it is off
	// for root, with a warning in the log.
	NoSandbox bool
	// Args are further switches of the browser. Those that would weaken proxy, resolver, certificates or sandbox are refused.
	Args []string
	// Pin is a certificate authority that every page trusts beside the system's: the base64 SHA-256 hash of its public key. Empty: none.
	Pin string
	// MaxPages is how many pages may be open at once. Further calls of Open are queued until their ctx ends. 0: twice the cores.
	MaxPages int
	// MaxContexts is how many contexts a browser serves before it is replaced by a new one. 0: 1000.
	MaxContexts int
	// MaxAge is how old a browser gets before it is replaced. 0: 30 minutes.
	MaxAge time.Duration
	// MaxMemory is how many bytes browser and driver may hold together, shared pages counted by share, before they are replaced. It is looked
	// at every few seconds, on Linux only. 0: 1500 MiB.
	MaxMemory int64
	// Logger is silent by default.
	Logger *slog.Logger
	// GuardURL is the proxy of the browser itself and of pages that have none of their own, "http://127.0.0.1:port".
	// Empty: a dead address, so that nothing leaves the browser un-proxied.
	GuardURL string
	// AcquireProxy returns a proxy for each page whose PageOptions name none; Page.Proxy returns its handle. It is called from any
	// goroutine, not more often than pages are made. With it one page is prepared ahead, during Prepare and WaitReady, beside those
	// that MaxPages counts: making one takes longer than many a load. Nil: GuardURL, and nothing is made ahead.
	AcquireProxy func() (ProxyLease, error)
	// Usual are the options of most pages; the page that is made ahead has them. Only those count that can't be changed later: UserAgent,
	// Locale, Languages, Timezone, Geolocation, Mobile, SkipTLSVerify and Viewport. The zero value stands for the zero PageOptions.
	Usual PageOptions

	// Shared are browsers that several pools use. All that concerns the browser itself is set there: Install, Headless, ConnectURL, NoSandbox,
	// Args, Pin, MaxContexts, MaxAge, MaxMemory and GuardURL are refused here. Nil: the pool has browsers of its own.
	Shared *Shared

	seams poolSeams
}

// poolSeams replace clocks in tests.
type poolSeams struct {
	now         func() time.Time
	memoryEvery time.Duration
	beat        time.Duration // 0: beatEvery
	probeAfter  time.Duration // negative: at once; 0: probeAfter
}

// Validate returns the first invalid option as an *OptionError or *ArgError. It checks nothing outside: a missing browser
// is an error of Prepare.
func (o Options) Validate() error {
	if !slices.Contains([]string{"", "shell", "new"}, o.Headless) {
		return &OptionError{"Headless", o.Headless, `"shell" or "new"`}
	}
	if err := checkArgs(o.Args); err != nil {
		return err
	}
	if hash, err := base64.StdEncoding.DecodeString(o.Pin); o.Pin != "" && (err != nil || len(hash) != 32) {
		return &OptionError{"Pin", o.Pin, "the base64 SHA-256 hash of a public key"}
	}
	if o.GuardURL != "" {
		if err := checkProxy("GuardURL", o.GuardURL); err != nil {
			return err
		}
	}
	if err := errors.Join(o.checkShared(), o.checkLimits()); err != nil {
		return err
	}
	if _, err := o.Usual.resolve(); err != nil {
		return err
	}
	return o.checkConnect()
}

func (o Options) checkLimits() error {
	for _, limit := range []struct {
		field string
		value int64
	}{{"MaxPages", int64(o.MaxPages)}, {"MaxContexts", int64(o.MaxContexts)}, {"MaxAge", int64(o.MaxAge)}, {"MaxMemory", o.MaxMemory}} {
		if limit.value < 0 {
			return &OptionError{limit.field, fmt.Sprint(limit.value), "0 (the default) or more"}
		}
	}
	return nil
}

// checkShared refuses what only the owner of shared browsers decides.
func (o Options) checkShared() error {
	if o.Shared == nil {
		return nil
	}
	i := o.Install
	for field, set := range map[string]bool{
		"Install":  i.Executable != "" || i.DriverDir != "" || i.CacheDir != "" || i.Mode != "" || i.System || i.Progress != nil,
		"Headless": o.Headless != "", "ConnectURL": o.ConnectURL != "", "NoSandbox": o.NoSandbox, "Args": len(o.Args) > 0, "Pin": o.Pin != "",
		"MaxContexts": o.MaxContexts != 0, "MaxAge": o.MaxAge != 0, "MaxMemory": o.MaxMemory != 0, "GuardURL": o.GuardURL != "",
	} {
		if set {
			return &OptionError{field, "set", "nothing together with Shared: it is an option of the browsers that are shared"}
		}
	}
	return nil
}

func (o Options) checkConnect() error {
	if o.ConnectURL == "" {
		return nil
	}
	u, err := url.Parse(o.ConnectURL)
	if err != nil || u.Host == "" || !slices.Contains([]string{"ws", "wss", "http", "https"}, u.Scheme) {
		return &OptionError{"ConnectURL", instance.Redacted(o.ConnectURL), "ws://, wss://, http:// or https:// and a host"}
	}
	for field, set := range map[string]bool{
		"Args": len(o.Args) > 0, "Pin": o.Pin != "", "NoSandbox": o.NoSandbox, "Headless": o.Headless != "",
	} {
		if set {
			return &OptionError{field, "set", "nothing together with ConnectURL: the browser runs already"}
		}
	}
	return nil
}

// withDefaults fills in what is zero.
func (o Options) withDefaults() Options {
	if o.seams.now == nil {
		o.seams.now = time.Now
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.Install.Logger == nil {
		o.Install.Logger = o.Logger
	}
	if o.Headless == "new" {
		o.Install.kind = install.FullKind
	}
	if o.ConnectURL != "" {
		o.Install.kind = install.NoKind
	}
	u := o.Usual
	o.Usual, _ = PageOptions{
		UserAgent: agentOf(u), Locale: u.Locale, Languages: u.Languages, Timezone: u.Timezone, Geolocation: u.Geolocation,
		Mobile: u.Mobile, SkipTLSVerify: u.SkipTLSVerify, Viewport: u.Viewport,
	}.resolve() // Validate has seen the error
	if o.MaxPages <= 0 {
		o.MaxPages = 2 * runtime.GOMAXPROCS(0)
	}
	if o.MaxContexts <= 0 {
		o.MaxContexts = defaultMaxContexts
	}
	if o.MaxAge <= 0 {
		o.MaxAge = defaultMaxAge
	}
	if o.MaxMemory <= 0 {
		o.MaxMemory = defaultMaxMemory
	}
	if o.GuardURL == "" {
		o.GuardURL = deadProxy
	}
	return o
}
