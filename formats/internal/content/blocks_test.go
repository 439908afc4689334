package content

import (
	"fmt"
	"strings"
	"testing"
)

// rule is a page with what has to be kept of it and what has to be dropped, each piece of text separated by "|".
type rule struct{ name, in, keeps, drops string }

func checkRules(t *testing.T, rules []rule) {
	t.Helper()
	for _, r := range rules {
		t.Run(r.name, func(t *testing.T) {
			tr := tree(t, r.in)
			all := tr.NewMask()
			got := tr.Text(tr.Main(all))
			for piece := range strings.SplitSeq(r.keeps, "|") {
				if !strings.Contains(got, piece) {
					t.Errorf("%q is missing from %s page %q", piece, tr.Kind(all), got)
				}
			}
			for piece := range strings.SplitSeq(r.drops, "|") {
				if piece != "" && strings.Contains(got, piece) {
					t.Errorf("%q is left in %s page %q", piece, tr.Kind(all), got)
				}
			}
		})
	}
}

// times joins n pieces; every %d in them is their number.
func times(n int, piece string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.ReplaceAll(piece, "%d", fmt.Sprint(i+1)))
	}
	return b.String()
}

const (
	bees  = `<p>Bees do not sleep in winter, although it looks as if they did, for all one can see.</p>`
	card  = `<li class="item"><a href="/h%d"><img src="h%d.jpg" alt=""><h3>Oak hive number %d</h3></a><span class="price">%d0 €</span></li>`
	post  = `<div class="post"><div class="postprofile"><a href="/u%d">Ann%d</a><p>Posts: 4%d</p><p>Joined long ago</p></div><div class="postbody">` + bees + `<p>Answer %d is here.</p></div><a href="/r%d">Report</a><div class="signature">I love honey %d</div></div>`
	teas  = `<article class="post"><h2><a href="/a%d">Story number %d of the day</a></h2><p>What happened to the bees in the year %d, as told by those who keep them.</p><a class="more" href="/a%d">Go on</a></article>`
	goods = `<script type="application/ld+json">{"@type":"Product","name":"Oak hive"}</script>`
)

func TestMain_setsApart(t *testing.T) {
	long := times(6, bees)
	checkRules(t, []rule{
		{"consent boxes, however long", `<div id="onetrust-consent-sdk">` + times(40, bees) + `</div><h1>Hives</h1>` + times(3, `<p>Wood keeps the warmth for a long time, which is why it is used, number %d.</p>`), "Wood", "Bees"},
		{"dialogs, however long", `<div role="dialog">` + times(40, `<p>Sign up for all the letters that we write, and for more.</p>`) + `</div>` + long, "Bees", "letters"},
		{"the footer, however long", long + `<footer>` + times(40, `<p>Terms apply to all the things that we sell, and to more.</p>`) + `</footer>`, "Bees", "Terms"},
		{"not a quote's footer", `<article>` + long + `<blockquote>Quote<footer>Who said it</footer></blockquote></article>`, "Bees|Who said it", ""},
		{"not a dialog that is the page", `<div role="dialog"><h1>Title</h1>` + long + `</div><p>x</p>`, "Bees", ""},
		{"not when nothing else is there", `<div class="cookie-banner">` + long + `</div>`, "Bees", ""},
	})
}

func TestMain_forums(t *testing.T) {
	page := `<h1>Winter</h1>` + times(4, post)
	checkRules(t, []rule{
		{"posts stay with their names", page, "Winter|Answer 1|Answer 4|Ann1|Ann4", ""},
		{"cards of users go", page, "Ann2", "Posts: 42|Joined"},
		{"signatures go", page, "Answer 3", "honey"},
		{"lines of all posts go", page, "Answer 3", "Report"},
		{"controls of two answers go", `<h1>Winter</h1>` + times(2, `<div class="answer"><div class="js-post-menu"><a href="/a/%d">Share</a> <a href="/e/%d">Improve this answer</a></div>`+bees+`<p>Answer %d.</p></div>`), "Answer 2", "Share|Improve"},
		{"threads of comments stay", `<script type="application/ld+json">{"@type":"DiscussionForumPosting"}</script><h1>Q</h1>` + bees +
			`<ol class="comments">` + times(5, `<li class="comment"><b>Ann%d</b>`+bees+`<p>Reply %d.</p><ol class="comments"><li class="comment">`+bees+`Nested %d.</li></ol></li>`) + `</ol>`,
			"Reply 1|Reply 5|Nested 5", ""},
	})
}

