package trapsite

// chrome is what surrounds a page's text. A user who wants only the main content still wants the pages that the navigation leads to. A
// naive crawler looks for links in the text it kept.
func chrome(b builder) {
	b.enter(link("/chrome/"))
	b.page("/chrome/", &node{title: "Look around", chrome: links("/chrome/header", "/chrome/nav", "/chrome/aside", "/chrome/footer")})
	b.leaf("/chrome/header", "/chrome/nav", "/chrome/aside", "/chrome/footer")
}

// decoys look like links and are none. A naive crawler finds them by a regular expression.
func decoys(b builder) {
	b.enter(link("/decoys/"))
	b.page("/decoys/", &node{title: "No links", head: `
<link rel="next" href="/decoys/next"><link rel="alternate" hreflang="de" href="/decoys/alternate">
<script type="application/ld+json">{"url": "https://trap.example/decoys/json"}</script>`, body: `
<!-- <a href="/decoys/comment">comment</a> -->
<!--[if IE]><a href="/decoys/conditional">conditional</a><![endif]-->
<noscript><a href="/decoys/noscript">noscript</a></noscript>
<template><a href="/decoys/template">template</a></template>
<textarea><a href="/decoys/textarea">textarea</a></textarea>
<script>const text = '<a href="/decoys/script">script</a>';</script>
<form action="/decoys/form"><button>Send</button></form>
<a name="/decoys/name">name</a> <span data-href="/decoys/data">data</span>
<button onclick="location.href='/decoys/button'">button</button>
<img alt="" src="data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA=" longdesc="/decoys/longdesc">
<p>https://trap.example/decoys/text</p>
`, links: links("/decoys/page")})
	b.leaf("/decoys/page", "/decoys/next", "/decoys/alternate", "/decoys/json", "/decoys/comment", "/decoys/conditional", "/decoys/noscript",
		"/decoys/template",
		"/decoys/textarea", "/decoys/script", "/decoys/form", "/decoys/name", "/decoys/data", "/decoys/button", "/decoys/longdesc", "/decoys/text")
}

// frames show other pages inside of one. Links are what a[href] says, so a framed page is none of the crawl. Its links aren't either
// to HTTP; a browser has them as links of the page around it. A naive crawler fetches what frames show.
func frames(b builder) {
	b.enter(link("/frames/"))
	b.page("/frames/", &node{title: "Windows", body: `<iframe src="/frames/inside"></iframe><iframe srcdoc="&lt;a href='/frames/srcdoc'&gt;x&lt;/a&gt;"></iframe>`,
		links: links("/frames/page"), framed: links("/frames/behind", "/frames/srcdoc")})
	b.page("/frames/inside", &node{title: "Inside", links: links("/frames/behind"), often: true})
	b.leaf("/frames/page", "/frames/behind", "/frames/srcdoc")
}

// refresh leads on without a status. To HTTP the page is a page and what it leads to isn't found; a browser goes there, as by a redirect.
func refresh(b builder) {
	b.enter(link("/refresh/"))
	b.page("/refresh/", &node{title: "Moved", refresh: link("/refresh/here")})
	b.page("/refresh/here", &node{title: "Here", often: true})
}

// scripts put in links that only a browser sees (Want.Rendered), and on from there. A naive crawler finds the one link that a script
// never puts in.
func scripts(b builder) {
	b.enter(link("/scripts/"))
	b.page("/scripts/", &node{title: "An application", scripted: links("/scripts/one", "/scripts/two"), links: links("/scripts/plain")})
	b.page("/scripts/one", &node{title: "The first view", scripted: links("/scripts/deep")})
	b.leaf("/scripts/two", "/scripts/plain", "/scripts/deep", "/scripts/unused")
}
