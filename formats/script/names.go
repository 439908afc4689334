package script

import "strings"

// userEvents are events that a reader causes. What follows them is not part of the page that is read.
// DOM standard and UI Events, https://www.w3.org/TR/uievents/; those of pointers, touch, drag and drop, clipboard and forms.
var userEvents = words(`click dblclick auxclick contextmenu mousedown mouseup mouseover mouseout mouseenter mouseleave mousemove
	wheel keydown keyup keypress input beforeinput change submit reset invalid select focus blur focusin focusout
	pointerdown pointerup pointermove pointerenter pointerleave pointerover pointerout touchstart touchend touchmove touchcancel
	drag dragstart dragend dragenter dragleave dragover drop copy cut paste hover toggle play pause popstate hashchange
	scroll scrollend resize selectionchange fullscreenchange beforeunload unload pagehide`)

// contentProperties are properties of an element that hold what it shows.
var contentProperties = words(`innerHTML outerHTML textContent innerText outerText nodeValue srcdoc`)

// fillers are methods of an element, or of a library's wrapper around one, that add content to it.
var fillers = words(`insertAdjacentHTML insertAdjacentText insertAdjacentElement append appendChild prepend replaceChildren
	replaceWith insertBefore replaceChild before after insertRow insertCell setHTML setHTMLUnsafe html text load`)

// setters are the fillers that only read where they have no argument.
var setters = words(`html text load`)

// mounts are functions that frameworks are given their place by: React, Preact, Vue, Svelte, Solid, Mithril, Marko, Elm.
var mounts = words(`createRoot hydrateRoot render hydrate mount $mount createApp bootstrap renderInto init`)

// placeKeys are keys of an options object that name the place: Vue, Svelte, Riot, Docsify, Swagger UI, Redoc.
var placeKeys = words(`el target container root mountPoint mount element dom_id appendTo rootElement node renderTo`)

// requesters are functions that request data.
var requesters = words(`fetch axios getJSON ajax ky $fetch useFetch useSWR superagent`)

// requestObjects are classes that request data.
var requestObjects = words(`XMLHttpRequest EventSource WebSocket`)

// wrapperRequests are methods that request data when they belong to one of the wrappers.
var wrapperRequests = words(`get post ajax getJSON request json csv`)

// wrappers are the objects that libraries for requests and pages are known by.
var wrappers = words(`$ jQuery axios ky d3 http $http superagent`)

// finders are methods that find an element by a selector.
var finders = words(`querySelector querySelectorAll find closest select selectAll`)

// neighbors are properties and methods that lead from an element to one in or around it.
var neighbors = words(`content shadowRoot firstChild firstElementChild lastChild lastElementChild parentNode parentElement children
	childNodes insertRow insertCell first last eq parent contents get tBodies rows cells item attachShadow cloneNode`)

// globals are names that stand for something else than the element of that id.
// Named access: https://html.spec.whatwg.org/multipage/nav-history-apis.html#named-access-on-the-window-object
var globals = words(`window self document top parent globalThis undefined this arguments location navigator console history
	localStorage sessionStorage screen performance crypto module exports require jQuery $ Math JSON Object Array String Number Date
	Promise Symbol Error Element HTMLElement Node Event name event status frames opener external`)

// localSources are names whose values come from the clock or from what the browser stores, not from the site.
var localSources = words(`Date performance localStorage sessionStorage cookie navigator screen innerWidth innerHeight matchMedia Intl`)

func words(list string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(list) {
		set[w] = true
	}
	return set
}
