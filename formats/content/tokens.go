package content

// roles are the ARIA roles that mark boilerplate.
var roles = map[string]kind{
	"alertdialog": box, "banner": frame, "complementary": frame, "contentinfo": frame, "dialog": box, "menu": control,
	"menubar": control, "navigation": frame, "search": frame, "toolbar": control, "tooltip": control, "button": none,
	"listbox": control, "menuitem": control, "menuitemradio": control, "menuitemcheckbox": control, "option": control, "combobox": control, "alert": box, "status": box,
}

// names are the words of class and id attributes that tell something.
var names = table(boilerplateNames, signNames)

// boilerplateNames lists them by kind, in lower case, each once.
var boilerplateNames = map[kind][]string{
	frame: {
		"header", "site-header", "page-header", "main-header", "masthead", "topbar", "top-bar", "navbar", "nav", "navigation",
		"navigation-bar", "main-nav", "main-navigation", "site-navigation", "nav-menu", "menu", "main-menu", "mobile-menu", "mega-menu", "megamenu",
		"footer", "site-footer", "page-footer", "main-footer", "footer-widgets", "colophon", "bottom-bar", "copyright",
		"sidebar", "side-bar", "side", "aside", "p-body-sidebar", "page-sidebar", "site-sidebar", "content-sidebar", "sidebar-container", "sidebar-wrapper", "sidebar-inner",
		"right-rail", "rightrail", "left-rail", "primary-sidebar", "sidebar-primary", "sidebar-secondary", "layout-sidebar", "sidebar1", "sidebar2", "left-sidebar", "right-sidebar", "sidebar-left", "sidebar-right", "secondary", "widget-area",
		"breadcrumb", "breadcrumbs", "pagination", "pager", "page-numbers", "paging", "post-navigation", "nav-links", "nextprev", "prev-next",
		"lang-selector", "language-selector", "language-switcher", "skip-link", "skip-to-content", "skiplink", "toc", "table-of-contents",
		"post-nav", "nav-previous", "nav-next", "nav-below", "post-footer", "entry-footer", "article-footer", "cat-links", "tags-links", "posted-in", "wp-block-post-terms",
		"wp-block-post-navigation-link", "article-tags", "post-categories", "article-nav", "article-navigation", "story-nav",
	},
	box: {
		"ad", "ads", "advert", "advertisement", "advertising", "adsbygoogle", "ad-container", "ad-wrapper", "ad-slot", "banner-ad", "sponsored", "promo",
		"cookie", "cookies", "cookie-banner", "cookie-notice", "cookie-consent", "cookie-bar", "cookie-law-info-bar", "consent", "consent-banner", "gdpr",
		"browsehappy", "browserupgrade", "browser-warning", "outdated-browser", "js-browser-warning", "ipshide", "ctopicoverview", "ctopicoverviewcontainer",
		"announcement-bar", "announcement-bar-section", "shopify-section-announcement-bar", "announcements-bar", "announcement", "announcements", "notification-bar", "promo-bar",
		"promo-banner", "site-banner", "sitewide-banner", "global-banner", "sitewide-notice", "smartbanner", "app-banner", "modal", "popup", "pop-up", "overlay", "lightbox", "mfp-hide", "disclaimer", "disclaimers", "legal-disclaimer", "legal-text", "popover", "tool-tip", "offcanvas", "off-canvas", "dropdown-menu", "tooltip",
		"newsletter", "newsletter-signup", "newsletter-form", "subscribe", "subscribe-form", "subscription", "signup", "sign-up", "mailchimp",
		"related", "related-posts", "related-articles", "related-content", "related-products", "related-links", "related-stories", "relatedposts",
		"recommended", "recommendations", "recommended-posts", "you-may-also-like", "more-stories", "read-next", "recent-posts", "popular-posts", "trending",
		"share", "sharing", "share-buttons", "share-bar", "share-links", "share-icons", "sharedaddy", "social", "social-media", "social-links",
		"social-share", "social-sharing", "social-icons", "addtoany_share_save_container", "addthis_toolbox", "follow-us",
		"tags", "tag-list", "taglist", "tagcloud", "tag-cloud", "post-tags", "entry-tags", "author-box", "author-bio", "about-author",
		"print-only", "sr-only", "screen-reader-text", "visually-hidden", "noprint", "no-print", "fc-decoration", "filters", "facets", "login", "login-form",
		"jp-relatedposts", "yarpp", "yarpp-related", "crp_related", "rp4wp-related-posts", "nrelate_related", "inline-related", "article-related", "related-article",
		"related-posts-wrapper", "related-posts-container", "related-news", "related-box", "also-read", "read-also", "readmore-box", "trc_related_container",
		"taboola", "outbrain", "ob_widget", "zergnet-widget", "inline-newsletter", "newsletter-box", "newsletter-widget", "newsletter-form-wrapper", "newsletter-cta",
		"wp-block-jetpack-subscriptions", "jetpack_subscription_widget", "article-share", "post-share", "sharebar", "share-tools", "share-this", "sharethis-inline-share-buttons",
		"social-bar", "social-share-buttons", "socials", "a2a_kit", "addthis_inline_share_toolbox", "heateor_sss_sharing_container", "essb_links", "ssba", "jp-sharing",
		"swp_social_panel", "wp-embedded-content", "authorbox", "post-author-box", "saboxplugin-wrap", "author-description", "author__bio", "author-profile",
		"author-card", "about-the-author", "post-author-bio", "abh_box", "article-author-bio", "m-author-bio", "wp-block-post-author-biography", "print-link",
		"email-link", "addtoany_content",
	},
	comment: {"comments", "comment-list", "commentlist", "comments-area", "comment-section", "comments-section", "disqus_thread", "respond", "comment-respond"},
	review: {
		"reviews", "product-reviews", "customer-reviews", "customer_reviews", "reviews-list", "review-list", "reviews-section", "reviews-container", "reviews-wrapper",
		"review-section", "user-reviews", "productreviews", "product_reviews", "ratings-reviews", "ratings-and-reviews", "reviews-tab", "tab-reviews",
		"review-container", "review-wrapper", "reviewscontainer", "bv_main_container", "bvrrcontainer", "yotpo", "yotpo-main-widget", "yotpo-widget-instance", "jdgm-widget",
		"jdgm-review-widget", "spr-container", "spr-reviews", "stamped-main-widget", "okereviews", "loox-reviews", "trustpilot-widget", "bvseo-reviewssection", "cr-reviews",
		"bvseoreviewssection", "bvseosdk_meta", "pr-review-display", "pr-reviewdisplay", "feefo-review-widget-product", "rating-widget", "reviews-widget", "reviews_list", "shopify-product-reviews",
	},
	action: {
		"btn", "button", "cta", "btn-primary", "btn-secondary", "btn-link", "wp-block-button", "wp-block-button__link", "elementor-button", "button-primary", "button-secondary",
		"cta-button", "cta-link", "button-link", "action-button", "cmp-button", "hs-button", "w-button", "et_pb_button", "wp-element-button", "chakra-button", "add_to_cart_button",
	},
	control: {
		"woocommerce-result-count", "result-count", "results-count", "sort-by", "sortby", "sorting", "woocommerce-ordering", "toolbar-sorter", "toolbar-amount", "limiter",
		"ipsmenu", "ipscomment_controls", "ipscomment_tools", "ipsitemcontrols", "message-actionbar", "message-footer", "actionbar", "post-buttons", "postbuttons",
		"post-menu", "post-controls", "postcontrols", "postfoot", "post-actions", "comment-actions", "comment-toolbar", "comment-controls", "post-reactions",
		"edit-link", "mw-editsection", "back-to-top", "scroll-to-top", "copy-button", "headerlink"},
}

