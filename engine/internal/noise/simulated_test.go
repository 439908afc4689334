package noise

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"
)

// content is what a page says. A real change changes it.
type content struct {
	title     string
	intro     []string // sentences
	headings  []string
	paragraph []string // sentences below the headings, one text each
	rows      [][]string
	links     [][2]string // text, address
	date      time.Time
	price     int // cents
	stock     string
	version   [3]int
	phone     string
	status    string
}

// view is how a template shows a content at a check.
type view struct {
	*content
	r       *rand.Rand // of the check: what varies without meaning
	born    time.Time  // when the page was published
	at      time.Time
	check   int
	number  int // of the page
	counter int // grows
	out     strings.Builder
}

func (v *view) line(format string, args ...any) { fmt.Fprintf(&v.out, format+"\n\n", args...) }

// item writes lines that belong together.
func (v *view) item(format string, args ...any) { fmt.Fprintf(&v.out, format+"\n", args...) }

// template is how pages of one kind look, and what can change in them.
type template struct {
	name    string
	changes string // kinds of real changes, apart by spaces
	date    string // layout of the date that is content
	show    func(*view)
}

var (
	nouns   = strings.Fields("harbour bridge market council library garden engine printer kernel compiler festival orchestra museum railway bakery lantern compass glacier orchard theatre")
	verbs   = strings.Fields("opens closes repairs measures paints moves supports replaces extends studies follows joins carries records prepares")
	adverbs = strings.Fields("slowly quietly carefully again together early late twice north south abroad indoors")
	names   = strings.Fields("Ann Bo Cid Dee Eli Fay Gus Hal Ida Jon Kim Lou Mia Ned Oda Pia Quin Ray Sue Tom")
)

func pick[T any](r *rand.Rand, list []T) T { return list[r.IntN(len(list))] }

func sentence(r *rand.Rand) string {
	words := []string{"The", pick(r, nouns), pick(r, verbs), "the", pick(r, nouns), pick(r, adverbs), "and", pick(r, verbs), "a", pick(r, nouns)}
	for range r.IntN(6) {
		words = append(words, pick(r, adverbs))
	}
	return strings.Join(words, " ") + "."
}

func phrase(r *rand.Rand) string {
	return strings.ToUpper(pick(r, adverbs)[:1]) + pick(r, nouns) + " " + pick(r, nouns) + " " + pick(r, adverbs)
}

func newContent(r *rand.Rand, born time.Time) *content {
	c := &content{
		title: phrase(r), date: born.AddDate(0, 0, 20+r.IntN(200)), price: 500 + r.IntN(90_000), stock: pick(r, []string{"In stock", "Out of stock"}),
		version: [3]int{r.IntN(9), r.IntN(20), r.IntN(30)}, phone: fmt.Sprintf("+49 30 %07d", r.IntN(9_999_999)), status: pick(r, []string{"Open", "Closed"}),
	}
	for range 3 {
		c.intro = append(c.intro, sentence(r))
		c.headings = append(c.headings, phrase(r))
		c.paragraph = append(c.paragraph, sentence(r)+" "+sentence(r))
	}
	for i := range 4 + r.IntN(4) {
		c.rows = append(c.rows, newRow(r))
		c.links = append(c.links, [2]string{phrase(r), fmt.Sprintf("/p/%d-%d", i, r.IntN(100_000))})
	}
	return c
}

func newRow(r *rand.Rand) []string {
	return []string{pick(r, names) + " " + pick(r, nouns), fmt.Sprint(r.IntN(900)), pick(r, adverbs)}
}

// change changes what the page says, and returns a text that what is reported has to hold.
func (c *content) change(r *rand.Rand, kind, layout string) (needle string) {
	switch kind {
	case "price":
		c.price += 1 + r.IntN(999)
		return fmt.Sprintf("%d.%02d", c.price/100, c.price%100)
	case "stock":
		c.stock = map[string]string{"In stock": "Out of stock", "Out of stock": "In stock"}[c.stock]
		return c.stock
	case "sentence":
		return c.changeSentence(r)
	case "paragraph":
		i, added := r.IntN(len(c.paragraph)), sentence(r)
		c.paragraph[i] += " " + added
		return added
	case "heading":
		i := r.IntN(len(c.headings))
		c.headings[i] = phrase(r) + " " + pick(r, adverbs)
		return c.headings[i]
	case "row":
		return c.changeRow(r)
	case "link":
		i := r.IntN(len(c.links))
		c.links[i][1] = fmt.Sprintf("/p/%d-%d", i, 100_000+r.IntN(100_000))
		return c.links[i][1]
	case "date":
		c.date = c.date.AddDate(0, 0, 1+r.IntN(20))
		return c.date.Format(layout)
	case "version":
		c.version[r.IntN(3)]++
		return fmt.Sprintf("%d.%d.%d", c.version[0], c.version[1], c.version[2])
	case "phone":
		at := len(c.phone) - 1 - r.IntN(6)
		c.phone = c.phone[:at] + string('0'+(c.phone[at]-'0'+1+byte(r.IntN(8)))%10) + c.phone[at+1:]
		return c.phone
	case "status":
		c.status = map[string]string{"Open": "Closed", "Closed": "Open"}[c.status]
		return c.status
	}
	panic(kind)
}

