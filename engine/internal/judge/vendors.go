package judge

// Here is who serves what readers do not come for: consent, chats, shares, comments, tests of variants, tags, errors, captchas,
// payments and the like. Trackers and ad servers that the built-in list of fetch/filter has are not repeated: Sources.Blocked
// answers for them.
//
// A host stands for itself and the names below it; what follows it is how the path begins. Each group names where its vendors say
// what a site has to load or to allow: their pages on installing, and on content security policies. Both are sorted.
var knownHosts = hostsOf(
	// Tests of variants and personalization: "Implement the snippet" of docs.developers.optimizely.com, "SmartCode" of
	// help.vwo.com, "Install the tag" of docs.abtasty.com, developers.kameleoon.com, support.convert.com,
	// support.dynamicyield.com, help.zoho.com/portal/en/kb/pagesense.
	`app.varify.io cdn.goqubit.com cdn.intellimize.co client-registry.mutinycdn.com convertexperiments.com dynamicyield.com
	kameleoon.com kameleoon.eu kameleoon.io monetate.net omniconvert.com optimizely.com optimizelyedge.com pagesense.io
	try.abtasty.com visualwebsiteoptimizer.com`,

	// Captchas and checks of the visitor: developers.google.com/recaptcha, docs.hcaptcha.com,
	// developers.cloudflare.com/turnstile, developer.friendlycaptcha.com, developer.arkoselabs.com, docs.geetest.com.
	`arkoselabs.com cdn4.forter.com challenges.cloudflare.com client.px-cloud.net fd.cleantalk.org friendlycaptcha.com funcaptcha.com
	geetest.com hcaptcha.com iesnare.com js.maxmind.com mtcaptcha.com recaptcha.net signifyd.com www.google.com/recaptcha
	www.gstatic.com/recaptcha`,

	// Chats and help desks: "Install" pages of developers.intercom.com, devdocs.drift.com, support.zendesk.com, help.tawk.to,
	// docs.crisp.chat, platform.text.com (LiveChat), help.tidio.com, developer.helpscout.com, developers.freshchat.com,
	// developers.hubspot.com, developers.liveperson.com.
	`ada.support beacon-v2.helpscout.net cdn.gladly.com chat.frontapp.com chatra.io chatwoot.com comm100.com connect.podium.com
	crisp.chat drift.com driftt.com embed.tawk.to fw-cdn.com gorgias.chat gorgias.io intercom.io intercomcdn.com jivosite.com
	kustomerapp.com landbot.io livechatinc.com livehelpnow.net liveperson.net lpsnmedia.net mypurecloud.com olark.com purechat.com
	qualified.com reamaze.com salesforceliveagent.com salesiq.zoho.com salesiq.zohopublic.com smartsupp.com smartsuppchat.com
	snapengage.com tidio.co tidiochat.com usemessages.com userlike-cdn-widgets.s3-eu-west-1.amazonaws.com userlike.com
	wchat.freshchat.com widget.manychat.com zdassets.com zopim.com`,

	// Comments: help.disqus.com, giscus.app, utteranc.es, docs.commento.io, talk.hyvor.com/docs, developers.openweb.com,
	// documentation.viafoura.com.
	`cdn.commento.io cdn.viafoura.net commento.io coralproject.net disqus.com disquscdn.com embed.fastcomments.com giscus.app
	graphcomment.com spot.im talk.hyvor.com utteranc.es`,

	// Consent: developer.onetrust.com, support.cookiebot.com, docs.usercentrics.com, developers.didomi.io, docs.sourcepoint.com,
	// docs.osano.com, help.consentmanager.net, iubenda.com/en/help, support.cookieyes.com, help.termly.io, developers.axeptio.eu,
	// docs.transcend.io, docs.trustarc.com.
	`app.termly.io axept.io cc.cdn.civiccomputing.com cdn-cookieyes.com cdn.cookie-script.com cdn.websitepolicies.io cmp.inmobi.com
	cmp.quantcast.com consensu.org consentmanager.net cookie-cdn.cookiepro.com cookie-script.com cookiebot.com cookiebot.eu
	cookiefirst.com cookiehub.eu cookiehub.net cookieinformation.com cookielaw.org enzuzo.com evidon.com
	fundingchoicesmessages.google.com iubenda.com ketchcdn.com onetrust.com optanon.blob.core.windows.net osano.com
	privacy-center.org privacy-mgmt.com privacymanager.io secureprivacy.ai sourcepoint.com sp-prod.net transcend-cdn.com
	transcend.io trustarc.com truste.com usercentrics.com usercentrics.eu`,

	// Errors and speed: docs.newrelic.com, docs.dynatrace.com, docs.sentry.io, docs.datadoghq.com, docs.bugsnag.com,
	// docs.honeybadger.io, ibm.com/docs (Instana), learn.microsoft.com (Application Insights), vercel.com/docs.
	`cdn.honeybadger.io d2wy8f7a9ursnm.cloudfront.net eum.instana.io js-agent.newrelic.com js-cdn.dynatrace.com js.honeybadger.io
	js.monitor.azure.com rum.hlx.page sentry.io va.vercel-scripts.com`,

	// Fonts, players and maps: helpx.adobe.com/fonts, docs.fontawesome.com, developer.vimeo.com, developers.google.com (YouTube,
	// Maps, IMA), docs.wistia.com, docs.jwplayer.com, docs.mapbox.com, docs.embed.ly.
	`api.mapbox.com api.tiles.mapbox.com cdn.embedly.com cdn.jwplayer.com fast.fonts.net fast.wistia.com fast.wistia.net
	imasdk.googleapis.com ka-f.fontawesome.com kit.fontawesome.com maps.googleapis.com play.vidyard.com players.brightcove.net
	use.fontawesome.com use.typekit.net`,

	// Frames of media, maps, forms and code: support.google.com/youtube ("Embed videos"), developers.google.com/maps (Embed API),
	// help.vimeo.com, developer.spotify.com, developers.soundcloud.com, developer.dailymotion.com, dev.twitch.tv, help.calendly.com,
	// help.typeform.com, blog.codepen.io, wiki.openstreetmap.org ("Export"), developers.facebook.com (plugins).
	`airtable.com bandcamp.com bing.com/maps calendly.com codepen.io codesandbox.io dailymotion.com docs.google.com/forms
	embed.music.apple.com embed.podcasts.apple.com eventbrite.com facebook.com/plugins giphy.com google.com/maps instagram.com
	jotform.com jsfiddle.net maps.google.com megaphone.fm open.spotify.com openstreetmap.org opentable.com player.twitch.tv
	podbean.com scribd.com slideshare.net soundcloud.com stackblitz.com surveymonkey.com tiktok.com tripadvisor.com typeform.com
	vimeo.com vk.com yandex.ru/map-widget youtube-nocookie.com youtube.com`,

	// Payments and sign-in: docs.stripe.com, developer.paypal.com, docs.klarna.com, developer.squareup.com, docs.adyen.com,
	// docs.affirm.com, developers.google.com/identity, developer.apple.com/sign-in-with-apple.
	`accounts.google.com affirm.com apis.google.com appleid.cdn-apple.com applepay.cdn-apple.com b.stripecdn.com braintreegateway.com
	checkoutshopper-live.adyen.com js.afterpay.com js.chargebee.com js.squareup.com js.stripe.com klarna.com klarnacdn.net
	news.google.com/swg pay.google.com paypal.com paypalobjects.com static-na.payments-amazon.com web.squarecdn.com`,

	// Share buttons, badges and embeds of social networks: developer.x.com, developers.facebook.com, developers.pinterest.com,
	// learn.microsoft.com/linkedin.
	`assets.pinterest.com assets.tumblr.com embed.reddit.com ir.ebaystatic.com platform.linkedin.com platform.twitter.com
	platform.x.com s.pinimg.com widgets.pinterest.com www.redditstatic.com/ads`,

	// Tags, statistics and marketing that the filter lets through: docs.tealium.com, experienceleague.adobe.com (Tags),
	// success.ensighten.com, segment.com/docs, knowledge.hubspot.com, mailchimp.com/developer, developers.brevo.com,
	// jetpack.com/support (Stats), qualtrics.com/support.
	`analytics.ahrefs.com assets.adobedtm.com cdn.brevo.com cdn.logr-in.com cdn.segment.com cdn.sprig.com cdn.tinypass.com
	chimpstatic.com cnstrc.com/js/cust diffuser-cdn.app-us1.com ensighten.com hs-banner.com hs-scripts.com hscollectedforms.net
	hsforms.net hsleadflows.net list-manage.com mailchimp.com mailerlite.com piano.io pushpushgo.com siteimproveanalytics.com
	siteintercept.qualtrics.com stats.wp.com tagcommander.net tags.tiqcdn.com visitortracking.com`,

	// Translation, accessibility and seals: developers.google.com/translate, docs.weglot.com, userway.org, accessibe.com,
	// support.trustpilot.com.
	`acsbap.com acsbapp.com audioeye.com cdn.equalweb.com cdn.gtranslate.net reciteme.com translate.google.com
	translate.googleapis.com trustpilot.com userway.org`,
)

