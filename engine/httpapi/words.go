package httpapi

import (
	"regexp"
	"strings"

	"github.com/winnow-go/winnow/engine"
)

// hiddenTexts are the texts in place of causes that describe this machine: those go to the log.
var hiddenTexts = map[engine.Code]string{
	engine.CodeUnknown:          "internal error; see the log under this id",
	engine.CodeProfileDamaged:   "the stored state of the profile cannot be read",
	engine.CodeAllEnginesFailed: "the page could not be fetched: neither by plain HTTP nor in a browser",
}

// serverWords are pairs: words of the engine's messages that name fields and methods of the program, and those for clients over HTTP,
// which name the request's field or the server's flag.
var serverWords = []string{
	"set Options.Model", "the server's flag -model-url sets one",
	"Options.Model is nil", "the server has none: its flag -model-url sets one",
	"declared local", "declared local by the server's flag -model-local",
	"set Options.Search to search.NewSearXNG (a SearXNG server), search.NewJSONAPI (any service that answers in JSON) or local.New " +
		"(full text of what the cache holds)", "the server's flag -searxng sets one",
	"Options.Search has none", "the server has none",
	" (Options.AllowZeroDataRetention)", "",
	", or raise Options.MaxSessions", "",
	"Options.Dir keeps them", "the server's flag -cache keeps them",
	"Options.Browser.ConnectURL is set", "the server uses a browser of another machine",
	"Options.Proxies has a proxy", "the server has a proxy (its flag -proxy adds one)",
	"CrawlEntireDomain follows", "crawlEntireDomain follows",
	"the crawl found; Errors lists them", "the crawl found; GET /v2/crawl/{id}/errors lists them",
	"could not be read; Errors lists them", "could not be read",
}

// serverNames puts a message into the words of HTTP.
var serverNames = strings.NewReplacer(serverWords...)

// shown is the text of a cause as clients read it: without operation, URL and code, which the body has beside it.
func shown(code engine.Code, text string) string {
	if hidden, ok := hiddenTexts[code]; ok {
		return hidden
	}
	return nameForHTTP(code, text)
}

// nameForHTTP is shown for codes that hide nothing.
func nameForHTTP(code engine.Code, text string) string {
	if _, cause, ok := strings.Cut(text, string(code)+": "); ok && code != "" {
		text = cause
	}
	text = serverNames.Replace(requestLine.ReplaceAllString(text, ""))
	if refused := refusedAddress.FindStringSubmatch(text); refused != nil && refused[1] != "port that browsers block" {
		text += "; the server's flag -allow-private allows it"
	}
	return text
}

// requestLine is what the text of an error of a request begins with.
var requestLine = regexp.MustCompile(`^[A-Z]+ "[^"]*": `)

// refusedAddress finds why an address is refused.
var refusedAddress = regexp.MustCompile(`is refused by the policy: ([^;:"]+)$`)
