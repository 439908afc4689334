package traps

// Page is what came of an address.
type Page struct {
	// Address that was fetched.
	Address string
	// URL of the page, where redirects ended.
	URL string
	// From is the page that it was found on.
	From string
	// Missing: there is no page, by its status, or it led to a page that the crawl has already, or out of the crawl.
	Missing bool
	// Sketch of its text; nil where nothing is known of it, as of a file.
	Sketch *Sketch
	// Seen reports whether another page has had the Sketch's Digest.
	Seen bool
	// Links of the page that belong to the crawl.
	Links []string
}
