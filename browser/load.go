package browser

import (
	"context"
	"errors"
	"fmt"
	"mime"
	"net/http"
	"strings"
	"time"

	"github.com/playwright-community/playwright-go"

	"github.com/winnow-go/winnow/browser/internal/charset"
	"github.com/winnow-go/winnow/browser/internal/tab"
)

// load loads an address in a tab at rest. Shown is the time after which a document has to be there; 0 for none.
func (l *loader) load(ctx context.Context, address string, shown time.Duration) (*Navigation, error) {
	result := tab.Start(l.tab, func() (playwright.Response, error) {
		return l.tab.Page.Goto(address, playwright.PageGotoOptions{WaitUntil: playwright.WaitUntilStateLoad, Timeout: new(0.0)})
	})
	var unshown <-chan time.Time
	if shown > 0 {
		t := time.NewTimer(shown)
		defer t.Stop()
		unshown = t.C
	}
	return l.awaitLoad(ctx, address, result, unshown)
}

// begin forgets what came of the navigation before.
func (l *loader) begin() {
	l.documents.forget()
	l.download.Store(false)
	for _, token := range []chan struct{}{l.committed, l.broken} {
		select {
		case <-token:
		default:
		}
	}
}

// aborted reports that a request was given up for another one, which is no fault of its document.
func aborted(r playwright.Request) bool {
	err := r.Failure()
	return err == nil || strings.Contains(err.Error(), "ERR_ABORTED")
}

// A document that was cut off gets a moment for the answer of the call that loads it, and some more until its content is parsed.
const (
	brokenWait  = 200 * time.Millisecond
	brokenTries = 4
)

// awaitLoad waits for the load event; once the document has begun to arrive, no longer than LoadWait.
func (l *loader) awaitLoad(
	ctx context.Context, address string, result <-chan tab.Outcome[playwright.Response], unshown <-chan time.Time,
) (*Navigation, error) {
	var enough <-chan time.Time
	arrived, broken, waited := false, false, 0
	for {
		select {
		case r := <-result:
			if r.Err != nil {
				return l.failedLoad(ctx, address, r.Err)
			}
			return l.describe(ctx, false)
		case <-l.committed:
			if !arrived && !broken {
				t := time.NewTimer(l.loadWait(ctx))
				defer t.Stop()
				enough = t.C
			}
			if arrived, unshown = true, nil; broken {
				enough = time.After(brokenWait)
			}
		case <-l.broken:
			// Before the document is there, the call itself has the reason; after that nothing more of it will come, nor a load event.
			if broken = true; arrived {
				enough = time.After(brokenWait)
			}
		case <-enough:
			if waited++; broken && !l.domReady.Load() && waited < brokenTries {
				enough = time.After(brokenWait)
				continue
			}
			if !l.domReady.Load() {
				tab.Try(ctx, l.tab, time.Second, func() (any, error) { return l.tab.CDP.Send("Page.stopLoading", nil) })
			}
			return l.describe(ctx, true)
		case <-unshown:
			l.tab.Abort("load " + address)
			return nil, fmt.Errorf("load %s: %w", address, ErrUnshown)
		case <-ctx.Done():
			l.tab.Abort("load " + address)
			return nil, fmt.Errorf("load %s: %w", address, context.Cause(ctx))
		case <-l.tab.Browser.Dead():
			return nil, l.tab.Explain("load "+address, tab.ErrGone)
		}
	}
}

// loadWait leaves two fifths of the time for what comes after the load.
func (l *loader) loadWait(ctx context.Context) time.Duration {
	wait := l.opts.LoadWait
	if end, ok := ctx.Deadline(); ok {
		wait = min(wait, time.Until(end)*3/5)
	}
	return max(wait, 0)
}

// failedLoad distinguishes the errors of a load; some are answers.
func (l *loader) failedLoad(ctx context.Context, address string, err error) (*Navigation, error) {
	if l.tab.Gone(err) {
		return nil, l.tab.Explain("load "+address, err)
	}
	message, answer := err.Error(), l.documents.answer()
	net := netCode(message)
	switch {
	case l.download.Load() || strings.Contains(message, "Download is starting"):
		return nil, fmt.Errorf("load %s: %w", address, ErrDownload)
	case net == "ERR_INVALID_AUTH_CREDENTIALS":
		return l.answered(address, http.StatusUnauthorized), nil
	case net == "ERR_HTTP_RESPONSE_CODE_FAILURE" && answer != nil:
		return l.answered(address, answer.status), nil
	case net == "ERR_ABORTED" && answer != nil && (answer.status == http.StatusNoContent || answer.status == http.StatusResetContent):
		return l.answered(address, answer.status), nil
	case net == "ERR_ABORTED" && answer != nil && answer.response.Headers()["content-disposition"] != "":
		return nil, fmt.Errorf("load %s: %w", address, ErrDownload)
	case strings.Contains(message, "interrupted by another navigation"):
		return l.afterInterruption(ctx)
	case (net == "ERR_SOCKET_NOT_CONNECTED" || net == "ERR_ABORTED") && l.dies(ctx):
		return nil, l.tab.Explain("load "+address, tab.ErrGone)
	case strings.HasPrefix(net, "ERR_PROXY_") && l.leased:
		// It is on this machine: the browser has lost it, with its network service.
		return nil, l.tab.Explain("load "+address, fmt.Errorf("%w: %s", tab.ErrGone, net))
	case net != "":
		return nil, &NavigationError{URL: address, Net: net, Err: err}
	}
	return nil, &NavigationError{URL: address, Err: err}
}

