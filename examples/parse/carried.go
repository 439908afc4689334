package main

import (
	"strings"

	"github.com/winnow-go/winnow/engine"
)

// carried are the built-in sample files.
func carried() []engine.ParseInput {
	var inputs []engine.ParseInput
	for _, f := range []struct{ name, content string }{
		{"harvest.csv", "Crop,Sacks,Dry\nBarley,12,yes\n\"Oats, white\",7,no\n"},
		{"letter.rtf", `{\rtf1\ansi\ansicpg1252 {\b To the miller}\par The oats are \i dry\i0  now; twelve sacks, at three marks each, are yours.\par}`},
		{"loft.html", `<title>The loft</title><nav><a href="/">Home</a></nav><main><h1>The loft</h1><p>It is swept twice a year.</p><ul><li>in May</li><li>before the harvest</li></ul></main>`},
	} {
		inputs = append(inputs, engine.ParseInput{Reader: strings.NewReader(f.content), Name: f.name})
	}
	return inputs
}
