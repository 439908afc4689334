package archive

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestKey(t *testing.T) {
	tests := map[string]string{
		"http://example.com/":                       "com,example)/",
		"https://WWW.Example.com":                   "com,example)/",
		"http://www2.example.com:80/A/b/?C=1&a=2#f": "com,example)/a/b?a=2&c=1",
		"https://user:pw@a.b.example:8443/x":        "example,b,a:8443)/x",
		"http://192.0.2.1/x":                        "192.0.2.1)/x",
		"http://[2001:db8::1]:8080/":                "2001:db8::1:8080)/",
		"wss://a.example:443/s?":                    "example,a)/s",
		"https://a.example?q":                       "example,a)/?q",
		"urn:x":                                     "urn:x",
		"https://a.example/a b":                     "example,a)/a%20b",
	}
	for address, want := range tests {
		if got := Key(address); got != want {
			t.Errorf("Key(%q) = %q, want %q", address, got, want)
		}
	}
}

func TestEntry_line(t *testing.T) {
	e := Entry{URL: "https://www.a.example/?b&a", Time: moment, MIME: "text/html", Status: 200, Digest: digestOf(nil), Filename: "x.warc.gz", Offset: 0,
		Length: 12, Method: "POST", RequestDigest: digestOf([]byte("x"))}
	want := `example,a)/?a&b 20261126123015123 {"url":"https://www.a.example/?b&a","mime":"text/html","status":"200","digest":"` + e.Digest.String() +
		`","length":"12","offset":"0","filename":"x.warc.gz","method":"POST","requestDigest":"` + e.RequestDigest.String() + `"}`
	if got := e.String(); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	e.Time = moment.Truncate(time.Millisecond)
	if got, err := ParseEntry(want); got != e || err != nil {
		t.Errorf("%+v, %v, want %+v", got, err, e)
	}
	if got, err := ParseEntry(`a)/ 20200101000000 {"url":"http://a/","status":404,"length":7,"offset":5,"filename":"f","digest":"?"}`); err != nil ||
		got.Status != 404 || got.Length != 7 || got.Offset != 5 || got.Digest != (Digest{}) {
		t.Errorf("%+v, %v", got, err)
	}
	for _, bad := range []string{"", "a", "a b", "a b {", "a 2020 {}", `a 20200101000000 {"url":1}`} {
		if e, err := ParseEntry(bad); err == nil {
			t.Errorf("%q: %+v", bad, e)
		}
	}
}

// indexOf is an Index of entries, sorted.
func indexOf(t testing.TB, entries []Entry) *Index {
	t.Helper()
	var b bytes.Buffer
	if err := WriteIndex(&b, entries); err != nil {
		t.Fatal(err)
	}
	return NewIndex(bytes.NewReader(b.Bytes()), int64(b.Len()))
}

func TestIndex_findsEachEntry(t *testing.T) {
	seed := rand.Int63()
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewSource(seed))
	for _, n := range []int{0, 1, 2, 3, 100, 2000} {
		var entries []Entry
		for i := range n {
			entries = append(entries, Entry{URL: fmt.Sprintf("https://h%d.example/%s?n=%d", random.Intn(9), strings.Repeat("x", random.Intn(200)), i), Time: moment})
		}
		x := indexOf(t, slices.Clone(entries))
		for _, e := range entries[:min(n, 200)] {
			if got, err := x.Lookup(e.URL); err != nil || len(got) != 1 || got[0].URL != e.URL {
				t.Fatalf("%d entries: Lookup(%q) = %v, %v", n, e.URL, got, err)
			}
		}
		for _, address := range []string{"https://a.example/", "https://z.example/", "https://h3.example/none", "x"} {
			if got, err := x.Lookup(address); err != nil || len(got) > 0 {
				t.Fatalf("%d entries: Lookup(%q) = %v, %v", n, address, got, err)
			}
		}
	}
}

func TestIndex_spellings(t *testing.T) {
	early := Entry{URL: "http://a.example/A", Time: moment}
	late := Entry{URL: "http://a.example/A", Time: moment.Add(time.Hour)}
	other := Entry{URL: "http://www.a.example/a", Time: moment}
	x := indexOf(t, []Entry{late, other, early})
	if got, err := x.Lookup("http://a.example/A#f"); err != nil || len(got) != 2 || !got[0].Time.Before(got[1].Time) {
		t.Errorf("%v, %v; want both of this spelling, in order of time", got, err)
	}
	if got, err := x.Lookup("https://a.example/a/"); err != nil || len(got) != 3 {
		t.Errorf("%v, %v; want all three", got, err)
	}
}

