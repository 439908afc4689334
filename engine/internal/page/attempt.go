package page

import (
	"net/http"
	"strings"
)

// Attempt is one of those that a job makes at a page.
type Attempt struct {
	Last      bool // no other comes
	InBrowser bool // HTTP was not enough at one before
	NotEnough bool // set by the scrape: the browser may get what HTTP didn't
}

// laterInBrowser leaves to the job's next attempt what a browser may get and HTTP didn't. False: the scrape is no page
// of a job, and goes on itself.
func (a *Acquisition) laterInBrowser() bool {
	if a.Attempt == nil {
		return false
	}
	a.Attempt.NotEnough = true
	return true
}

// retries is [fetch.Request.Retries] for the page.
func (a *Acquisition) retries() int {
	if a.Attempt != nil {
		return -1
	}
	return 0
}

// Busy reports the statuses of a site that may answer a little later.
func Busy(status int) bool {
	switch status {
	case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return true
	}
	return false
}

// permanentNets begin the browser's names of failures that are the same at each attempt.
var permanentNets = []string{
	"ERR_NAME_NOT_RESOLVED", "ERR_TOO_MANY_REDIRECTS", "ERR_CONTENT_DECODING_", "ERR_INVALID_", "ERR_UNSAFE_", "ERR_BLOCKED_",
	"ERR_RESPONSE_HEADERS_", "ERR_DISALLOWED_", "ERR_UNKNOWN_URL_SCHEME", "ERR_HTTP_RESPONSE_CODE_FAILURE",
}

// TemporaryNet reports failures of a navigation, in the browser's names, that may pass by themselves.
func TemporaryNet(net string) bool {
	for _, prefix := range permanentNets {
		if strings.HasPrefix(net, prefix) {
			return false
		}
	}
	return true
}