// knownPaths are parts of paths under which sites serve the same themselves. Sources: developers.cloudflare.com (/cdn-cgi/),
// vercel.com/docs, docs.netlify.com (RUM), techdocs.akamai.com (mPulse, Bot Manager), developers.google.com/tag-platform
// (first-party mode), the plugin pages of wordpress.org.
var knownPaths = []string{
	"/.netlify/scripts/rum", "/_vercel/insights/", "/_vercel/speed-insights/", "/akam/", "/cdn-cgi/challenge-platform/scripts/jsd/", "/cdn-cgi/scripts/",
	"/cdn-cgi/zaraz/", "/gtag/js", "/plugins/borlabs-cookie/", "/plugins/complianz-gdpr", "/plugins/cookie-law-info/", "/plugins/cookie-notice/",
	"/plugins/gdpr-cookie-compliance/", "/plugins/google-analytics-", "/plugins/real-cookie-banner",
}

// knownFiles are names of files, up to the first dot, of which sites serve copies. What ends with a dash or an underscore is how
// they begin. Sources: the installation pages of the vendors above; developers.google.com,
// developers.facebook.com/docs/meta-pixel, developer.matomo.org, plausible.io/docs/proxy, umami.is/docs, posthog.com/docs,
// docs.prebid.org, woocommerce.com/document (attribution), orestbida.github.io/cookieconsent, klaro.org, tarteaucitron.io.
var knownFiles = setOf(`addthis_widget addtoany adsbygoogle analytics appmeasurement boomerang bugsnag complianz cookie-consent cookie-law-info-public
	cookieconsent cookieconsent- datadog-rum didomi- email-decode fbevents fbpixel ga google-analytics gpt gtag gtm gtm- hotjar-
	klaro logrocket matomo newrelic nr-loader- onetrust- order-attribution otbannersdk otsdkstub piwik piwik_ plausible posthog
	prebid prebid- rocket-loader rollbar satellitelib- scevent sharethis sourcebuster tarteaucitron trustarc- umami utag utag_ uwt
	visitorapi`)