func TestMain_listings(t *testing.T) {
	page := `<main><h1>Hives</h1><ul>` + times(8, strings.ReplaceAll(card, "</li>", `<div>Add to cart</div></li>`)) + `</ul></main>`
	long := times(6, bees)
	tiles := `<div>` + times(12, `<div class="item"><a href="/h%d"><img src="h%d.jpg" alt="">Hive %d</a></div>`) + `</div>`
	links := `<ul>` + times(3, `<li><a href="/t%d">Tool %d</a></li>`) + `</ul>`
	filters := `<div><p>Colour</p>` + times(6, `<label><input type="checkbox"> Shade</label>`) + `</div>`
	checkRules(t, []rule{
		{"all cards stay", page, "Hives|number 1|number 8|80 €", ""},
		{"lines of all cards go", page, "number 2", "Add to cart"},
		{"lines with figures stay", `<h1>Hives</h1><ul>` + times(8, strings.ReplaceAll(card, "%d0 €", "25 €")) + `</ul>`, "25 €", ""},
		{"filters go", filters + page, "number 1", "Shade"},
		{"stories stay with their text", `<h1>News</h1>` + times(9, teas), "number 1|in the year 9", "Go on"},
		{"headers of cards stay", `<main><h1>News</h1>` + times(8, `<article class="c"><header><h2><a href="/%d">Story number %d</a></h2></header><img src="a.jpg"></article>`) + `</main>`, "number 1|number 8", ""},
		{"an index is content", `<main><h1>Languages</h1><p>All of them.</p>` + times(9, `<h2>Part %d</h2><ul>`+times(9, `<li><a href="/l">Lang</a></li>`)+`</ul>`) + `</main>`, "All of them|Part 9|Lang", ""},
		{"links below the title stay", `<main><h1>Tools</h1>` + long + links + `</main>`, "Bees|Tool 3", ""},
		{"links to files stay", `<div><h1>Forms</h1></div><div>` + long + strings.ReplaceAll(links, `">`, `.pdf">`) + `</div>`, "Bees|Tool 3", ""},
		{"pictures with short names stay", `<main><h1>Hives</h1><p>Some of the hives that we make by hand, from oak.</p>` + tiles + `<div><h2>About us</h2>` + times(4, bees) + `</div></main>`, "Hive 7|Hive 12", ""},
		{"introductions stay", `<div><h1>Hives</h1>` + bees + `</div><div><ul>` + times(12, card) + `</ul></div>`, "Bees|number 12", ""},
	})
}

func TestMain_products(t *testing.T) {
	text := `<h1>Oak hive</h1><p class="price">120 €</p>` + times(3, bees) + `<table><tr><td>Weight</td><td>20 kg</td></tr></table>`
	checkRules(t, []rule{
		{"price and figures stay", goods + `<div>` + text + `</div><div><p>Shipping is free.</p></div>`, "Oak hive|120 €|Bees|20 kg", ""},
		{"other things go", goods + text + `<ul>` + times(4, strings.ReplaceAll(card, "Oak", "Pine")) + `</ul>`, "120 €", "Pine"},
		{"reviews go", goods + text + `<div id="reviews">` + times(9, `<p>I like it very much, and so does my neighbour, number %d.</p>`) + `</div>`, "20 kg", "neighbour"},
		{"reviews by their heading", goods + text + `<section><h2>12 Customer reviews</h2>` + times(9, `<p>I like it very much, and so does my neighbour, number %d.</p>`) + `</section>`, "20 kg", "neighbour"},
		{"reviews below an article stay", `<h1>Hives</h1>` + times(6, bees) + `<div class="reviews">` + times(3, `<p>I like it very much, and so does my neighbour, number %d.</p>`) + `</div>`, "Bees|neighbour", ""},
		{"reviews that are an article stay", `<h1>Reviews</h1><div class="reviews">` + times(9, bees) + `</div>`, "Bees", ""},
	})
}

