package pdf

import (
	"fmt"
	"strings"
	"testing"
)

// notesBeside are two texts of which one stands beside the other's lines, so near that white space alone does not part them.
var notesBeside = []tagText{
	{72, 700, "Barley is sown in autumn"}, {196, 700, "Rye grows on sand"},
	{72, 688, "and some of it in spring."}, {196, 688, "where little else does."},
	{72, 664, "Oats come last."},
}

func TestRead_tagsSayTheOrder(t *testing.T) {
	for name, c := range map[string]struct {
		structure string
		texts     []tagText
		want      string
	}{
		"beside each other": {marked("P", "", 0, 2) + marked("P", "", 1, 3) + marked("P", "", 4), notesBeside,
			"<p>Barley is sown in autumn and some of it in spring.</p><p>Rye grows on sand where little else does.</p><p>Oats come last.</p>"},
		"the right one first": {marked("P", "", 1, 3) + marked("P", "", 0, 2) + marked("P", "", 4), notesBeside,
			"<p>Rye grows on sand where little else does.</p><p>Barley is sown in autumn and some of it in spring.</p><p>Oats come last.</p>"},
		"elements within a line": {of("P", marked("Span", "", 0), marked("Link", "", 1)) + of("P", marked("NonStruct", "", 2)), []tagText{
			{72, 700, "Barley is sown in"}, {160, 700, "autumn."}, {72, 688, "Rye is sown then, too."}},
			"<p>Barley is sown in autumn.</p><p>Rye is sown then, too.</p>"},
		"a paragraph in two columns": {marked("P", "", 0, 1, 2, 3), []tagText{
			{72, 700, "Barley is sown in"}, {72, 688, "autumn, in the north"}, {300, 712, "some of it in"}, {300, 700, "spring."}},
			"<p>Barley is sown in autumn, in the north some of it in spring.</p>"},
		"items in a paragraph": {marked("P", "", 0, 1, 2), []tagText{
			{72, 700, "• Barley is sown in autumn."}, {72, 688, "• Rye is sown then, too."}, {72, 676, "• Oats come last."}},
			"<ul><li>Barley is sown in autumn.</li><li>Rye is sown then, too.</li><li>Oats come last.</li></ul>"},
		"text outside paragraphs": {of("Div", marked("NonStruct", "", 0), marked("P", "", 1), marked("NonStruct", "", 2)), []tagText{
			{72, 700, "Barley is sown in autumn."}, {72, 640, "Rye is sown then, too."}, {72, 664, "Oats come last."}},
			"<p>Barley is sown in autumn.</p><p>Rye is sown then, too.</p><p>Oats come last.</p>"},
	} {
		if got := readTagged(t, c.structure, c.texts); got != c.want {
			t.Errorf("%s: got %s", name, got)
		}
	}
}

func readTagged(t *testing.T, structure string, texts []tagText) string {
	t.Helper()
	doc, err := Read(t.Context(), taggedFile(structure, texts...), Options{})
	if err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll(string(doc.HTML), "\n", "")
}

// Tags that don't fit what the page shows change nothing: it is read as if it had none.
func TestRead_unsoundTagsSayNothing(t *testing.T) {
	lines := []tagText{
		{72, 700, "Barley is sown in autumn, and in the north and in the"}, {72, 688, "hills some of it is sown in spring, when the frost is"},
		{72, 676, "over and the fields are dry enough for a plough and"}, {72, 664, "two horses. The seed of it is kept in the barn until"},
		{72, 652, "then, where mice are its enemies, and damp."}, {72, 628, "Rye is sown in autumn."}, {72, 604, "Oats are sown in spring."},
	}
	each := ""
	for i := range lines {
		each += marked("P", "", i)
	}
	sound := marked("P", "", 0, 1, 2, 3, 4) + marked("P", "", 5) + marked("P", "", 6)
	var words []tagText
	eachWord := ""
	for y := 700; y > 640; y -= 12 {
		for x := 72; x < 450; {
			i := len(words)
			words = append(words, tagText{x, y, []string{"Bar.", "Barley."}[i*i%7%2]})
			x += []int{21, 34}[i*i%7%2]
			eachWord += marked("P", "", i)
		}
	}
	var apart []tagText
	upwards := ""
	for i := range 8 {
		apart = append(apart, tagText{72, 700 - 30*i, fmt.Sprintf("Paragraph %d is short.", i)})
		upwards = marked("P", "", i) + upwards
	}
	for name, c := range map[string]struct {
		structure string
		texts     []tagText
	}{
		"not all is marked":    {marked("P", "", 6) + marked("P", "", 0, 1, 2, 3, 4), lines},
		"each line is one":     {each, lines},
		"each word is one":     {eachWord, words},
		"from the bottom up":   {upwards, apart},
		"more than the page's": {sound + marked("P", "", 99), lines},
	} {
		want := readTagged(t, "", c.texts)
		if got := readTagged(t, c.structure, c.texts); got != want {
			t.Errorf("%s: got %s, want %s", name, got, want)
		}
	}
}

// A table that the file has not marked, but that its paragraphs allow, is one.
func TestRead_unmarkedTablesOfTaggedFilesAreTables(t *testing.T) {
	var texts []tagText
	structure := ""
	for i := range 8 {
		for j, text := range []string{"Grain " + string(rune('A'+i)), fmt.Sprint(12 * (i + 1)), fmt.Sprint(340 + i)} {
			structure += marked("P", "", len(texts))
			texts = append(texts, tagText{72 + 150*j, 700 - 14*i, text})
		}
	}
	if got := readTagged(t, structure, texts); !strings.Contains(got, "<tr><td>Grain A</td><td>12</td><td>340</td></tr>") {
		t.Errorf("got %s", got)
	}
}
