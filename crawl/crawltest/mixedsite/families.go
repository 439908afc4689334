package mixedsite

// Kind is what a page needs to show its text.
type Kind string

// The kinds of pages.
const (
	Static   Kind = "static"   // the HTML has the whole text, whatever its scripts do
	Scripted Kind = "scripted" // scripts add a part of the text
	Shell    Kind = "shell"    // scripts make the page
)

// shape is what scripts add. Zero: nothing.
type shape int

const (
	anOffer      shape = iota + 1 // a price and what is in stock
	someItems                     // names, each with a sentence
	aText                         // a title and a text
	textAndItems                  // both
)

// family is a template with its pages.
type family struct {
	name  string
	path  string // see names.go
	kind  Kind
	adds  shape
	later Kind // of the second half of its pages; "": the same
	hides bool // its last pages have no link but those that scripts add

	pages []*page
}

// families are the templates, with what their scripts do.
func families() []*family {
	return []*family{
		static("article", "/blog/{name}"),                               // tags, theme, JSON-LD; empty ad slot, comments, modal
		static("news", "/news/{year}/{month}/{name}"),                   // consent, tag manager, ads, a progress bar of reading
		static("docs", "/docs/{part}/{name}"),                           // a module for search on click; buttons to copy code
		static("reference", "/docs/api/{name}"),                         // tables; buttons to copy code
		static("product", "/shop/p-{n}"),                                // all in the HTML; "recently viewed" from localStorage
		static("catalogue", "/shop/category/{name}"),                    // filter and quick view on click
		static("statistics", "/statistics/{n}"),                         // a table that is sorted on click
		static("thread", "/forum/t/{n}"),                                // votes and quotes on click; empty editors
		static("question", "/questions/{n}/{name}"),                     // jQuery; empty places for comments
		static("gallery", "/gallery/{name}"),                            // lazy pictures, lightbox
		static("login", "/account/{name}"),                              // short; a script sends the form
		static("changelog", "/changelog/{version}"),                     // very short
		static("gone", "/old/{n}"),                                      // very short, like a 404
		static("wordpress", "/{year}/{month}/{name}/"),                  // emoji, jQuery with migrate, navigation
		static("next", "/guides/{name}"),                                // server-rendered; __NEXT_DATA__, chunks that hydrate
		static("nuxt", "/stories/{name}"),                               // server-rendered; hydration writes the same text again
		static("suppliers", "/suppliers/{n}"),                           // htmx on click only
		static("help", "/help/{name}"),                                  // Alpine opens and closes
		static("landing", "/solutions/{name}"),                          // carousel, chat, the site's own consent banner
		static("contact", "/contact/{name}"),                            // captcha, form, a map on click
		static("glossary", "/glossary/{name}"),                          // a script requests text and gets none
		static("cooking", "/kitchen/{name}"),                            // JSON-LD, portions on click, empty player and ads
		static("letters", "/letters/{n}"),                               // no scripts
		static("legal", "/legal/{name}"),                                // contents on click, the site's own consent banner
		static("islands", "/notes/{name}"),                              // Astro-like islands that are rendered
		static("calendar", "/calendar/{date}"),                          // details on click
		static("magazine", "/magazine/{name}"),                          // jQuery slider, menus, popup
		static("places", "/places/{name}").turns(Scripted, aText),       // later a section that a script fills
		static("episodes", "/episodes/{n}").turns(Scripted, someItems),  // later another version of the player, which adds chapters
		static("minutes", "/minutes/{date}").turns(Scripted, someItems), // a script requests remarks: only later ones have some
		static("people", "/people/{name}").turns(Shell, textAndItems),   // tabs; later a React-like shell

		scripted("offer", "/shop/o-{n}", anOffer),                                // inline fetch into #price and #stock
		scripted("reviews", "/reviews/{name}", someItems),                        // inline fetch into #reviews, async
		scripted("rates", "/rates/{n}", someItems),                               // inline fetch, insertRow in a tbody without a name
		scripted("lessons", "/lessons/{name}", aText),                            // a module that imports two more
		scripted("workshop", "/workshop/{name}", someItems),                      // custom element
		scripted("departures", "/departures/{n}", someItems),                     // XMLHttpRequest from onload
		scripted("jobs", "/jobs/{n}", someItems),                                 // clones of a template
		scripted("city", "/cities/{name}", aText),                                // appends a section to a full main, without an empty place
		scripted("species", "/species/{name}", someItems),                        // JSON in the page
		scripted("briefing", "/news/live/{name}", textAndItems),                  // htmx on load
		scripted("tasks", "/tasks/{n}", someItems),                               // Alpine, x-init and x-for
		scripted("feed", "/feed/{n}", someItems).hiding(),                        // the first batch of an endless list
		scripted("stations", "/stations/{name}", textAndItems),                   // minified bundle
		scripted("quotes", "/quotes/{n}", aText),                                 // document.write
		scripted("reports", "/reports/{n}", textAndItems),                        // iframe with srcdoc, no scripts
		scripted("maps", "/maps/{name}", textAndItems),                           // iframe of the same site
		scripted("plants", "/plants/{name}", textAndItems),                       // $.getJSON and $("#care").load
		scripted("events", "/events/{date}", someItems).turns(Static, someItems), // deferred bundle, by class; later in the HTML

		shell("board", "/board/{n}").hiding(),                         // React-like, asks for JavaScript
		shell("trips", "/trips/{name}"),                               // Svelte-like, into an empty body
		shell("tickets", "/tickets/{n}"),                              // Angular-like, modules below a base
		shell("reader", "/reader/{name}"),                             // Docsify-like, a line that says loading
		shell("studio", "/studio/{n}"),                                // a loader of chunks, asks for JavaScript
		shell("greenhouse", "/greenhouse/{name}"),                     // a custom element with a shadow root
		shell("portal", "/portal/{name}").turns(Static, textAndItems), // Vue-like; later rendered by the server
	}
}

func static(name, path string) *family { return &family{name: name, path: path, kind: Static} }

func scripted(name, path string, adds shape) *family {
	return &family{name: name, path: path, kind: Scripted, adds: adds}
}

func shell(name, path string) *family {
	return &family{name: name, path: path, kind: Shell, adds: textAndItems}
}

// turns makes the second half of the pages of another kind. Scripts add something to those of the half that is not static.
func (f *family) turns(later Kind, adds shape) *family {
	f.later, f.adds = later, adds
	return f
}

// hiding takes the links to the last pages out of the HTML.
func (f *family) hiding() *family {
	f.hides = true
	return f
}

// changes reports a template whose pages are of two kinds.
func (f *family) changes() bool { return f.later != "" }

// isLater reports a page of the second half.
func (p *page) isLater() bool { return p.number >= (len(p.of.pages)+1)/2 }

func (p *page) kind() Kind {
	if p.of.changes() && p.isLater() {
		return p.of.later
	}
	return p.of.kind
}

// isInline reports a page whose server now writes what scripts added to the earlier ones.
func (p *page) isInline() bool { return p.kind() == Static && p.of.kind != Static }
