package office

import "strings"

// leftOut counts what a file holds and the text doesn't show.
type leftOut struct {
	rows, cols int // hidden
}

// sentences are the warnings.
func (l leftOut) sentences() (list []string) {
	if l.rows+l.cols > 0 {
		list = append(list, "Hidden rows and columns were left out: "+join(counted(l.rows, "row"), counted(l.cols, "column"))+".")
	}
	return list
}

// counted is a number of things, "" for none.
func counted(n int, thing string) string {
	switch n {
	case 0:
		return ""
	case 1:
		return "1 " + thing
	}
	return itoa(n) + " " + thing + "s"
}

// join lists those that there are.
func join(parts ...string) string {
	var list []string
	for _, p := range parts {
		if p != "" {
			list = append(list, p)
		}
	}
	return strings.Join(list, ", ")
}
