package actionstest

// document wraps a body; the style keeps sizes and positions the same in every browser, one without fonts included.
func document(body string) string {
	return "<!DOCTYPE html><html><head><meta charset=utf-8><title>Suite</title><style>body{margin:0}p,button,a{display:block;min-width:20px;min-height:20px}[hidden]{display:none}</style></head><body>" + body + "</body></html>"
}

const (
	// banner covers the whole window.
	banner = `<div id="banner" style="position:fixed;inset:0;background:#eee">Cookies!</div>`

	coveredButton = `<button id="buy" data-fake-covered-by='<div id="banner">'>Buy</button>` + banner

	// soonFree is covered until its banner goes.
	soonFree = `<button id="buy">Buy</button>` + banner + `<script>setTimeout(() => document.querySelector("#banner").remove(), 300)</script>`

	// fleeingButton leaves the document when the mouse comes near.
	fleeingButton = `<button id="buy" data-fake-detaches onpointerover="this.remove()" onpointermove="this.remove()">Buy</button>`

	// restless moves for ever, steadily: what swings is at one place in two pictures, before and after it turns.
	restless = `<button id="buy" style="position:absolute">Buy</button><script>
		const step = (now) => { buy.style.left = 100 + now / 5 % 400 + "px"; requestAnimationFrame(step) };
		requestAnimationFrame(step);
	</script>`

	// lateButton is put in after a while; the template is what a fake reads.
	lateButton = `<div id="here"></div><template><button id="late" data-fake-after="300ms">Late</button></template>
		<script>setTimeout(() => here.append(document.querySelector("template").content.cloneNode(true)), 300)</script>`

	inputs = `<input id="name"><textarea id="long"></textarea><div id="rich" contenteditable>x</div>
		<input id="fixed" readonly value="x"><input id="check" type="checkbox"><button id="button">Go</button>
		<div id="host"></div>
		<script>
			const log = [];
			for (const type of ["keydown", "input"])
				addEventListener(type, (e) => log.push((e.isTrusted ? "" : "untrusted ") + type), true);
			host.attachShadow({mode: "open"}).innerHTML = "<input>";
		</script>`

	// shortcuts logs the keys that reach the document.
	shortcuts = `<form onsubmit="log.push('submit'); return false"><input id="name"></form><input id="next">
		<script>
			const log = [];
			addEventListener("keydown", (e) => {
				const held = ["ctrlKey", "shiftKey", "altKey", "metaKey"].filter((k) => e[k]).map((k) => k.replace("Key", "+"));
				if (!["Control", "Shift", "Alt", "Meta"].includes(e.key)) log.push(held.join("") + e.key.toLowerCase());
			});
		</script>`

	// tall is 3000 pixels high and requests smooth scrolling.
	tall = `<style>html, #box{scroll-behavior:smooth}</style>
		<div style="height:2500px;background:linear-gradient(red,blue)"></div>
		<div id="box" style="height:100px;overflow:auto"><div style="height:1000px">content</div></div>
		<div id="end" style="height:400px"></div>
		<script>
			let scrolls = 0;
			addEventListener("scroll", () => scrolls++);
			new IntersectionObserver((entries) => {
				if (entries.some((e) => e.isIntersecting)) document.body.insertAdjacentHTML("beforeend", "<p id=seen>seen</p>");
			}).observe(end);
		</script>`

	// buttons count what happens to them.
	buttons = `<style>.hidden{display:none}</style>
		<button class="one" onclick="log.push('a')">a</button>
		<button class="one hidden" onclick="log.push('hidden')">h</button>
		<button class="one" onclick="log.push('b' + event.isTrusted); document.querySelector('#c').remove();
			this.insertAdjacentHTML('afterend', '<button class=one onclick=log.push(1)>new</button>')">b</button>
		<button class="one" id="c" onclick="log.push('c')">c</button>
		<button class="one" onclick="log.push('d')"><span><b>d</b></span></button>
		<script>const log = [];</script>`

	// moving slides to its place for a while.
	moving = `<style>@keyframes slide{from{transform:translateX(900px)}}#buy{animation:slide 600ms linear}</style>
		<button id="buy" onclick="clicked = true">Buy</button><script>var clicked = false;</script>`

	farBelow = `<div style="height:5000px"></div><button id="buy" onclick="clicked = true">Buy</button><script>var clicked = false;</script>`
)
