package page

import "fmt"

// From says which country a request is to come from, and which it comes from, as codes in upper case; "": unknown.
type From struct {
	Asked           string
	Proxy, Fallback string // where the proxies come out
}

// Warnings say that a page was got from another country than asked for.
func (f From) Warnings(country string) []string {
	if f.Asked == "" || country == "" || f.Asked == country {
		return nil
	}
	return []string{fmt.Sprintf("The location asks for %s, but the proxy that got the page is in %s.", f.Asked, country)}
}
