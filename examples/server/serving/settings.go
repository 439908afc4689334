package serving

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"time"

	"github.com/winnow-go/winnow/engine"
	"github.com/winnow-go/winnow/llm"
)

// settings are the command line.
type settings struct {
	addr, baseURL     string
	tlsCert, tlsKey   string
	keys, newKey      string
	cache             string // the engine's folder
	searxng           string
	origins           []string // of pages whose scripts may call the server
	proxyValues       []string
	proxies           []engine.Proxy // of proxyValues
	metrics, profiles string         // addresses of their own
	logFormat         string
	logLevel          slog.Level
	grace             time.Duration
	demo              bool
	allowPrivate      bool
	unsandboxed       bool
	system            bool
	render            engine.Render
	minConfidence     float64
	model             llm.OpenAIOptions
}

const defaultAddr = "127.0.0.1:3002"

func parse(name string, args []string, usage io.Writer) (settings, error) {
	var s settings
	flags := flag.NewFlagSet(name, flag.ContinueOnError)
	flags.SetOutput(io.Discard) // main prints the error, once
	s.declare(flags)
	if err := flags.Parse(args); err != nil {
		if err == flag.ErrHelp {
			printUsage(flags, usage)
		}
		return s, err
	}
	if flags.NArg() > 0 {
		return s, fmt.Errorf("want flags only: got %q", flags.Args())
	}
	if err := emptyOnes(flags); err != nil {
		return s, err
	}
	s.model.Key = os.Getenv("OPENAI_API_KEY")
	var err error
	s.proxies, err = parseProxies(s.proxyValues)
	return s, errors.Join(err, s.check(), s.placeCache())
}

func (s *settings) declare(flags *flag.FlagSet) {
	flags.StringVar(&s.addr, "addr", defaultAddr, "`host:port` to listen on; port 0 is a free one")
	flags.StringVar(&s.baseURL, "base-url", "", "`URL` under which clients find this server, without a path; status and live view URLs begin with it (default: the address)")
	flags.StringVar(&s.tlsCert, "tls-cert", "", "`file` with the certificates (PEM); with -tls-key the server speaks HTTPS and HTTP/2")
	flags.StringVar(&s.tlsKey, "tls-key", "", "`file` with the certificate's key (PEM)")
	flags.StringVar(&s.keys, "keys", "", "`file` of keys, one a line (default: no key is needed, on loopback addresses only)")
	flags.StringVar(&s.newKey, "new-key", "", "make a key for this `team`: its line for the file goes to stdout, the key itself to stderr; then exit")
	flags.StringVar(&s.cache, "cache", "", "`path` of the cache: a folder, made when missing, or a cache.db in it; jobs, records and profiles lie beside (empty: in memory)")
	flags.BoolVar(&s.demo, "demo", false, "serve the built-in sites too; their names are printed at the start")
	flags.BoolVar(&s.allowPrivate, "allow-private", false, "let requests reach local or private addresses")
	flags.Func("proxy", "`URL[,tier][,country][,resolve]` of a proxy for pages: the tier basic (default) or enhanced, the country of two letters, resolve where it resolves names; again for further ones", func(v string) error {
		s.proxyValues = append(s.proxyValues, v) // they are read later: the flag package's error would repeat a password
		return nil
	})
	flags.Func("origin", "`origin` of web pages, such as https://app.example, whose scripts may call this server (CORS), or * for all, with a key alone; again for further ones", func(v string) error {
		s.origins = append(s.origins, v)
		return nil
	})
	flags.BoolVar(&s.unsandboxed, "allow-unsandboxed", false, "let sessions run code without a sandbox: it then has the rights of this program")
	flags.BoolVar(&s.system, "system", false, "let the package manager install what is missing (as root on Debian or Ubuntu)")
	flags.Func("render", "auto, always or never in a browser, for requests that don't set it (default auto)", func(v string) error {
		s.render = engine.Render(v)
		return nil
	})
	flags.Float64Var(&s.minConfidence, "min-confidence", 0, "the `confidence`, 0 to 1, below which a page that seems whole without a browser is rendered all the same, for requests that don't set it")
	flags.StringVar(&s.model.BaseURL, "model-url", "", "`URL` of a server that speaks chat completions, up to /v1; empty: OPENAI_BASE_URL, then the public service, where -model is set")
	flags.StringVar(&s.model.Model, "model", "", "`name` of the model there; the key is taken from OPENAI_API_KEY")
	flags.BoolVar(&s.model.Local, "model-local", false, "the model runs on your own machine: lockdown and zero data retention may call it")
	flags.StringVar(&s.searxng, "searxng", "", "`URL` of a SearXNG server to search with (default: an index of the cached pages)")
	flags.StringVar(&s.metrics, "metrics-addr", "", "`host:port` for /metrics alone (default: the main address where no key is needed, else nowhere)")
	flags.StringVar(&s.profiles, "pprof", "", "`host:port` for /debug/pprof/ alone, on a loopback address (default: off)")
	flags.StringVar(&s.logFormat, "log", "text", "text or json, on stderr")
	flags.TextVar(&s.logLevel, "log-level", slog.LevelInfo, "debug, info, warn or error")
	flags.DurationVar(&s.grace, "grace", 10*time.Second, "time that requests have to end when the server is stopped")
}