// signNames are the words that are evidence, in lower case.
var signNames = map[signs][]string{
	// The boxes of consent software.
	signApart: {
		"onetrust-consent-sdk", "onetrust-banner-sdk", "onetrust-pc-sdk", "ot-sdk-cookie-policy", "cybotcookiebotdialog", "cookiebanner",
		"cookie-law-info-bar", "cookie-law-info-again", "cli-modal", "usercentrics-root", "usercentrics-cmp-ui", "didomi-host", "didomi-popup",
		"qc-cmp2-container", "qc-cmp2-ui", "truste-consent-track", "truste_overlay", "truste_box_overlay", "consent_blackbar", "cmpbox", "cmpwrapper",
		"iubenda-cs-banner", "cookiescript_injected", "cookiescript_injected_wrapper", "osano-cm-window", "osano-cm-dialog", "cc-window", "cc-banner",
		"cky-consent-container", "cky-modal", "cky-consent-bar", "cmplz-cookiebanner", "cmplz-cookiebanner-container", "moove_gdpr_cookie_info_bar",
		"moove_gdpr_cookie_modal", "borlabscookiebox", "klaro", "tarteaucitronroot", "axeptio_overlay", "hs-eu-cookie-confirmation", "fc-consent-root",
		"shopify-pc__banner", "shopify-pc__prefs", "eu-cookie-compliance-banner", "eu-cookie-compliance-content", "sliding-popup", "cookieconsent",
		"cookie-consent", "cookie-banner", "cookie-notice", "cookie-notice-container", "cookie-bar", "cookie-popup", "cookie-modal", "cookie-overlay",
		"gdpr-banner", "gdpr-cookie-notice", "gdpr-consent", "consent-banner", "consent-modal", "privacy-banner", "ccpa-banner", "evidon-banner",
		"termly-code-snippet-support", "complianz", "catapult-cookie-bar", "wpgdprc-consent-bar", "pdcc-bar", "js-cookie-consent", "cookie-disclaimer",
	},
	// The cards of users beside what they wrote, as forum software names them.
	signUser: {
		"postprofile", "userinfo", "user-info", "message-user", "message-cell--user", "message-userdetails", "cauthorpane", "ipscomment_author", "poster", "poster_info",
		"post_author", "post-author", "postauthor", "author_information", "author_statistics", "user-details", "post-signature", "usercard", "user-card", "username",
		"comment-author", "comment-meta", "commenter", "postuser", "post-user", "byline-comment", "topic-avatar", "posterinfo", "authorinfo", "author-info", "userdetails",
		"smalluserinfo", "message-author", "topic-meta-data", "creator", "userblock", "mini-profile", "user-name", "post__author", "lia-message-author",
	},
	signSignature: {"signature", "message-signature", "postsignature", "post_signature", "ipssignature", "ipsentry__signature", "ipscomment_signature", "user-signature", "sig", "forum-signature", "moderatorbar"},
	signName:      {"username", "user-name", "usernamebox", "author-name", "user", "nickname", "display-name"},
	// The page or part that is about one thing for sale.
	signGoods: {
		"single-product", "product-page", "pdp", "product-detail", "product-details", "product_page", "template-product", "product-single", "product-main", "pdp-main", "product-template",
		"catalog-product-view", "productview", "product-view", "page-product", "product-info-main", "single_add_to_cart_button", "product-detail-page", "productdetail",
	},
	// What a thing costs.
	signPrice: {"price", "prices", "product-price", "product__price", "price-box", "price-wrapper", "product-prices", "current-price", "sale-price", "regular-price"},
	// Who wrote the text, and when.
	signMeta: {
		"byline", "by-line", "post-meta", "entry-meta", "article-meta", "post-info", "posted-on", "post-date", "entry-date", "publish-date", "published-date", "article-date",
		"pubdate", "date-published", "article-info", "article__meta", "post__meta", "read-time", "reading-time", "time-to-read", "post-byline", "article-byline",
		"article__byline", "entry-byline", "postmetadata", "entry-utility", "article-author", "timestamp", "post-modified-info", "last-updated", "update-date",
	},
	// What somebody wrote.
	signPost: {
		"answer", "comment", "reply", "forum-post", "topic-post", "post-body", "postbody", "posttext", "message-body", "comment-body", "comment_body", "comment-content",
		"ipscomment", "cpost", "message--post", "postcontainer", "postbit", "postbitlegacy", "post_block", "post_wrapper", "message-inner", "windowbg", "bbp-reply-content",
		"bbp-topic-content", "comment-text", "post-text", "js-post", "postmessage", "comment_text", "forumpost", "lia-message-view",
	},
}

// schemaSigns are the properties and types of schema.org that are evidence, in lower case.
var schemaSigns = map[string]signs{
	"comment": signPost, "answer": signPost, "suggestedanswer": signPost, "acceptedanswer": signPost, "usercomments": signPost,
	"author": signMeta, "datepublished": signMeta, "datemodified": signMeta, "datecreated": signMeta,
	"offers": signPrice, "price": signPrice, "offer": signPrice,
}

func table(lists map[kind][]string, evidence map[signs][]string) map[string]mark {
	out := make(map[string]mark)
	for k, list := range lists {
		for _, name := range list {
			out[name] = mark{kind: k}
		}
	}
	for s, list := range evidence {
		for _, name := range list {
			m := out[name]
			m.signs |= s
			out[name] = m
		}
	}
	return out
}

// files are the endings of addresses of documents and data.
var files = set(".pdf", ".doc", ".docx", ".xls", ".xlsx", ".csv", ".ppt", ".pptx", ".odt", ".ods", ".epub", ".rtf", ".txt", ".json", ".xml", ".zip", ".gz", ".ics")
