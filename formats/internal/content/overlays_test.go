package content

import (
	"strings"
	"testing"
)

const (
	beePage = "<h1>Bees</h1><p>Bees do not sleep in winter, although it looks as if they did. The hive is kept warm by thousands of them, which costs much honey.</p>"
	cookies = "<p>We use cookies to make this website better for you.</p><button>Accept all</button>"
)

func TestWithoutOverlays_leavesOut(t *testing.T) {
	for name, box := range map[string]string{
		"consent software":          `<div id="onetrust-consent-sdk"><p>Your privacy, 612 partners and us</p></div>`,
		"a consent dialog":          `<div role="dialog">` + cookies + `</div>`,
		"a modal of consent":        `<section aria-modal="true">` + cookies + `</section>`,
		"a closed dialog":           `<dialog>` + cookies + `</dialog>`,
		"a bar in its place":        `<div style="position: fixed; bottom: 0">` + cookies + `</div>`,
		"consent in French":         `<div role="alertdialog"><p>Nous utilisons des cookies.</p><a href="/no">Tout refuser</a></div>`,
		"consent in Japanese":       `<div role="dialog"><p>当サイトはクッキーを使用します。</p><button>同意する</button></div>`,
		"a named banner":            `<div class="site-cookie-banner"><p>Our bakery needs them.</p></div>`,
		"a name in camel case":      `<div id="CookieConsentBanner"><p>Our bakery needs them.</p></div>`,
		"a label":                   `<div role="region" aria-label="Cookie banner"><p>Our bakery needs them.</p></div>`,
		"a newsletter dialog":       `<div role="dialog"><h2>10 % off</h2><p>Be the first to know.</p><input type="email"><button>Go</button></div>`,
		"a named newsletter":        `<div class="newsletter-popup"><h2>Stay in the loop</h2></div>`,
		"an age gate":               `<div class="age-gate"><p>How old are you?</p></div>`,
		"a dialog for adults":       `<div aria-modal="true"><p>Are you 18 years or older?</p><button>Yes</button><button>No</button></div>`,
		"an age gate in German":     `<div role="dialog"><p>Sind Sie über 18 Jahre alt?</p><a href="#y">Ja</a></div>`,
		"an old browser":            `<p class="browserupgrade">You are using an <b>outdated</b> browser.</p>`,
		"an unsupported browser":    `<div class="unsupported-browser">Please get another one.</div>`,
		"a browser that is too old": `<div id="outdated"></div><div id="outdated-browser">Please update.</div>`,
	} {
		tr := tree(t, "<html><body>"+beePage+box+"</body></html>")
		if got, want := tr.Text(tr.WithoutOverlays(tr.NewMask())), tr.Text(tr.NewMask()); got == want || !strings.HasSuffix(got, "honey.") {
			t.Errorf("%s: got %q, want the text alone", name, got)
		}
	}
}

func TestWithoutOverlays_keeps(t *testing.T) {
	for name, page := range map[string]string{
		"a page in a dialog":        `<p>Loading</p><div role="dialog">` + beePage + cookies + `</div>`,
		"little else":               `<p>Bees</p><div id="cookie-banner">` + cookies + `</div>`,
		"a policy":                  `<nav>` + strings.Repeat("<a href=/x>About bees</a> ", 20) + `</nav><div class="cookie-notice"><h1>Cookies</h1>` + strings.Repeat("<p>We say here what we store, and why we do.</p>", 9) + `</div>`,
		"most of the words":         beePage + `<div class="cookie-dialog">` + strings.Repeat("<p>Butter, sugar and flour make a good cookie.</p>", 9) + `</div>`,
		"a recipe in a dialog":      beePage + `<div role="dialog"><h2>Honey cookie</h2><p>Butter, sugar, flour.</p><button>Close</button></div>`,
		"a size chart":              beePage + `<dialog><table><tr><td>Age</td><td>18</td></tr></table><button>Close</button></dialog>`,
		"a life in a dialog":        beePage + `<div role="dialog" aria-modal="true"><h2>Jane</h2><p>Jane has kept bees for 30 years.</p><button>Close</button></div>`,
		"a form to write to them":   beePage + `<div role="dialog"><p>Write to us</p><input type=email><textarea></textarea><button>Send</button></div>`,
		"a form to sign in":         beePage + `<div role="dialog"><p>Sign in</p><input type=email><input type=password><button>Go</button></div>`,
		"a text about cookies":      beePage + `<section>` + cookies + `</section>`,
		"a newsletter in the page":  beePage + `<section class="newsletter"><p>Get our letter.</p><input type=email></section>`,
		"a cookie bar to eat":       beePage + `<div class="product-cookie-bar"><p>Oats and honey.</p></div>`,
		"a browser that is praised": beePage + `<div class="browser"><p>It shows pages.</p></div>`,
		"a heading with a name":     beePage + `<h2 id="cookie-consent">Consent</h2><p>What it is.</p>`,
		"a link with a name":        beePage + `<p><a id="age-verification">Proof</a> is asked for.</p>`,
	} {
		tr := tree(t, "<html><body>"+page+"</body></html>")
		all := tr.NewMask()
		if got, want := tr.Text(tr.WithoutOverlays(all)), tr.Text(all); got != want {
			t.Errorf("%s: got %q, want all of %q", name, got, want)
		}
	}
}

func TestWithoutOverlays_leavesTheMaskAlone(t *testing.T) {
	tr := tree(t, beePage+`<div role=dialog>`+cookies+`</div>`)
	m := tr.NewMask()
	if out := tr.WithoutOverlays(m); &out[0] == &m[0] {
		t.Error("got the mask itself, want another one")
	}
	for i, left := range m {
		if left {
			t.Errorf("node %d is left out of the mask that was given", i)
		}
	}
}