func (c *content) changeSentence(r *rand.Rand) string {
	added := sentence(r)
	switch n := r.IntN(3); {
	case n == 0:
		c.intro = append(c.intro, added)
	case n == 1 && len(c.intro) > 1:
		i := r.IntN(len(c.intro))
		added = c.intro[i]
		c.intro = slices.Delete(slices.Clone(c.intro), i, i+1)
	default:
		c.intro[r.IntN(len(c.intro))] = added
	}
	return added
}

func (c *content) changeRow(r *rand.Rand) string {
	if len(c.rows) > 3 && r.IntN(3) == 0 {
		i := r.IntN(len(c.rows))
		gone := c.rows[i][0]
		c.rows = slices.Delete(slices.Clone(c.rows), i, i+1)
		return gone
	}
	added := newRow(r)
	c.rows = slices.Insert(slices.Clone(c.rows), r.IntN(len(c.rows)+1), added)
	return added[0]
}

func (v *view) priced() string { return fmt.Sprintf("%d.%02d", v.price/100, v.price%100) }

func (v *view) versioned() string {
	return fmt.Sprintf("%d.%d.%d", v.version[0], v.version[1], v.version[2])
}

// ago is how long a moment was ago, in English.
func (v *view) ago(t time.Time) string {
	switch d := v.at.Sub(t); {
	case d < time.Hour:
		return fmt.Sprintf("%d minutes ago", int(d.Minutes()))
	case d < day:
		return fmt.Sprintf("%d hours ago", int(d.Hours()))
	case d < 2*day:
		return "yesterday"
	case d < 14*day:
		return fmt.Sprintf("%d days ago", int(d.Hours()/24))
	case d < 60*day:
		return fmt.Sprintf("%d weeks ago", int(d.Hours()/24/7))
	default:
		return fmt.Sprintf("%d months ago", int(d.Hours()/24/30))
	}
}

func (v *view) hex(n int) string {
	var out strings.Builder
	for range n {
		out.WriteByte("0123456789abcdef"[v.r.IntN(16)])
	}
	return "7" + out.String()[1:]
}

// grown is a counter that grows.
func (v *view) grown(base, by int) string {
	n := base + v.number*13 + v.counter*by
	if n >= 1000 {
		return fmt.Sprintf("%d,%03d", n/1000, n%1000)
	}
	return fmt.Sprint(n)
}

func shuffled[T any](r *rand.Rand, list []T) []T {
	list = slices.Clone(list)
	r.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	return list
}

var quotes = []string{
	"“Well begun is half done.” Aristotle", "“The sea is everything.” Jules Verne", "“To travel is to live.” Hans Christian Andersen",
	"“Simplicity is the final achievement.” Chopin", "“He who has a why can bear any how.” Nietzsche", "“All that we see is a dream.” Poe",
	"“Fortune favours the bold.” Virgil", "“Know thyself.” From the temple at Delphi",
}

var banners = []string{
	"Subscribe to our newsletter and never miss an update.", "Follow us on your favourite network for daily pictures.",
	"Win two tickets for the summer concert in our big raffle.", "Our app is here: read offline wherever you go.",
}

func (v *view) ad() {
	brand := pick(v.r, []string{"shoes", "hats", "cars", "banks", "tours"})
	switch v.r.IntN(4) {
	case 0:
		v.line("Advertisement")
		v.line("[![%s](https://cdn.%s.example/%s.png)](https://%s.example/?click=%s)", brand, brand, v.hex(8), brand, v.hex(12))
	case 1:
		v.line("Sponsored: [The best %s of the year](https://%s.example/?click=%s)", brand, brand, v.hex(12))
	case 2:
		v.line("[![](https://ads.example.net/%s.gif)](https://ad.doubleclick.net/%s)", v.hex(10), v.hex(10))
	}
}

// others are pages that a site recommends.
func (v *view) others(n int) (list [][2]string) {
	for range n {
		list = append(list, [2]string{phrase(v.r), fmt.Sprintf("/p/x%d", v.r.IntN(100_000))})
	}
	return list
}
