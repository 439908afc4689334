package page

import "net/http"

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