func TestMain_forms(t *testing.T) {
	long := times(6, bees)
	field := `<label>Name <input name="n"></label>`
	checkRules(t, []rule{
		{"forms go", long + `<form><p>Ask us</p>` + times(3, field) + `</form>`, "Bees", "Ask us"},
		{"a form around the page stays", `<form>` + long + field + `</form>`, "Bees", ""},
		{"hidden fields are no fields", long + `<form><p>Some words</p><input type="hidden"></form>`, "Some words", ""},
		{"links like buttons go", long + `<p><a class="btn" href="/x">Start now</a></p>`, "Bees", "Start now"},
		{"files stay", `<main><h1>Forms</h1>` + times(4, `<div>Form %d <a class="btn" href="/x%d.pdf?v=1">Read %d</a></div>`) + `</main>`, "Read 3", ""},
		{"invitations to sign in go", `<div>` + long + `<p>You must <a href="/login?to=/x">log in</a> to answer.</p></div>`, "Bees", "log in"},
		{"links to a sign-in in a text stay", `<div>` + long + `<p>` + strings.Repeat("word ", 30) + `and <a href="/register">register</a> there.</p></div>`, "register", ""},
		{"titles that are buttons stay", long + `<h3><button>How long do they live?</button></h3>` + bees, "How long", ""},
		{"what is not shown and has no text goes", long + `<div style="display: none"><p>Loading</p></div>`, "Bees", "Loading"},
		{"closed tabs stay", `<a href="#two">Two</a>` + long + `<div id="two" style="display:none">` + bees + `<p>Second tab.</p></div>`, "Second tab", ""},
		{"closed tabs by name stay", long + `<div class="tab-pane" style="display:none">` + bees + `<p>Second tab.</p></div>`, "Second tab", ""},
		{"what nothing opens goes", long + `<div style="display:none">` + bees + `<p>Second copy.</p></div>`, "Bees", "Second copy"},
		{"settings for scripts go", long + `<div class="content" style="display:none">{"layout":2,"columns":[1,2,3]}</div>`, "Bees", "layout"},
		{"settings for scripts go, with sentences", long + `<div class="content" style="display:none">{"text":"` + strings.Repeat("Some words, and more of them. ", 4) + `"}</div>` + long, "Bees", "Some words"},
		{"what nothing opens goes, however long", `<h1>T</h1><div>` + times(24, bees) + `<div style="display:none">` + strings.Repeat(`<span>A copy of it all, as it was before the change.</span>`, 60) + `</div></div>`, "Bees", "A copy"},
		{"all tabs stay together", `<h1>T</h1><div>` + `<div role="tabpanel">` + long + `</div><div role="tabpanel"><h2>Forms</h2><ul><li><a href="/a.pdf">Permit</a></li><li>Permit on paper</li></ul></div></div>`, "Forms|Permit on paper", ""},
		{"texts of players go", long + `<video src="v.mp4"><p>Your browser is too old.</p></video>`, "Bees", "too old"},
	})
}

