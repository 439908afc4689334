package main

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/winnow-go/winnow/formats/document/internal/pdf/cidmap"
)

// folder has a collection of two files: codes to CIDs, and CIDs to characters.
func folder(t *testing.T, codes, texts string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "Adobe-GB1"), 0o777); err != nil {
		t.Fatal(err)
	}
	for name, body := range map[string]string{"UniGB-UTF32-H": codes, "Adobe-GB1-UCS2": texts, "UCS2-GBK-EUC": "not read"} {
		if err := os.WriteFile(filepath.Join(dir, "Adobe-GB1", name), []byte(body), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

const head = "%%Copyright: " + licence + "\n/Ordering (GB1) def\n"

func TestCollection_isReadFromItsFiles(t *testing.T) {
	got, err := collection(folder(t,
		head+"1 begincodespacerange <00000000> <0010FFFF> endcodespacerange\n2 begincidrange\n<00000041> <00000042> 1\n<0000e000> <0000e000> 4\nendcidrange\n1 begincidchar\n<00000043> 3\nendcidchar",
		strings.Replace(head, "GB1", "Adobe_GB1_UCS2", 1)+"2 beginbfrange\n<0001> <0002> <0061>\n<0005> <0006> [<00660069> <8fbbdb40dd00>]\nendbfrange\n1 beginbfchar\n<0004> <e000>\nendbfchar"), "Adobe-GB1")
	if err != nil {
		t.Fatal(err)
	}
	want := []cidmap.Section{
		{Name: "UniGB-UTF32-H", Collection: "Adobe-GB1", Spaces: cidmap.Spaces{4: {{Low: 0, High: 0x10ffff}}},
			Spans: []cidmap.Span{{Size: 4, Low: 0x41, High: 0x43, Value: 1}, {Size: 4, Low: 0xe000, High: 0xe000, Value: 4}}},
		{Name: "Adobe-GB1", Collection: "Adobe-GB1", Long: map[uint32]string{5: "fi"}, Spans: []cidmap.Span{
			{Low: 1, High: 2, Value: 'a'}, {Low: 3, High: 3, Value: 'C'}, {Low: 6, High: 6, Value: '辻'}}},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v\nwant %+v", got, want)
	}
}

func TestCollection_refusesFilesOfAnotherLicence(t *testing.T) {
	if _, err := collection(folder(t, "/Ordering (GB1) def", head), "Adobe-GB1"); err == nil || !strings.Contains(err.Error(), "licence") {
		t.Errorf("got %v", err)
	}
	if _, err := collection(folder(t, head+"1 begincidrange <41> <4", head), "Adobe-GB1"); err != nil {
		t.Errorf("a block without an end isn't one: %v", err)
	}
	if _, err := collection(folder(t, head+"1 begincidrange\n<41> 5\nendcidrange", head), "Adobe-GB1"); err == nil {
		t.Error("an entry that is cut off is taken")
	}
}