// emptyOnes refuses flags that are given but empty, as of an unset variable in a shell, where leaving them out means something else:
// without -keys no key is needed, without -new-key the server starts.
func emptyOnes(flags *flag.FlagSet) (err error) {
	flags.Visit(func(f *flag.Flag) {
		if (f.Name == "keys" || f.Name == "new-key") && f.Value.String() == "" {
			err = fmt.Errorf("-%s is given but empty", f.Name)
		}
	})
	return err
}

func printUsage(flags *flag.FlagSet, to io.Writer) {
	fmt.Fprintf(to, "usage: %s [flags]\n\nWith -demo it serves built-in sites too, to try it without a network.\n\n", flags.Name())
	flags.SetOutput(to)
	flags.PrintDefaults()
}

// check refuses invalid settings; the engine checks its own.
func (s *settings) check() error {
	if s.logFormat != "text" && s.logFormat != "json" {
		return fmt.Errorf("-log %q: want text or json", s.logFormat)
	}
	if s.grace < 0 {
		return fmt.Errorf("-grace %v: want 0s or more", s.grace)
	}
	for _, origin := range s.origins {
		if u, err := url.Parse(origin); origin != "*" && (err != nil || u.Host == "" || u.Scheme+"://"+u.Host != origin) {
			return fmt.Errorf("-origin %q: want * or a scheme and a host, such as https://app.example", origin)
		}
	}
	if (s.tlsCert == "") != (s.tlsKey == "") {
		return errors.New("-tls-cert and -tls-key go together")
	}
	if s.baseURL == "" {
		return nil
	}
	u, err := url.Parse(s.baseURL)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" || u.User != nil || u.Path != "" && u.Path != "/" || u.RawQuery != "" || u.Fragment != "" {
		return fmt.Errorf("-base-url %q: want http or https, a host and nothing after it", s.baseURL)
	}
	return nil
}

// cacheFile is the name of the engine's file of pages.
const cacheFile = "cache.db"

// placeCache makes the folder of the path that was given.
func (s *settings) placeCache() error {
	if s.cache == "" {
		return nil
	}
	dir := s.cache
	if filepath.Base(dir) == cacheFile {
		dir = filepath.Dir(dir)
	}
	if info, err := os.Stat(dir); err == nil && !info.IsDir() {
		return fmt.Errorf("-cache %s: it is a file; want a folder, or a path that ends in %s", s.cache, cacheFile)
	}
	var err error
	s.cache, err = filepath.Abs(dir)
	return err
}

// asksModel reports whether a model is wanted.
func (s *settings) asksModel() bool { return s.model.BaseURL != "" || s.model.Model != "" }

func (s *settings) logger(to io.Writer) *slog.Logger {
	o := &slog.HandlerOptions{Level: s.logLevel}
	if s.logFormat == "json" {
		return slog.New(slog.NewJSONHandler(to, o))
	}
	return slog.New(slog.NewTextHandler(to, o))
}
