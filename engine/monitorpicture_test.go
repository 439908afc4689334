package engine

import (
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/winnow-go/winnow/engine/monitor"
)

// plotted is a page with a figure that is drawn, at a place and in a colour, and a text; the text may be drawn at another part of a pixel.
func plotted(left, top int, colour, shift string) string {
	return fmt.Sprintf(`<!doctype html><title>Plot</title><style>body{margin:0;width:800px;height:600px;position:relative;font:16px sans-serif}
		p{position:absolute;left:20px;margin:0;width:700px;transform:translate(%s,%s)} canvas{position:absolute;left:%dpx;top:%dpx}</style>
		<main><p style="top:20px">%s</p><p style="top:480px">%s</p><canvas width=60 height=60></canvas></main><script>
		const c = document.querySelector("canvas").getContext("2d");
		c.fillStyle = %q; c.beginPath(); c.arc(30, 30, 28, 0, 7); c.fill(); c.strokeStyle = "black"; c.stroke();</script>`, shift, shift, left, top,
		strings.Repeat("The curve of the harbour's tide is drawn below, as it was measured. ", 4),
		strings.Repeat("Below the curve stands what the keeper of the harbour says of it. ", 4), colour)
}

// isAt reports whether a box is that of a figure of 60 pixels at a place, at the scale of the picture.
func isAt(b *monitor.Box, left, top int) bool {
	near := func(got, want int) bool { return max(got-want, want-got) <= 4 }
	return b != nil && near(b.X, left+2) && near(b.Y, top+2) && near(b.Width, 57) && near(b.Height, 57)
}

// A page's picture is compared as a reader sees it: what is drawn at another part of a pixel is no change, and a part that is elsewhere, or
// has another colour, is one, with its box.
func TestMonitor_pictures(t *testing.T) {
	leftToUnraced(t)
	t.Parallel()
	var body atomic.Value
	body.Store(plotted(100, 200, "teal", "0"))
	e := hostEngine(t, map[string]http.Handler{"plot.example": http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, body.Load())
	})})
	m, err := e.CreateMonitor(t.Context(), MonitorOptions{Name: "plot", Schedule: monitor.Schedule{Every: 24 * time.Hour}, Targets: []MonitorTarget{
		{Target: monitor.Target{URLs: []string{"http://plot.example/"}, Watch: monitor.Watch{Picture: true}}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	look := func(what, page string, want monitor.PageStatus) *monitor.Diff {
		t.Helper()
		body.Store(page)
		d, _ := searched(t, e, m.ID)
		if len(d.Pages) != 1 || d.Pages[0].Status != want {
			t.Fatalf("%s: %+v", what, d)
		}
		if want == monitor.Changed && d.Pages[0].Diff.Text != "" {
			t.Errorf("%s: the text has not changed: %s", what, d.Pages[0].Diff.Text)
		}
		return d.Pages[0].Diff
	}
	look("the first", plotted(100, 200, "teal", "0"), monitor.New)
	look("the same", plotted(100, 200, "teal", "0"), monitor.Same)
	for _, shift := range []string{"0.5px", "-0.4px"} {
		look("drawn by "+shift+" beside", plotted(100, 200, "teal", shift), monitor.Same)
	}
	look("drawn as at first", plotted(100, 200, "teal", "0"), monitor.Same)
	look("another tone", plotted(100, 200, "#008383", "0"), monitor.Same)
	d := look("moved", plotted(400, 300, "#008383", "0"), monitor.Changed)
	if len(d.Boxes) != 1 || !isAt(&d.Boxes[0], 400, 300) || !isAt(d.Boxes[0].From, 100, 200) || d.Share != 0 {
		t.Errorf("moved: %+v from %+v, %f", d.Boxes, d.Boxes[0].From, d.Share)
	}
	look("moved, and still there", plotted(400, 300, "#008383", "0.3px"), monitor.Same)
	d = look("another colour", plotted(400, 300, "orange", "0"), monitor.Changed)
	if len(d.Boxes) != 1 || !isAt(&d.Boxes[0], 400, 300) || d.Boxes[0].From != nil || d.Share <= 0 || d.Share > 0.02 {
		t.Errorf("another colour: %+v, %f", d.Boxes, d.Share)
	}
	d = look("gone", plotted(-100, 300, "orange", "0"), monitor.Changed)
	if len(d.Boxes) != 1 || !isAt(&d.Boxes[0], 400, 300) {
		t.Errorf("gone: %+v", d.Boxes)
	}
}
