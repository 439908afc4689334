package content

// roles are the ARIA roles that mark boilerplate.
var roles = map[string]kind{
	"alertdialog": box, "banner": frame, "complementary": frame, "contentinfo": frame, "dialog": box, "menu": control,
	"menubar": control, "navigation": frame, "search": frame, "toolbar": control, "tooltip": control, "button": none,
}

// names are the words of class and id attributes that mark boilerplate.
var names = table(boilerplateNames)

// boilerplateNames lists them by kind, in lower case, each once.
var boilerplateNames = map[kind][]string{
	frame: {
		"header", "site-header", "page-header", "main-header", "masthead", "topbar", "top-bar", "navbar", "nav", "navigation",
		"navigation-bar", "main-nav", "main-navigation", "site-navigation", "nav-menu", "menu", "main-menu", "mobile-menu", "mega-menu", "megamenu",
		"footer", "site-footer", "page-footer", "main-footer", "footer-widgets", "colophon", "bottom-bar", "copyright",
		"sidebar", "side-bar", "side", "aside", "left-sidebar", "right-sidebar", "sidebar-left", "sidebar-right", "secondary", "widget-area",
		"breadcrumb", "breadcrumbs", "pagination", "pager", "page-numbers", "paging", "post-navigation", "nav-links", "nextprev", "prev-next",
		"lang-selector", "language-selector", "language-switcher", "skip-link", "skip-to-content", "skiplink", "toc", "table-of-contents",
	},
	box: {
		"ad", "ads", "advert", "advertisement", "advertising", "adsbygoogle", "ad-container", "ad-wrapper", "ad-slot", "banner-ad", "sponsored", "promo",
		"cookie", "cookies", "cookie-banner", "cookie-notice", "cookie-consent", "cookie-bar", "cookie-law-info-bar", "consent", "consent-banner", "gdpr",
		"modal", "popup", "pop-up", "overlay", "lightbox", "offcanvas", "off-canvas", "dropdown-menu", "tooltip",
		"newsletter", "newsletter-signup", "newsletter-form", "subscribe", "subscribe-form", "subscription", "signup", "sign-up", "mailchimp",
		"related", "related-posts", "related-articles", "related-content", "related-products", "related-links", "related-stories", "relatedposts",
		"recommended", "recommendations", "recommended-posts", "you-may-also-like", "more-stories", "read-next", "recent-posts", "popular-posts", "trending",
		"share", "sharing", "share-buttons", "share-bar", "share-links", "share-icons", "sharedaddy", "social", "social-media", "social-links",
		"social-share", "social-sharing", "social-icons", "addtoany_share_save_container", "addthis_toolbox", "follow-us",
		"tags", "tag-list", "taglist", "tagcloud", "tag-cloud", "post-tags", "entry-tags", "author-box", "author-bio", "about-author",
		"print-only", "sr-only", "screen-reader-text", "visually-hidden", "noprint", "no-print", "fc-decoration", "filters", "facets", "login", "login-form",
	},
	comment: {"comments", "comment-list", "commentlist", "comments-area", "comment-section", "comments-section", "disqus_thread", "respond", "comment-respond"},
	control: {"edit-link", "mw-editsection", "back-to-top", "scroll-to-top", "copy-button", "headerlink"},
}

func table(lists map[kind][]string) map[string]kind {
	out := make(map[string]kind)
	for k, list := range lists {
		for _, name := range list {
			out[name] = k
		}
	}
	return out
}
