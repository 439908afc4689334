package content

// The words of class and id that mark boilerplate, a table for each sort of it. All are in lower case; each stands once.

// frameNames mark the site around the page: banner, menus, side bars, footer.
var frameNames = []string{
	"header", "site-header", "page-header", "main-header", "masthead", "topbar", "top-bar", "navbar", "nav", "navigation", "navigation-bar", "main-nav",
	"main-navigation", "site-navigation", "nav-menu", "menu", "main-menu", "mobile-menu", "mega-menu", "megamenu", "footer", "site-footer",
	"page-footer", "main-footer", "footer-widgets", "colophon", "bottom-bar", "copyright", "sidebar", "side-bar", "side", "aside", "p-body-sidebar",
	"page-sidebar", "site-sidebar", "content-sidebar", "sidebar-container", "sidebar-wrapper", "sidebar-inner", "right-rail", "rightrail", "left-rail",
	"primary-sidebar", "sidebar-primary", "sidebar-secondary", "layout-sidebar", "sidebar1", "sidebar2", "left-sidebar", "right-sidebar", "sidebar-left",
	"sidebar-right", "secondary", "widget-area", "lang-selector", "language-selector", "language-switcher", "skip-link", "skip-to-content", "skiplink",
	"toc", "table-of-contents", "post-footer", "entry-footer", "article-footer", "cat-links", "tags-links", "posted-in", "wp-block-post-terms",
	"article-tags", "post-categories",
}

// breadcrumbNames mark the way from the home page to this one.
var breadcrumbNames = []string{
	"breadcrumb", "breadcrumbs",
}

// pagerNames mark links to the pages before and after this one.
var pagerNames = []string{
	"pagination", "pager", "page-numbers", "paging", "post-navigation", "nav-links", "nextprev", "prev-next", "post-nav", "nav-previous", "nav-next",
	"nav-below", "wp-block-post-navigation-link", "article-nav", "article-navigation", "story-nav",
}

// hiddenNames mark what a reader does not see: texts for screen readers and for print.
var hiddenNames = []string{
	"ipshide", "mfp-hide", "print-only", "sr-only", "screen-reader-text", "visually-hidden", "noprint", "no-print",
}

// consentNames mark what asks for consent to cookies.
var consentNames = []string{
	"cookie", "cookies", "cookie-banner", "cookie-notice", "cookie-consent", "cookie-bar", "cookie-law-info-bar", "consent", "consent-banner", "gdpr",
}

// adNames mark advertisements.
var adNames = []string{
	"ad", "ads", "advert", "advertisement", "advertising", "adsbygoogle", "ad-container", "ad-wrapper", "ad-slot", "banner-ad", "sponsored", "promo",
	"promo-bar", "promo-banner", "taboola", "outbrain", "ob_widget", "zergnet-widget",
}

// newsletterNames mark invitations to subscribe.
var newsletterNames = []string{
	"newsletter", "newsletter-signup", "newsletter-form", "subscribe", "subscribe-form", "subscription", "signup", "sign-up", "mailchimp",
	"inline-newsletter", "newsletter-box", "newsletter-widget", "newsletter-form-wrapper", "newsletter-cta", "wp-block-jetpack-subscriptions",
	"jetpack_subscription_widget",
}

// relatedNames mark lists of other pages.
var relatedNames = []string{
	"related", "related-posts", "related-articles", "related-content", "related-products", "related-links", "related-stories", "relatedposts",
	"recommended", "recommendations", "recommended-posts", "you-may-also-like", "more-stories", "read-next", "recent-posts", "popular-posts", "trending",
	"jp-relatedposts", "yarpp", "yarpp-related", "crp_related", "rp4wp-related-posts", "nrelate_related", "inline-related", "article-related",
	"related-article", "related-posts-wrapper", "related-posts-container", "related-news", "related-box", "also-read", "read-also", "readmore-box",
	"trc_related_container", "wp-embedded-content",
}

// shareNames mark ways to pass the page on.
var shareNames = []string{
	"share", "sharing", "share-buttons", "share-bar", "share-links", "share-icons", "sharedaddy", "social", "social-media", "social-links",
	"social-share", "social-sharing", "social-icons", "addtoany_share_save_container", "addthis_toolbox", "follow-us", "article-share", "post-share",
	"sharebar", "share-tools", "share-this", "sharethis-inline-share-buttons", "social-bar", "social-share-buttons", "socials", "a2a_kit",
	"addthis_inline_share_toolbox", "heateor_sss_sharing_container", "essb_links", "ssba", "jp-sharing", "swp_social_panel", "print-link", "email-link",
	"addtoany_content",
}

// tagNames mark what the page is filed under.
var tagNames = []string{
	"tags", "tag-list", "taglist", "tagcloud", "tag-cloud", "post-tags", "entry-tags",
}

// authorNames mark boxes about the author.
var authorNames = []string{
	"author-box", "author-bio", "about-author", "authorbox", "post-author-box", "saboxplugin-wrap", "author-description", "author__bio",
	"author-profile", "author-card", "about-the-author", "post-author-bio", "abh_box", "article-author-bio", "m-author-bio",
	"wp-block-post-author-biography",
}

// noticeNames mark notices and what lies over the page: windows, drop-down menus, hints, log-in forms.
var noticeNames = []string{
	"browsehappy", "browserupgrade", "browser-warning", "outdated-browser", "js-browser-warning", "ctopicoverview", "ctopicoverviewcontainer",
	"announcement-bar", "announcement-bar-section", "shopify-section-announcement-bar", "announcements-bar", "announcement", "announcements",
	"notification-bar", "site-banner", "sitewide-banner", "global-banner", "sitewide-notice", "smartbanner", "app-banner", "modal", "popup", "pop-up",
	"overlay", "lightbox", "disclaimer", "disclaimers", "legal-disclaimer", "legal-text", "popover", "tool-tip", "offcanvas", "off-canvas",
	"dropdown-menu", "tooltip", "fc-decoration", "filters", "facets", "login", "login-form",
}
