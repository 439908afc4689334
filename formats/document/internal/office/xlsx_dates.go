package office

import (
	"strings"

	"github.com/xuri/excelize/v2"
)

// datesToISO gives all date formats an ISO form before any cell is read.
func datesToISO(f *excelize.File) {
	if f.Styles == nil || f.Styles.CellXfs == nil {
		return
	}
	codes := map[int]string{}
	if f.Styles.NumFmts != nil {
		for _, n := range f.Styles.NumFmts.NumFmt {
			if n != nil {
				codes[n.NumFmtID] = n.FormatCode
			}
		}
	}
	own := len(f.Styles.CellXfs.Xf)
	made := map[string]*int{}
	for i := range own {
		id := f.Styles.CellXfs.Xf[i].NumFmtID
		if id == nil {
			continue
		}
		code := isoFormat(*id, codes[*id])
		if code == "" {
			continue
		}
		if made[code] == nil {
			style, err := f.NewStyle(&excelize.Style{CustomNumFmt: &code})
			if err != nil {
				return
			}
			made[code] = f.Styles.CellXfs.Xf[style].NumFmtID
		}
		f.Styles.CellXfs.Xf[i].NumFmtID = made[code]
	}
}

// isoFormat is the ISO format for one of dates, "" for all others. Times alone stay as they are.
func isoFormat(id int, code string) string {
	if code == "" {
		switch {
		case id == 17:
			return "yyyy-mm"
		case id == 22:
			return "yyyy-mm-dd hh:mm"
		case id >= 14 && id <= 16, id >= 27 && id <= 31, id == 36, id >= 50 && id <= 58: // the later ones in Chinese, Japanese and Korean
			return "yyyy-mm-dd"
		}
		return ""
	}
	has := dateParts(code)
	switch {
	case !has['y'] && !has['d'] || !has['y'] && !has['m']:
		return ""
	case !has['d']:
		return "yyyy-mm"
	case has['h'] && has['s']:
		return "yyyy-mm-dd hh:mm:ss"
	case has['h']:
		return "yyyy-mm-dd hh:mm"
	}
	return "yyyy-mm-dd"
}

// dateParts returns the letters of dates in a number format outside of texts and conditions; only its first section counts.
func dateParts(code string) map[byte]bool {
	has := map[byte]bool{}
	code = strings.ToLower(code)
	for i := 0; i < len(code) && code[i] != ';'; i++ {
		switch c := code[i]; c {
		case '\\', '_', '*':
			i++
		case '"':
			i += 1 + max(strings.IndexByte(code[i+1:], '"'), 0)
		case '[':
			i += max(strings.IndexByte(code[i:], ']'), 0)
		case 'y', 'm', 'd', 'h', 's':
			has[c] = true
		case '0', '#', '?':
			if !has['s'] { // a number, not parts of a second
				return map[byte]bool{}
			}
		case 'g':
			if strings.HasPrefix(code[i:], "general") {
				return map[byte]bool{}
			}
		}
	}
	return has
}
