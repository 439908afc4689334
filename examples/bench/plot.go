//go:build linux

package main

import (
	"bytes"
	"fmt"
	"html"
)

// The sizes of a plot, in pixels.
const (
	plotNames  = 270
	plotBars   = 420
	plotValues = 90
	plotRow    = 24
	plotHead   = 44
)

// measure is a figure of which a plot has a chart.
type measure struct {
	name string
	of   func(*result) float64
}

var measures = []measure{
	{"CPU, ms a page", (*result).cpu},
	{"peak memory, MB", (*result).memory},
	{"pages a second", (*result).speed},
}

// plot draws a chart of bars for each measure, one below the other, as SVG.
func plot(title string, results []*result) []byte {
	var b bytes.Buffer
	chart := plotHead + plotRow*len(results)
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" font-family="sans-serif" font-size="13">`+"\n",
		plotNames+plotBars+plotValues, plotRow+chart*len(measures))
	fmt.Fprintf(&b, `<rect width="100%%" height="100%%" fill="white"/><text x="8" y="18" font-weight="bold">%s</text>`+"\n", html.EscapeString(title))
	for i, m := range measures {
		drawChart(&b, plotRow+i*chart, m, results)
	}
	b.WriteString("</svg>\n")
	return b.Bytes()
}

func drawChart(b *bytes.Buffer, top int, m measure, results []*result) {
	fmt.Fprintf(b, `<text x="8" y="%d" fill="#555">%s</text>`+"\n", top+plotHead-14, m.name)
	most := 0.0
	for _, r := range results {
		most = max(most, m.of(r))
	}
	for i, r := range results {
		y, width := top+plotHead+i*plotRow, 0.0
		if most > 0 {
			width = plotBars * m.of(r) / most
		}
		fmt.Fprintf(b, `<text x="%d" y="%d" text-anchor="end">%s</text>`, plotNames-8, y+13, html.EscapeString(r.peer.what))
		fmt.Fprintf(b, `<rect x="%d" y="%d" width="%.1f" height="%d" fill="#4a7ab5"/>`, plotNames, y, width, plotRow-8)
		fmt.Fprintf(b, `<text x="%.1f" y="%d">%.3g</text>`+"\n", plotNames+width+6, y+13, m.of(r))
	}
}
