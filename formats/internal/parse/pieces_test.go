package parse

import (
	"bytes"
	"strings"
	"testing"
)

func TestPieces_areCutBetweenBlocksAndRows(t *testing.T) {
	row := "<tr><td>" + strings.Repeat("x", 30) + "</td></tr>\n"
	body := "<html><head><title>t</title></head><body>\n<p>" + strings.Repeat("a", 60) + "</p>\n<p>b<br>c</p>\n<table>\n<thead><tr><th>H</th></tr></thead>\n" +
		strings.Repeat(row, 3) + "</table>\n</body></html>"
	pieces, ok := Pieces([]byte(body), 60)
	if !ok || len(pieces) < 3 {
		t.Fatalf("got %v, %d pieces", ok, len(pieces))
	}
	var all []byte
	for _, p := range pieces {
		all = append(all, p.Body...)
		if len(p.Head) > 0 && string(p.Head) != "<table><thead><tr><th>H</th></tr></thead>" {
			t.Errorf("head %q", p.Head)
		}
	}
	if string(all) != body || len(pieces[0].Head) > 0 || len(pieces[2].Head) == 0 {
		t.Errorf("got %q", pieces)
	}
}

func TestPieces_cellsThatReachDownAreKeptTogether(t *testing.T) {
	body := "<body><table><tr><td>a</td></tr>" + strings.Repeat(`<tr><td rowspan="2">b</td></tr><tr><td>c</td></tr>`, 20) + "</table></body>"
	pieces, ok := Pieces([]byte(body), 10)
	if !ok || len(pieces) < 10 {
		t.Fatalf("got %v, %d pieces", ok, len(pieces))
	}
	for _, p := range pieces {
		if bytes.HasSuffix(p.Body, []byte(`<tr><td rowspan="2">b</td></tr>`)) {
			t.Errorf("cut within a cell: %q", p.Body)
		}
	}
}

// FuzzPieces looks for bodies that are lost in part, or make the cutter panic.
func FuzzPieces(f *testing.F) {
	f.Add("<body><p>a</p><table><tr><td>b</td></tr><tr><td rowspan=9>c</td></tr></table></body>", 5)
	f.Add("</body></p><table></table></body><thead><tr></thead>", 1)
	f.Fuzz(func(t *testing.T, body string, size int) {
		pieces, _ := Pieces([]byte(body), size)
		var all []byte
		for _, p := range pieces {
			all = append(all, p.Body...)
		}
		if string(all) != body {
			t.Errorf("got %q of %q", all, body)
		}
	})
}
