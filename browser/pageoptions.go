package browser

import (
	"encoding/json"
	"fmt"
	"math"
	"time"

	"github.com/winnow-go/winnow/actions"
)

// PageOptions of one page. The zero value is a desktop Chrome of the browser's real version, in English, with the machine's timezone.
type PageOptions struct {
	// Proxy is the proxy of this page alone, "http://127.0.0.1:port". Defaults to the pool's GuardURL.
	Proxy string
	// UserAgent defaults to that of a Chrome of the browser's real version. A User-Agent in Headers wins.
	UserAgent string
	// Locale is a BCP 47 tag such as "de-DE". Defaults to the first of Languages, else "en-US".
	Locale string
	// Timezone is an IANA name such as "Europe/Berlin". Defaults to the machine's.
	Timezone string
	// Languages are the page's languages in order of preference. Defaults to Locale and its language. Where Headers has an
	// Accept-Language, its tags stand in for both.
	Languages []string
	// Mobile makes the page a phone, a Pixel 8: its agent, client hints, touch, viewport and pixel ratio.
	Mobile bool
	// Geolocation is the position that the page gets on request; it then has permission. Nil: it has no permission.
	Geolocation *Geolocation
	// SkipTLSVerify accepts any certificate.
	SkipTLSVerify bool
	// Viewport defaults to 1280x800, with Mobile to 412x915, that of a Pixel 8.
	Viewport Viewport
	// Headers are the caller's. They go to HeaderOrigin's own origin only; without a HeaderOrigin, to that of the first Goto.
	// User-Agent is set for every request, Cookie is for the own origin too.
	Headers map[string]string
	// HeaderOrigin is a URL whose origin alone gets Headers. http on port 80 and https on port 443 of one host are the same here.
	HeaderOrigin string
	// LoadWait is how long Goto waits for the load event after the page has begun to arrive, at most three fifths of the time that ctx
	// leaves. Defaults to 15 s.
	LoadWait time.Duration
	// MaxBody is the most bytes of a body that isn't HTML, and of Content. Defaults to 50 MiB.
	MaxBody int64
	// MaxDownload is the most bytes of one file that actions have the browser save; see [Acting.Effects]. All other downloads are refused,
	// also those of a session that its code or people begin. 0: all are.
	MaxDownload int64
	// Block are patterns of addresses that the browser doesn't request, "*" standing for anything: "*://ads.example/*". At most 10000.
	Block []string
	// Judge decides about requests one by one. Nil: none is judged. A session can't have one.
	Judge *Judge
	// Skip are kinds of resources that are not loaded: "image", "font", "media". They are recognized by the ending of their address.
	Skip []string
	// Hide are CSS selectors. Matching elements are neither shown nor part of Content. An invalid selector hides nothing. At most 50000.
	Hide []string
	// Script runs before the scripts of every document of the page's context: in frames and in tabs that the page opens, too, but not in
	// workers.
	Script string
	// Consent makes WaitReady deal with cookie banners: it rejects where it can, and hides what still covers the page. See Handled.
	Consent bool
	// State are the cookies, localStorage and IndexedDB that the page begins with, as returned by State or by Session.State, of which
	// sessionStorage is put back with the first Goto. It is checked when the page is opened.
	State []byte
}

// Geolocation is a place on earth, in degrees: latitude -90 to 90, longitude -180 to 180.
type Geolocation struct{ Latitude, Longitude float64 }

// The maximum lengths of the lists of PageOptions.
const (
	maxBlock = 10_000
	maxHide  = 50_000
)

// checkContents checks the fields of PageOptions that concern a page's contents.
func (o *PageOptions) checkContents() error {
	if g := o.Geolocation; g != nil && (math.Abs(g.Latitude) > 90 || math.Abs(g.Longitude) > 180) {
		return &OptionError{"Geolocation", fmt.Sprint(*g), "latitude -90 to 90, longitude -180 to 180"}
	}
	for _, kind := range o.Skip {
		if skipEndings[kind] == nil {
			return &OptionError{"Skip", kind, "image, font or media"}
		}
	}
	switch {
	case len(o.Block) > maxBlock:
		return &OptionError{"Block", fmt.Sprint(len(o.Block)), fmt.Sprintf("at most %d patterns", maxBlock)}
	case len(o.Hide) > maxHide:
		return &OptionError{"Hide", fmt.Sprint(len(o.Hide)), fmt.Sprintf("at most %d selectors", maxHide)}
	case len(o.State) > 0 && !json.Valid(o.State):
		return &OptionError{"State", fmt.Sprintf("%d bytes", len(o.State)), "a value of Page.State"}
	}
	return nil
}

// Viewport is the size of a window in CSS pixels.
type Viewport = actions.Viewport

const (
	defaultLoadWait = 15 * time.Second
	defaultMaxBody  = 50 << 20
	maxViewport     = 8000
)
