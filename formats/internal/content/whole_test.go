package content

import (
	"strings"
	"testing"
)

// On small pages few words decide on shares: what stands beside a text in one flow, or under a heading of its own, stays.
func TestMain_keepsTheWholeOfPagesWithoutBoilerplate(t *testing.T) {
	long := "<p>Bees do not sleep in winter, although it looks as if they did. The hive is kept warm by thousands of them, which costs much honey.</p>"
	list := "<ul><li>a smoker</li><li>a veil</li><li>two gloves</li></ul>"
	for name, page := range map[string]string{
		"a line before a text":          "<p>Dear keeper</p>" + long,
		"a list under a heading":        "<h1>Bees</h1>" + long + "<h2>You need</h2>" + list,
		"links under a heading":         "<h1>Bees</h1>" + long + "<h2>More</h2><ul><li><a href=/a>The guide to bees</a></li><li><a href=/b>Care of hives</a></li></ul>",
		"code between lines":            "<h1>Bees</h1>" + long + "<pre>bee</pre><p>Run it:</p><pre>bee run</pre>",
		"lists before and after a text": "<h1>Soup</h1><h2>Needs</h2>" + list + long + "<h2>Steps</h2><ol><li>Chop</li><li>Boil</li></ol>",
		"lists in boxes of their own":   "<h1>Soup</h1><div>" + long + "</div><div><h2>Needs</h2>" + list + "</div><div><h2>Steps</h2><ol><li>Chop</li><li>Boil</li></ol></div>",
		"sections of a landing page":    "<main><section><h1>Hive kit</h1><p>All that one needs.</p></section><section><h2>Features</h2>" + list + "</section><section><h2>About</h2>" + long + "</section><section><h2>Sizes</h2><div>Small</div><div>Large</div></section></main>",
		"two columns":                   "<div><div>" + long + "</div><div><h3>Materials</h3>" + list + "</div></div>",
		"a life":                        "<h1>Jane Doe</h1><p>Keeper, London</p><h2>Work</h2><ul><li>2020 Hive Ltd</li><li>2015 Comb Inc</li></ul>" + long,
		"questions with short answers":  "<main><h1>Questions</h1><h3>What is it?</h3><p>A bee.</p><h3>Does it sleep?</h3><p>No.</p></main>",
		"terms and their meaning":       "<h1>Terms</h1><dl><dt>Hive</dt><dd>A box.</dd><dt>Comb</dt><dd>Wax.</dd></dl>" + long,
		"addresses and numbers":         "<h1>Contact</h1><p>Phone: 123</p><p>Mail: a@b.example</p><address>Street 5</address>",
		"lines of a poem":               "<h1>Poem</h1><p>Roses are red<br>violets are blue</p><p>Sugar is sweet<br>and so are you</p>",
		"paragraphs with lists between": "<article><h1>Bees</h1>" + long + strings.Replace(long, "winter", "summer", 1) + list + strings.Replace(long, "winter", "autumn", 1) + strings.Replace(long, "winter", "spring", 1) + "<h2>In short</h2><ol><li>leave honey</li><li>listen well</li></ol></article>",
	} {
		tr := tree(t, page)
		all := tr.NewMask()
		if got, want := tr.Text(tr.Main(all)), tr.Text(all); got != want {
			t.Errorf("%s: got %q, want all of %q", name, got, want)
		}
	}
}
