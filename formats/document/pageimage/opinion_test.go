package pageimage

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/winnow-go/winnow/formats/document"
)

// The text of package document holds the words that PDFium finds, and few that it doesn't. Golden files hold what that text is: PDFium
// looks at a third of the files, and at all with WINNOW_SOAK=1.
func TestText_ofPackageDocumentBesidePDFiums(t *testing.T) {
	if raced {
		t.Skip("-race: it reads file after file in one goroutine, as the run without it does, and takes ten seconds")
	}
	files, err := filepath.Glob("../internal/pdf/testdata/*/*.pdf")
	if err != nil || len(files) < 10 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for i, path := range files {
		if i%3 > 0 && os.Getenv("WINNOW_SOAK") != "1" {
			continue
		}
		if o := opinionsOf(t, path); o.recall() < 0.99 || o.precision() < 0.99 {
			t.Errorf("%s: %v", path, o)
		}
	}
}

// The same of the larger corpus, of all words together: PDFium isn't always right, nor does it read the fields of forms.
func TestText_ofTheCorpusBesidePDFiums(t *testing.T) {
	var sum opinions
	for _, path := range corpusFiles(t, "pdf") {
		o := opinionsOf(t, path)
		t.Logf("%s: %v", filepath.Base(path), o)
		sum.ours, sum.theirs, sum.both = sum.ours+o.ours, sum.theirs+o.theirs, sum.both+o.both
	}
	if t.Logf("together: %v", sum); sum.recall() < 0.99 || sum.precision() < 0.99 {
		t.Error("the two disagree")
	}
}

func TestDraw_hostileFilesOfTheCorpus(t *testing.T) {
	for _, path := range corpusFiles(t, "pdf/hostile") {
		body, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		f, err := sharedRenderer(t).Open(t.Context(), body, "")
		checkOutcome(t, path, err)
		if err != nil {
			continue
		}
		for page := 1; page <= min(f.NumPages(), 3); page++ {
			_, err := f.Draw(t.Context(), page, View{})
			checkOutcome(t, path, err)
		}
		f.Close()
	}
}

// checkOutcome wants an error to be of package document.
func checkOutcome(t *testing.T, path string, err error) {
	t.Helper()
	_, damaged := errors.AsType[*document.DamagedError](err)
	_, large := errors.AsType[*document.TooLargeError](err)
	if t.Logf("%s: %v", filepath.Base(path), err); err != nil && !damaged && !large {
		t.Errorf("%s: got %v", path, err)
	}
}

func corpusFiles(t *testing.T, folder string) []string {
	t.Helper()
	root := os.Getenv("WINNOW_CORPUS")
	if root == "" {
		t.Skip("WINNOW_CORPUS is not set: it names the folder with the larger corpus, which is not part of this repository")
	}
	files, err := filepath.Glob(filepath.Join(root, folder, "*.pdf"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	return files
}

// opinions count the words of package document and of PDFium.
type opinions struct {
	ours, theirs, both int
	missing, more      []string
}

func (o opinions) recall() float64    { return float64(o.both) / float64(max(o.theirs, 1)) }
func (o opinions) precision() float64 { return float64(o.both) / float64(max(o.ours, 1)) }

func (o opinions) String() string {
	return fmt.Sprintf("%d words, PDFium has %d: recall %.4f, precision %.4f, missing %q, more %q",
		o.ours, o.theirs, o.recall(), o.precision(), o.missing, o.more)
}

func opinionsOf(t *testing.T, path string) (o opinions) {
	t.Helper()
	body, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	theirs, theirErr := theirWords(t, body)
	ours, ourErr := ourWords(t, body)
	if theirErr != nil || ourErr != nil {
		t.Logf("%s: ours %v, PDFium's %v", path, ourErr, theirErr)
	}
	o.theirs, o.both, o.missing = compare(theirs, ours)
	o.ours, _, o.more = compare(ours, theirs)
	return o
}

func theirWords(t *testing.T, body []byte) (map[string]int, error) {
	t.Helper()
	f, err := sharedRenderer(t).Open(t.Context(), body, "openpassword") // of the corpus
	if err != nil {
		return nil, err
	}
	defer f.Close()
	words := map[string]int{}
	for page := 1; page <= f.NumPages(); page++ {
		text, err := f.Text(t.Context(), page)
		if err != nil {
			return words, err
		}
		addWords(words, strings.NewReplacer("\ufffe\r\n", "", "\ufffe", "", "\x02\r\n", "", "\x02", "").Replace(text)) // hyphens of lines
	}
	return words, nil
}

func ourWords(t *testing.T, body []byte) (map[string]int, error) {
	t.Helper()
	read, err := document.Convert(t.Context(), document.Input{Body: body, Password: "openpassword"}, document.Options{Blocks: true})
	if err != nil {
		return nil, err
	}
	words := map[string]int{}
	for _, page := range read.Pages {
		for _, b := range page.Blocks {
			addWords(words, b.Text)
		}
	}
	return words, nil
}

// addWords counts runs of letters and digits. Soft hyphens, and joiners that show nothing, are no part of a word.
func addWords(words map[string]int, text string) {
	text = strings.NewReplacer("\u00ad", "", "\u200b", "", "\u200c", "", "\u200d", "").Replace(norm.NFKC.String(text))
	for _, w := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r)
	}) {
		words[w]++
	}
}

// compare counts the words that are wanted and those of them that are there, and names some that are not.
func compare(want, got map[string]int) (all, there int, missing []string) {
	for w, n := range want {
		all += n
		there += min(n, got[w])
		if got[w] < n {
			missing = append(missing, fmt.Sprintf("%s (%d of %d)", w, got[w], n))
		}
	}
	slices.Sort(missing)
	return all, there, missing[:min(len(missing), 12)]
}