func TestMain_sections(t *testing.T) {
	links := `<ul>` + times(4, `<li><a href="/s%d">A story with a long title, number %d of them</a></li>`) + `</ul>`
	for _, title := range []string{
		"Related articles", "You may also like:", "Das könnte Sie auch interessieren", "Lesen Sie auch", "À lire aussi", "Te puede interesar", "Leggi anche", "Leia também",
		"Lees ook", "Czytaj także", "Читайте также", "Läs också", "İlgili haberler", "関連記事", "相关阅读", "관련 기사", "مقالات ذات صلة", "संबंधित खबरें",
	} {
		checkRules(t, []rule{
			{title, `<h1>Title</h1><div>` + times(8, bees) + `<h2>` + title + `</h2>` + links + `</div>`, "Title|Bees", title + "|A story with"},
			{title + " in a box", `<h1>Title</h1><div>` + times(8, bees) + `<section><h3>` + title + `</h3>` + links + `</section><p>The end of it all.</p></div>`, "Title|The end", "A story with"},
		})
	}
	checkRules(t, []rule{
		{"a box whose first line is no heading", `<div>` + times(8, bees) + `<div><p>À lire aussi :</p>` + links + `</div><p>The end of it all.</p></div>`, "Bees|The end", "A story with"},
		{"comments by their heading", `<div>` + times(8, bees) + `<section><h3>3 Kommentare</h3>` + times(3, `<p>Ann: that is how it was in our garden, too, number %d.</p>`) + `</section></div>`, "Bees", "garden"},
		{"comments on something", `<div>` + times(8, bees) + `<section><h3>Comments on the method</h3>` + times(3, `<p>It was used in our garden, too, number %d.</p>`) + `</section></div>`, "garden", ""},
		{"a word is a whole word", `<div>` + times(8, bees) + `<h2>Relatedness</h2>` + links + `</div>`, "Relatedness|A story with", ""},
		{"text under such a heading stays", `<div>` + times(8, bees) + `<h2>Related work</h2>` + times(3, `<p>Others have seen this before us, in years that were as cold.</p>`) + `</div>`, "Others have", ""},
		{"up to the next heading of the rank", `<div>` + times(8, bees) + `<h2>Related</h2>` + links + `<h2>Sources</h2><p>The book of bees.</p></div>`, "Sources|book of bees", "A story with"},
		{"new stories of a listing stay", `<main><h1>News</h1><h2>Most popular</h2>` + times(9, teas) + `</main>`, "number 9", ""},
	})
}

func TestTree_kind(t *testing.T) {
	cases := []struct {
		name, in string
		want     Kind
	}{
		{"prose", `<h1>T</h1>` + times(12, bees), Article},
		{"posts with users", times(4, post), Forum},
		{"declared forum", `<script type="application/ld+json">[{"@context":"x","@type": ["DiscussionForumPosting"]}]</script>` + bees, Forum},
		{"cards", `<ul>` + times(8, card) + `</ul>`, Listing},
		{"stories", times(9, teas), Listing},
		{"declared product", goods + `<h1>Oak hive</h1>` + bees, Product},
		{"many declared products", strings.Repeat(goods, 9) + `<ul>` + times(9, card) + `</ul>`, Listing},
		{"a shop's names", `<div class="product-detail"><h1>Oak hive</h1>` + bees + `</div>`, Product},
		{"og:type", `<head><meta property="og:type" content="product"></head><h1>Oak hive</h1>` + bees, Product},
		{"a table", `<table>` + times(9, `<tr><td>Year 20%d</td><td>%d kg of honey</td></tr>`) + `</table>`, Table},
		{"nothing", ``, Mixed},
	}
	for _, c := range cases {
		tr := tree(t, c.in)
		if got := tr.Kind(tr.NewMask()); got != c.want {
			t.Errorf("%s: got %s, want %s", c.name, got, c.want)
		}
	}
}

func TestTitles_areWrittenAsTheyAreLookedUp(t *testing.T) {
	for topic, list := range titles {
		for _, title := range list {
			if title != strings.ToLower(strings.Join(strings.Fields(title), " ")) {
				t.Errorf("topic %d: %q is not in lower case with single spaces", topic, title)
			}
		}
	}
	for name := range names {
		if name != strings.ToLower(name) || strings.ContainsAny(name, " \t") {
			t.Errorf("%q is no name in lower case", name)
		}
	}
}

func TestMain_isDeterministic(t *testing.T) {
	in := `<main><h1>Hives</h1>` + times(30, card) + times(10, post) + `<h2>Related</h2>` + times(30, teas) + `</main>`
	first := ""
	for range 5 {
		tr := tree(t, in)
		got := tr.Text(tr.Main(tr.NewMask()))
		if first == "" {
			first = got
		}
		if got != first {
			t.Fatalf("got %q, then %q", first, got)
		}
	}
}
