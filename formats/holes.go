package formats

import (
	"context"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/winnow-go/winnow/fetch/weburl"
	"github.com/winnow-go/winnow/formats/internal/css"
	"github.com/winnow-go/winnow/formats/internal/nodes"
	"github.com/winnow-go/winnow/formats/script"
)

// Hole is an element of a page that holds nothing, or only a sign that something is to come, and that scripts could fill.
type Hole struct {
	// Name is what it is known by: "#price", "tbody.stock", "post-list".
	Name string
	// Loader is the attribute or the element that says that a library fills it by itself: "hx-get", "x-for", "astro-island";
	// "" for all others.
	Loader string
	node   *html.Node
}

// PageScript is a script of a page that is run and is no known tracker, advertisement or widget.
type PageScript struct {
	Src    string // absolute; "" for an inline one
	Inline string
	Module bool
}

// Holes returns the places of the page that scripts could fill, in its order. Hidden ones, icons, forms and what is known to hold
// no content (carts, consent, advertisements, comments and the like) are left out. A body without HTML has none.
func (d *DOM) Holes(ctx context.Context) (_ []Hole, err error) {
	defer d.under(ctx).Catch(&err)
	if d.kind != kindHTML {
		return nil, nil
	}
	t, unseen := d.list()
	h := holeFinder{tree: t}
	for i := range t.Len() {
		d.steps.Visit()
		if n := t.Node(i); n.Type == html.ElementNode && !unseen[i] {
			h.look(i, n)
		}
	}
	return h.holes, nil
}

// Scripts returns the scripts of the page, in its order.
func (d *DOM) Scripts(ctx context.Context) (_ []PageScript, err error) {
	defer d.under(ctx).Catch(&err)
	var list []PageScript
	for n := range d.nodes() {
		if n.DataAtom != atom.Script || n.Namespace != "" || !runs(nodes.Attr(n, "type")) {
			continue
		}
		src, inline := scriptOf(n)
		if isTracker(src, inline) || isWidgetScript(src) {
			continue
		}
		s := PageScript{Inline: inline, Module: strings.EqualFold(nodes.Attr(n, "type"), "module")}
		if src != "" {
			s.Src, s.Inline = d.absolute(src), ""
		}
		if s.Src != "" || s.Inline != "" {
			list = append(list, s)
		}
	}
	return list, nil
}

// StyleHosts returns the hosts of the page's style sheets and of what it preloads, each once: they serve its bundles too.
func (d *DOM) StyleHosts(ctx context.Context) (_ []string, err error) {
	defer d.under(ctx).Catch(&err)
	var hosts []string
	for n := range d.nodes() {
		if n.DataAtom != atom.Link {
			continue
		}
		switch strings.ToLower(nodes.Attr(n, "rel")) {
		case "stylesheet", "modulepreload", "preload":
			if host := weburl.Host(d.absolute(nodes.Attr(n, "href"))); host != "" && !slices.Contains(hosts, host) {
				hosts = append(hosts, host)
			}
		}
	}
	return hosts, nil
}

// widgetScripts are parts of the addresses of scripts that add what is no content of the page: comments, chats, shares, captchas,
// payments, fonts, players and maps.
var widgetScripts = []string{
	"disqus.com", "recaptcha", "hcaptcha.com", "challenges.cloudflare.com", "js.stripe.com", "paypal.com/sdk", "platform.twitter.com",
	"connect.facebook.net", "apis.google.com", "accounts.google.com", "maps.googleapis.com", "use.typekit.net", "kit.fontawesome.com",
	"use.fontawesome.com", "player.vimeo.com", "youtube.com/iframe_api", "cdn.embedly.com", "embed.tawk.to", "crisp.chat", "giscus.app",
	"utteranc.es", "trustpilot.com", "klaviyo.com", "mailchimp.com", "list-manage.com", "sentry", "bugsnag", "newrelic", "polyfill",
}

func isWidgetScript(src string) bool {
	return src != "" && containsAny(strings.ToLower(src), widgetScripts)
}

// FilledBy returns the write of a script that fills the hole; false where none does.
func (h Hole) FilledBy(f script.Facts) (script.Write, bool) {
	for _, w := range f.Writes {
		if w.Source != script.Local && w.Place != "" && w.Place != "body" && h.is(w.Place) {
			return w, true
		}
	}
	for _, name := range f.Elements {
		if name == h.node.Data {
			return script.Write{Place: name, Source: script.Value}, true
		}
	}
	return script.Write{}, false
}

// is reports whether a selector names the hole. Selectors that can't be read name nothing.
func (h Hole) is(selector string) bool {
	s, err := css.Compile(selector)
	return err == nil && s.Over(nil).Match(h.node)
}

// MentionedBy reports whether a script has the name of the hole among its strings: its id, its element's name, a class, or a data
// attribute.
func (h Hole) MentionedBy(f script.Facts) bool {
	if id := nodes.Attr(h.node, "id"); id != "" && (f.Mentions(id) || f.Mentions("#"+id)) {
		return true
	}
	if strings.Contains(h.node.Data, "-") && f.Mentions(h.node.Data) {
		return true
	}
	for class := range strings.FieldsSeq(nodes.Attr(h.node, "class")) {
		if f.Mentions("." + class) {
			return true
		}
	}
	return false
}
