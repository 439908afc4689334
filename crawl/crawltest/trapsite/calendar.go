package trapsite

import (
	"fmt"
	"time"
)

// calendar has a page for every month, which leads to the next and to the one before, and to one event; but for their names all months
// have one text, and so have all events. A naive crawler never ends.
func calendar(b builder) {
	b.enter(link("/calendar/2026/11/"))
	b.below("/calendar/", func(at place) *node {
		var year, month int
		var rest string
		read, _ := fmt.Sscanf(at.path, "/calendar/%d/%d/%s", &year, &month, &rest)
		at1 := time.Date(year, time.Month(month), 1, 0, 0, 0, 0, time.UTC)
		if read < 2 || monthPath(at1)+rest != at.path || rest != "" && rest != "fair" {
			return nil
		}
		n := page(at1.Format("January 2006"), links(monthPath(at1)+"fair", monthPath(at1.AddDate(0, 1, 0)), monthPath(at1.AddDate(0, -1, 0)))...)
		if rest != "" {
			n = page("Fair of " + at1.Format("January 2006"))
		}
		n.words = "calendar/" + rest
		return n
	})
}

func monthPath(t time.Time) string { return fmt.Sprintf("/calendar/%d/%02d/", t.Year(), t.Month()) }
