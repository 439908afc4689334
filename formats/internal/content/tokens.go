package content

import "slices"

// roles are the ARIA roles that mark boilerplate.
var roles = map[string]kind{
	"alertdialog": box, "banner": frame, "complementary": frame, "contentinfo": frame, "dialog": box, "menu": control,
	"menubar": control, "navigation": frame, "search": frame, "toolbar": control, "tooltip": control, "button": none,
	"listbox": control, "menuitem": control, "menuitemradio": control, "menuitemcheckbox": control, "option": control, "combobox": control, "alert": box, "status": box,
}

// names are the words of class and id attributes that have a meaning.
var names = table(boilerplateNames, signNames)

// boilerplateNames lists them by kind, in lower case, each once.
var boilerplateNames = map[kind][]string{
	frame:   slices.Concat(frameNames, breadcrumbNames, pagerNames),
	box:     slices.Concat(hiddenNames, consentNames, adNames, newsletterNames, relatedNames, shareNames, tagNames, authorNames, noticeNames),
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
		"js-post-menu", "js-add-link", "comments-link", "js-vote-count", "js-voting-container", "edit-link", "mw-editsection", "back-to-top", "scroll-to-top", "copy-button", "headerlink"},
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
	// What a user wrote.
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
