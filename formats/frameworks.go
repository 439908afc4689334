package formats

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/winnow-go/winnow/formats/internal/nodes"
)

// mountIDs are the ids of nodes that frameworks fill by custom.
var mountIDs = nodes.Names("root", "app", "__next", "__nuxt", "___gatsby", "svelte", "app-root", "react-root", "application", "main-app", "app-container",
	"react-app", "vue-app", "q-app", "ember-app", "spa", "mount", "app-mount")

// mountName is the id, else the tag, of a node that scripts fill; "" for all others.
func mountName(n *html.Node) string {
	if id := nodes.Attr(n, "id"); mountIDs[id] && n.DataAtom != atom.Body && n.DataAtom != atom.Html && n.DataAtom != atom.Script {
		return id
	}
	switch n.Data {
	case "app-root", "ng-app", "my-app":
		return n.Data
	}
	if _, ok := nodes.Lookup(n, "ng-version"); ok {
		return n.Data
	}
	return ""
}

// marks looks for what frameworks, skeletons and walls leave on elements.
func (s *signalReader) marks(n *html.Node) {
	switch n.Data {
	case "app-root":
		s.framework("angular", 3)
	case "astro-island":
		s.framework("astro", 3)
		s.hydratable = true
	}
	for i := range n.Attr {
		s.attribute(n.Attr[i].Key, n.Attr[i].Val)
	}
}

func (s *signalReader) attribute(key, val string) {
	switch key {
	case "id":
		s.framework(frameworkOfID(val))
		s.wall(wallIDs[val])
	case "class":
		s.class(val)
	case "ng-version", "ng-app", "data-ng-app", "ng-controller":
		s.framework("angular", 3)
	case "ng-server-context":
		s.framework("angular", 3)
		s.hydratable = true
	case "data-reactroot", "data-reactid":
		s.framework("react", 2)
		s.hydratable = true
	case "data-server-rendered", "data-ssr":
		s.framework("vue", 2)
		s.hydratable = true
	case "data-v-app", "v-cloak":
		s.framework("vue", 2)
	case "data-sveltekit-preload-data", "data-sveltekit-hydrate":
		s.framework("svelte", 3)
	case "q:container":
		s.framework("qwik", 3)
		s.hydratable = true
	case "data-hk":
		s.framework("solid", 2)
		s.hydratable = true
	case "aria-busy":
		if val == "true" {
			s.LazyContent++
		}
	}
}

// lazyNames are class names of what stands for content to come.
var lazyNames = nodes.Names("skeleton", "skeleton-loader", "shimmer", "placeholder-glow", "spinner", "loading-spinner", "loader", "loading", "preloader", "content-loader")

func (s *signalReader) class(val string) {
	for token := range strings.FieldsSeq(val) {
		switch {
		case lazyNames[token]:
			s.LazyContent++
		case strings.HasPrefix(token, "svelte-"):
			s.framework("svelte", 2)
		case token == "ember-application" || token == "ember-view":
			s.framework("ember", 2)
		}
	}
}

func frameworkOfID(id string) (string, int) {
	switch id {
	case "__next":
		return "next", 4
	case "__nuxt":
		return "nuxt", 4
	case "___gatsby":
		return "gatsby", 4
	case "svelte":
		return "svelte", 3
	case "react-root", "react-app":
		return "react", 2
	case "vue-app", "q-app":
		return "vue", 2
	}
	return "", 0
}

// frameworkOfState goes by the name of the state that a page hands to its scripts.
func frameworkOfState(id, inline string) (string, int) {
	switch id {
	case "__NEXT_DATA__":
		return "next", 4
	case "__NUXT_DATA__":
		return "nuxt", 4
	case "ng-state", "serverApp-state":
		return "angular", 3
	}
	const window = 4096
	head := inline[:min(len(inline), window)]
	for _, m := range []struct{ mark, name string }{
		{"__next_f", "next"}, {"__NUXT__", "nuxt"}, {"__remixContext", "remix"}, {"__sveltekit", "svelte"}, {"__APOLLO_STATE__", "react"},
		{"__PRELOADED_STATE__", "react"}, {"__INITIAL_STATE__", "spa"},
	} {
		if strings.Contains(head, m.mark) {
			return m.name, 3
		}
	}
	return "", 0
}

// wallIDs are ids of elements on challenge pages.
var wallIDs = map[string]string{
	"challenge-form": "cloudflare", "cf-challenge-running": "cloudflare", "challenge-running": "cloudflare", "cf-error-details": "cloudflare", "challenge-error-text": "cloudflare",
	"px-captcha": "perimeterx", "anubis_challenge": "anubis", "sec-if-cpt-container": "akamai", "challenge-container": "aws", "captcha-container": "captcha",
	"ddg-captcha": "ddos-guard",
}

// wallScript goes by scripts that only challenge pages run.
func wallScript(src, inline string) string {
	const window = 8192
	head := inline[:min(len(inline), window)]
	for _, m := range []struct{ mark, name string }{
		{"_cf_chl_opt", "cloudflare"}, {"captcha-delivery.com", "datadome"}, {"_Incapsula_Resource", "imperva"},
		{"gokuProps", "aws"}, {"AwsWafIntegration", "aws"}, {"_pxAppId", "perimeterx"}, {"sucuri_cloudproxy_js", "sucuri"},
		{"ddos-guard/js-challenge", "ddos-guard"}, {"KPSDK.configure", "kasada"}, {"/.well-known/.git.gammaspectra.live", "go-away"},
	} {
		if strings.Contains(src, m.mark) || strings.Contains(head, m.mark) {
			return m.name
		}
	}
	return ""
}

// captchaScript names a captcha provider; forms of normal pages have them too.
func captchaScript(src string) string {
	for _, mark := range []string{"hcaptcha.com", "recaptcha", "challenges.cloudflare.com", "funcaptcha", "arkoselabs.com", "geetest"} {
		if strings.Contains(src, mark) {
			return "captcha"
		}
	}
	return ""
}

// wallTitle goes by the titles of well-known challenge and block pages.
func wallTitle(title string) string {
	switch strings.TrimSuffix(strings.ToLower(nodes.Fold(title)), "…") {
	case "just a moment...", "just a moment", "attention required! | cloudflare":
		return "cloudflare"
	case "ddos-guard":
		return "ddos-guard"
	case "making sure you're not a bot!":
		return "anubis"
	case "access denied", "access to this page has been denied", "pardon our interruption", "please verify you are a human", "robot check",
		"security check", "bot verification", "are you a robot?", "human verification", "verify you are human":
		return "block page"
	}
	return ""
}

func containsAny(s string, parts []string) bool {
	for _, p := range parts {
		if strings.Contains(s, p) {
			return true
		}
	}
	return false
}
