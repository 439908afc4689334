package liveview

import (
	"fmt"
	"slices"
	"testing"
	"time"
)

const moving = `<!doctype html><title>moving</title><body style="margin: 0; background: white"><div id=m style="position: absolute; top: 300px; width: 60px; height: 60px; background: gray"></div>
<script>let x = 0; const go = () => { if (window.run) { x = (x + 5) % 600; m.style.left = x + "px" } requestAnimationFrame(go) }; go()</script>`

// BenchmarkView_delay is the time from a change in the page until its picture is at a viewer, and from a viewer's click until the picture of what it did.
func BenchmarkView_delay(b *testing.B) {
	s := showSession(b, moving)
	w := dial(b, s.base+s.urls.Control)
	colours := []string{"red", "blue"}
	dark := func(i int) func([3]uint32) bool {
		return func(c [3]uint32) bool { return c[i%2*2] > 0xC000 && c[2-i%2*2] < 0x4000 }
	}
	b.Run("change", func(b *testing.B) {
		var all []time.Duration
		for i := 0; b.Loop(); i++ {
			start := time.Now()
			asks[any](b, s.page(), fmt.Sprintf("{ document.body.style.background = %q; return null }", colours[i%2]))
			w.seesColour(b, dark(i))
			all = append(all, time.Since(start))
		}
		report(b, all)
	})
	b.Run("click", func(b *testing.B) {
		asks[any](b, s.page(), `{ let n = 0; document.body.style.height = "400px";
			document.body.onmousedown = () => { document.body.style.background = ["red", "blue"][n++ % 2] }; return null }`)
		var all []time.Duration
		for i := 0; b.Loop(); i++ {
			start := time.Now()
			w.sends(`{"type":"input","input":{"kind":"down","x":10,"y":10,"buttons":1}}`)
			w.sends(`{"type":"input","input":{"kind":"up","x":10,"y":10}}`)
			w.seesColour(b, dark(i))
			all = append(all, time.Since(start))
		}
		report(b, all)
	})
}

// BenchmarkView_frames is how many pictures of a page that always moves a viewer gets in a second, alone and among eight.
func BenchmarkView_frames(b *testing.B) {
	s := showSession(b, moving)
	asks[any](b, s.page(), `{ const e = document.createElement("script"); e.textContent = "run = true"; document.body.append(e); return null }`)
	for _, viewers := range []int{1, 8} {
		b.Run(fmt.Sprint(viewers), func(b *testing.B) {
			first := dial(b, s.base+s.urls.View)
			for range viewers - 1 {
				go dial(b, s.base+s.urls.View).drain()
			}
			first.frame()
			bytes, start := 0, time.Now()
			for b.Loop() {
				bytes += len(first.frame())
			}
			b.ReportMetric(float64(b.N)/time.Since(start).Seconds(), "frames/s")
			b.ReportMetric(float64(bytes)/float64(b.N), "B/frame")
			b.ReportMetric(0, "ns/op")
		})
	}
}

func report(b *testing.B, all []time.Duration) {
	slices.Sort(all)
	b.ReportMetric(float64(all[len(all)/2].Microseconds())/1000, "ms/median")
	b.ReportMetric(float64(all[len(all)*9/10].Microseconds())/1000, "ms/p90")
	b.ReportMetric(0, "ns/op")
}

// frame is the next picture, acknowledged.
func (w *watcher) frame() []byte {
	w.t.Helper()
	for {
		if _, frame := w.next(); frame != nil {
			w.sends(`{"type":"seen"}`)
			return frame[4:]
		}
	}
}

// drain acknowledges pictures until the connection ends.
func (w *watcher) drain() {
	for {
		if _, _, err := w.conn.Read(w.t.Context()); err != nil {
			return
		}
		if w.conn.Write(w.t.Context(), 1, []byte(`{"type":"seen"}`)) != nil {
			return
		}
	}
}

// seesColour waits for a picture whose middle is right.
func (w *watcher) seesColour(t testing.TB, right func([3]uint32) bool) {
	t.Helper()
	for {
		img := decoded(t, w.frame())
		r, g, b, _ := img.At(320, 200).RGBA()
		if right([3]uint32{r, g, b}) {
			return
		}
	}
}