// deathWait is how long after an unexplained failure the news of a death may come: a browser without its zygote takes seconds to end where
// the machine is busy.
const deathWait = 5 * time.Second

// dies waits a moment for the end of the browser or the page's renderer. A browser that is being killed may lose its sockets first,
// all of which lead to the proxy on this machine, and blame the site; a renderer takes the load that it waits for along.
func (l *loader) dies(ctx context.Context) bool {
	select {
	case <-l.tab.Browser.Dead():
		return true
	case <-l.tab.Dead():
		return true
	case <-ctx.Done():
	case <-time.After(deathWait):
	}
	return false
}

// answered is the navigation of an answer that the browser shows no document for.
func (l *loader) answered(address string, status int) *Navigation {
	if r := l.documents.answer(); r != nil {
		return answeredWith(r, l.documents.now().number)
	}
	return &Navigation{URL: address, Document: l.documents.now().number, Status: status, Header: http.Header{}, MediaType: "text/html", Empty: true}
}

// afterInterruption waits for the page that a script went to before the requested one was loaded, or after it.
func (l *loader) afterInterruption(ctx context.Context) (*Navigation, error) {
	if err := l.settled(ctx, l.loadWait(ctx)); err != nil {
		return nil, err
	}
	if err := l.waitLoad(ctx); err != nil {
		return nil, err
	}
	return l.describe(ctx, !l.domReady.Load())
}

// waitLoad waits for the load event of the document that is arriving, at most LoadWait.
func (l *loader) waitLoad(ctx context.Context) error {
	state := playwright.LoadStateLoad
	for end := time.Now().Add(l.loadWait(ctx)); time.Now().Before(end); {
		// The library may miss an event between looking and waiting, so it looks again often.
		err := tab.Run(ctx, l.tab, "wait for the load event", func() error {
			return l.tab.Page.WaitForLoadState(playwright.PageWaitForLoadStateOptions{State: state, Timeout: new(250.0)})
		})
		if err == nil || !errors.Is(err, playwright.ErrTimeout) {
			return err
		}
	}
	return nil
}

// withBody reads the body of an answer that isn't HTML: the document that is shown is only the browser's viewer for it.
func (l *loader) withBody(ctx context.Context, n *Navigation, response playwright.Response) (*Navigation, error) {
	wait := l.loadWait(ctx)
	if n.Partial {
		wait = min(wait, brokenWait) // it has been waited for
	}
	body, err, answered := tab.Try(ctx, l.tab, wait, response.Body)
	switch {
	case !answered && ctx.Err() != nil:
		return nil, fmt.Errorf("read the body of %s: %w", n.URL, context.Cause(ctx))
	case !answered:
		n.Partial = true
		return n, nil
	case err != nil:
		return nil, l.tab.Explain("read the body of "+n.URL, err)
	case int64(len(body)) > l.opts.MaxBody:
		return nil, fmt.Errorf("read the body of %s: %d bytes, over %d: %w", n.URL, len(body), l.opts.MaxBody, ErrTooLarge)
	}
	n.Body = charset.Sent(n.Header.Get("Content-Type"), body)
	return n, nil
}

// sent returns the header of the answer that the shown document came from, and its body; see [Page.Sent].
func (l *loader) sent(ctx context.Context) (http.Header, []byte, error) {
	shown := l.documents.now()
	if shown.reply == nil || shown.failed != "" {
		return nil, nil, nil
	}
	body, err, answered := tab.Try(ctx, l.tab, l.loadWait(ctx), shown.reply.response.Body)
	switch {
	case ctx.Err() != nil:
		return nil, nil, fmt.Errorf("read what was sent: %w", context.Cause(ctx))
	case !answered:
		return nil, nil, nil
	case err != nil && l.tab.Gone(err):
		return nil, nil, l.tab.Explain("read what was sent", err)
	case err != nil:
		return nil, nil, nil
	case int64(len(body)) > l.opts.MaxBody:
		return nil, nil, fmt.Errorf("read what was sent: %d bytes, over %d: %w", len(body), l.opts.MaxBody, ErrTooLarge)
	}
	header := headerOf(shown.reply.response)
	if contentType := header.Get("Content-Type"); contentType == "" || !isHTML(mediaType(header)) {
		body = charset.Sent(contentType, body)
	}
	return header, body, nil
}

// sameDocument compares addresses without fragments, and without user and password, which the browser takes off on the way.
func sameDocument(a, b string) bool { return documentPart(a) == documentPart(b) }

func documentPart(address string) string {
	address, _, _ = strings.Cut(address, "#")
	scheme, rest, ok := strings.Cut(address, "://")
	if !ok {
		return address
	}
	end := strings.IndexAny(rest, "/?")
	if end < 0 {
		end = len(rest)
	}
	return scheme + "://" + rest[strings.LastIndexByte(rest[:end], '@')+1:]
}

// headerOf turns the driver's joined headers into Go's form.
func headerOf(r playwright.Response) http.Header {
	h := http.Header{}
	for name, joined := range r.Headers() {
		for value := range strings.SplitSeq(joined, "\n") {
			h.Add(name, value)
		}
	}
	return h
}

func mediaType(h http.Header) string {
	t, _, err := mime.ParseMediaType(h.Get("Content-Type"))
	if err != nil || t == "" {
		return "text/html"
	}
	return t
}

func isHTML(media string) bool { return media == "text/html" || media == "application/xhtml+xml" }
