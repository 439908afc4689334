package reader

import (
	"bytes"
	"encoding/xml"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode"
)

// Info is the file's description of itself.
type Info struct {
	Title, Author, Subject, Language, Producer string
	Keywords                                   []string
	Created, Modified                          time.Time
}

// Info reads the information dictionary and, for what it lacks, the XMP metadata.
func (f *File) Info() Info {
	d := f.trailer().key("Info")
	text := func(k string) string { return Tidy(d.key(k).text()) }
	out := Info{
		Title: text("Title"), Author: text("Author"), Subject: text("Subject"),
		Producer: text("Producer"), Language: language(f.root().key("Lang").text()),
		Created: Date(text("CreationDate")), Modified: Date(text("ModDate")),
	}
	out.Keywords = keywords(text("Keywords"))
	if data, _, err := f.root().key("Metadata").data(); err == nil && len(data) < 4<<20 {
		out.fromXMP(data)
	}
	if looksLikeFile().MatchString(out.Title) {
		out.Title = ""
	}
	return out
}

// looksLikeFile are titles that a program made of a file's name.
var looksLikeFile = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)^(?:microsoft (?:word|powerpoint|excel) - .*|.*\.(?:docx?|pdf|indd|tex|dvi|pptx?|xlsx?|qxd|odt|rtf|txt|ps|eps|ai)|untitled.*|\(?anonymous\)?|unspecified)$`)
})

// Tidy drops control characters and outer spaces, and bounds the length.
func Tidy(s string) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, s)
	s = strings.Join(strings.Fields(s), " ")
	if len(s) > 2000 {
		s = strings.ToValidUTF8(s[:2000], "")
	}
	return s
}

func language(s string) string {
	s = strings.TrimSpace(s)
	if len(s) > 35 || strings.ContainsFunc(s, func(r rune) bool { return r != '-' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		return ""
	}
	return s
}

func keywords(s string) []string {
	var out []string
	split := func(r rune) bool { return r == ',' || r == ';' }
	for _, k := range strings.FieldsFunc(s, split) {
		if k = strings.TrimSpace(k); k != "" && len(out) < 100 {
			out = append(out, k)
		}
	}
	return out
}

// fromXMP fills what is empty from an XMP packet.
func (i *Info) fromXMP(data []byte) {
	d := xml.NewDecoder(bytes.NewReader(data))
	d.Strict = false
	var path []string
	for range 20_000 {
		t, err := d.RawToken()
		if err != nil {
			return
		}
		switch t := t.(type) {
		case xml.StartElement:
			if path = append(path, t.Name.Local); len(path) > 64 {
				return
			}
			for _, a := range t.Attr {
				i.xmp(a.Name.Local, a.Value)
			}
		case xml.EndElement:
			path = path[:max(0, len(path)-1)]
		case xml.CharData:
			i.xmp(property(path), string(t))
		}
	}
}

// property is the name of the property that a text belongs to: lists stand between.
func property(path []string) string {
	for n := len(path) - 1; n >= 0; n-- {
		switch path[n] {
		case "li", "Alt", "Seq", "Bag":
		default:
			return path[n]
		}
	}
	return ""
}

func (i *Info) xmp(key, value string) {
	value = Tidy(value)
	if value == "" {
		return
	}
	set := func(to *string) {
		if *to == "" {
			*to = value
		}
	}
	switch key {
	case "title":
		set(&i.Title)
	case "creator":
		set(&i.Author)
	case "description":
		set(&i.Subject)
	case "language":
		if l := language(value); l != "" && i.Language == "" {
			i.Language = l
		}
	case "Producer":
		set(&i.Producer)
	case "CreateDate":
		setTime(&i.Created, value)
	case "ModifyDate":
		setTime(&i.Modified, value)
	}
}

func setTime(to *time.Time, value string) {
	if !to.IsZero() {
		return
	}
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05", "2006-01-02"} {
		if t, err := time.Parse(layout, value); err == nil {
			*to = t
			return
		}
	}
}

// datePattern is a date of ISO 32000-1, 7.9.4, where all behind the year may lack.
var datePattern = regexp.MustCompile(`^(?:D:)?(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?(?:([Zz+-])(?:(\d\d)'?)?(?:(\d\d)'?)?)?`)

// Date reads a date string of a PDF. A string that isn't one is the zero time.
func Date(s string) time.Time {
	m := datePattern.FindStringSubmatch(strings.TrimSpace(s))
	if m == nil {
		return time.Time{}
	}
	n := func(i, def int) int {
		if m[i] == "" {
			return def
		}
		v, _ := strconv.Atoi(m[i])
		return v
	}
	zone := time.UTC
	if offset := n(8, 0)*3600 + n(9, 0)*60; offset != 0 && m[7] != "" && m[7] != "Z" && m[7] != "z" {
		if m[7] == "-" {
			offset = -offset
		}
		zone = time.FixedZone("", offset)
	}
	month, day := n(2, 1), n(3, 1)
	if n(1, 0) < 1900 || month < 1 || month > 12 || day < 1 || day > 31 {
		return time.Time{}
	}
	return time.Date(n(1, 0), time.Month(month), day, n(4, 0), n(5, 0), n(6, 0), 0, zone)
}

// OutlineLevels are the titles of the file's outline with their depth, from 1.
func (f *File) OutlineLevels() map[string]int {
	out := map[string]int{}
	seen := map[string]bool{}
	var walk func(o object, depth int)
	walk = func(o object, depth int) {
		for ; o.isDict() && len(out) < 5000 && depth <= 6; o = o.key("Next") {
			if id := o.id(); seen[id] {
				return
			} else {
				seen[id] = true
			}
			if k := TitleKey(o.key("Title").text()); k != "" {
				if _, has := out[k]; !has {
					out[k] = depth
				}
			}
			walk(o.key("First"), depth+1)
		}
	}
	walk(f.root().path("Outlines", "First"), 1)
	return out
}

// TitleKey compares titles: letters and digits only, without the section's number.
func TitleKey(s string) string {
	s = strings.TrimLeftFunc(s, func(r rune) bool { return !unicode.IsLetter(r) })
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, s)
}

// TidyText is tidy without a bound on the length.
func TidyText(s string) string {
	return strings.Join(strings.Fields(strings.Map(dropControlKeepSpace, s)), " ")
}

func dropControlKeepSpace(r rune) rune {
	if unicode.IsControl(r) {
		return ' '
	}
	return r
}
