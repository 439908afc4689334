package demo

import "time"

func day(month time.Month, day int) time.Time {
	return time.Date(2026, month, day, 8, 30, 0, 0, time.UTC)
}

// articles of the blog, the newest first.
var articles = []article{
	{Slug: "the-east-wind", Title: "Waiting for the east wind", Author: "Ida Korn", Day: day(9, 28), Tags: []string{"weather", "craft"},
		Lead: "Winnowing needs a wind that neither drops nor doubts. Some years it takes a week to come.", Clip: "/clips/wind.webm",
		Body: `<p>A good wind for winnowing comes from the east, dry, and lasts from noon to four. Too little of it and the chaff falls back
into the basket; too much and the small grain goes with it.</p><h2>How to tell</h2><ul><li>Smoke lies flat but does not tear.</li><li>A barley awn, dropped
from the shoulder, lands two steps away.</li><li>The dog stays outside.</li></ul><p>This year we waited from Monday to Saturday.
Compare <a href="/articles/two-sieves">what two sieves can do</a> when there is no wind at all.</p>`},
	{Slug: "two-sieves", Title: "What two sieves can do", Author: "Jon Mahler", Day: day(9, 14), Tags: []string{"tools"},
		Lead: "One for what is too large, one for what is too small: the grain is what is left between.",
		Body: `<p>The first sieve has holes that the grain falls through and straw does not. The second has holes that dust falls through and
the grain does not. In that order they never clog.</p><table><thead><tr><th>Grain</th><th>Upper sieve</th><th>Lower sieve</th></tr></thead><tbody><tr><td>Rye</td><td>6 mm</td><td>2 mm</td></tr>
<tr><td>Spelt</td><td>8 mm</td><td>3 mm</td></tr><tr><td>Millet</td><td>4 mm</td><td>1 mm</td></tr></tbody></table><p>Both are sold by <a href="https://shop.example/products/grain-sieve">the shop</a>.</p>`},
	{Slug: "the-sound-of-threshing", Title: "The sound of threshing", Author: "Ida Korn", Day: day(8, 30), Tags: []string{"craft", "sound"},
		Lead: "Four flails make a rhythm, and whoever misses it is told so.", Sound: "/sound/threshing.wav",
		Body: `<p>With two flails one counts; with four one listens. The fifth is where arguments begin.</p><blockquote><p>Whoever hears their own
flail strikes too late.</p></blockquote><p>The recording is short, as the arm is.</p>`},
	{Slug: "counting-sacks", Title: "Counting sacks in code", Author: "Jon Mahler", Day: day(8, 11), Tags: []string{"code"},
		Lead: "The ledger is older than the computer, and was right more often.",
		Body: `<p>A sack that is neither full nor empty is the hard case. The program counts it as a half and says so:</p><pre><code class="language-go">func sacks(kilos int) (full int, rest bool) {
	return kilos / 50, kilos%50 != 0
}</code></pre><p>It has been off by one only once, and that was <a href="/articles/mice">the mice</a>.</p>`},
	{Slug: "mice", Title: "Of mice", Author: "Ida Korn", Day: day(7, 25), Tags: []string{"animals"},
		Lead: "Two cats look after the mice. Nobody has asked the mice.",
		Body: `<p>The loft has eleven holes, of which the cats know nine. <strong>Spelt</strong> is safest: its husk is more work than it is worth to a mouse.</p>`},
	{Slug: "a-new-stone", Title: "A new stone for the mill", Author: "Jon Mahler", Day: day(6, 19), Tags: []string{"tools"},
		Lead: "Basalt, four hundred kilos, and a lane that is too narrow for it.",
		Body: `<p>The old stone was worn to the thickness of a hand. The new one came on a cart, a sledge and finally on rollers.</p><ol><li>Level the bed.</li><li>Dress the furrows.</li><li>Grind bran first, and throw it away.</li></ol>`},
	{Slug: "first-rye", Title: "The first rye", Author: "Ida Korn", Day: day(6, 2), Tags: []string{"field"},
		Lead: "It stands as high as the fence and is as grey as the sky.",
		Body: `<p>Rye flowers for a week, and on one of its days the whole field smokes with pollen. We missed it again.</p>`},
	{Slug: "why-a-blog", Title: "Why a mill has a blog", Author: "Jon Mahler", Day: day(5, 1), Tags: []string{"site"},
		Lead: "Somebody asked what chaff is.", Body: `<p>Chaff is what is left when you take away what you wanted. A good deal of writing is like it.</p>`},
	{Slug: "spring-cleaning", Title: "Spring cleaning", Author: "Ida Korn", Day: day(4, 12), Tags: []string{"site", "tools"},
		Lead: "Forty years of dust, weighed.", Body: `<p>Nineteen kilos, if you are curious, and one shoe.</p>`},
}