func TestIndex_nearest(t *testing.T) {
	var entries []Entry
	for _, address := range []string{"https://a.example/shop/1", "https://a.example/shop/2", "https://a.example/about", "https://b.example/shop/3"} {
		entries = append(entries, Entry{URL: address, Time: moment}, Entry{URL: address, Time: moment.Add(time.Hour)})
	}
	got, err := indexOf(t, entries).Nearest("https://a.example/shop/3", 2)
	slices.Sort(got)
	if want := []string{"https://a.example/shop/1", "https://a.example/shop/2"}; !slices.Equal(got, want) || err != nil {
		t.Errorf("%q, %v, want %q", got, err, want)
	}
	if got, err := indexOf(t, nil).Nearest("https://a.example/", 3); len(got) > 0 || err != nil {
		t.Errorf("of nothing: %q, %v", got, err)
	}
}

// countedAt counts the bytes that a lookup reads.
type countedAt struct {
	r io.ReaderAt
	n int
}

func (c *countedAt) ReadAt(p []byte, at int64) (int, error) {
	n, err := c.r.ReadAt(p, at)
	c.n += n
	return n, err
}

func TestIndex_readsLittle(t *testing.T) {
	var b bytes.Buffer
	for i := range 30_000 {
		fmt.Fprintf(&b, "example,a)/%06d 20200101000000 {\"url\":\"https://a.example/%06d\",\"offset\":\"1\",\"filename\":\"f\"}\n", i, i)
	}
	c := &countedAt{r: bytes.NewReader(b.Bytes())}
	got, err := NewIndex(c, int64(b.Len())).Lookup("https://a.example/024321")
	if len(got) != 1 || err != nil || c.n > 200_000 {
		t.Errorf("%v, %v, read %d bytes of %d", got, err, c.n, b.Len())
	}
}

// What an index says is where the record is, and how it was requested.
func TestMakeIndex_ofOurs(t *testing.T) {
	var made []Entry
	o := options()
	o.OnEntry = func(e Entry) { made = append(made, e) }
	post := page("https://a.example/form", "thanks")
	post.Request = message("POST /form HTTP/1.1", "a=1")
	file := writtenFile(t, o, page("https://a.example/", "x"), post, page("https://a.example/2", "x"))
	found, err := MakeIndex(bytes.NewReader(file), o.Name, func(err error) { t.Error(err) })
	if err != nil || len(found) != 3 {
		t.Fatalf("%v, %v", found, err)
	}
	for i := range found {
		if !slices.Equal(found, made) {
			t.Errorf("found %+v\nmade  %+v", found[i], made[i])
		}
		rec, err := NewReader(bytes.NewReader(file[found[i].Offset : found[i].Offset+found[i].Length])).Next()
		if err != nil || rec.URL() != found[i].URL {
			t.Errorf("entry %d: %v", i, err)
		}
	}
	if found[1].Method != "POST" || found[1].RequestDigest != digestOf([]byte("a=1")) || found[2].MIME != mimeRevisit {
		t.Errorf("%+v", found[1:])
	}
}

func TestMakeIndex_ofOthers(t *testing.T) {
	var damage []error
	keep := func(err error) { damage = append(damage, err) }
	found, err := MakeIndex(others(t, "example.warc.gz"), "f", keep)
	if err != nil || damage != nil || len(found) != 2 || found[0].Offset != 784 || found[0].Status != 200 || found[0].MIME != "text/html" ||
		found[0].Digest.String() != "sha1:37cf167c2672a4a64af901d9484e75eee0e2c98a" {
		t.Errorf("%+v, %v, %v", found, damage, err)
	}
	found, err = MakeIndex(others(t, "example-bad-non-chunked.warc.gz"), "f", keep)
	if err != nil || len(found) != 0 || len(damage) != 2 || !errors.Is(damage[0], errShared) {
		t.Errorf("%+v, %v, %v", found, damage, err)
	}
	if _, err = MakeIndex(failing{errDisk}, "f", nil); !errors.Is(err, errDisk) {
		t.Errorf("%v, want %v", err, errDisk)
	}
}

func FuzzIndex(f *testing.F) {
	f.Add([]byte(Entry{URL: "https://a.example/x", Time: moment}.String()+"\n"), "https://a.example/x")
	f.Add([]byte("!meta 0 {}\ncom,example)/ 20201007212236 {\"url\": \"http://www.example.com/\"}\r\n"), "http://example.com")
	f.Fuzz(func(t *testing.T, text []byte, address string) {
		x := NewIndex(bytes.NewReader(text), int64(len(text)))
		found, _ := x.Lookup(address)
		for _, e := range found {
			if again, err := ParseEntry(e.String()); err != nil && e.Time.Year() < 9999 {
				t.Errorf("%+v, %v, of %+v", again, err, e)
			}
		}
		if near, _ := x.Nearest(address, 3); len(near) > 3 {
			t.Errorf("%d nearest", len(near))
		}
	})
}
