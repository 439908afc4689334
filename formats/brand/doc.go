// Package brand judges the look of a site: its colors, fonts, distances, buttons, pictures and name.
//
// It runs no browser and no script and calls no model. [Script] is the text of a script that takes samples in a live page, of real
// computed styles; the owner of the page runs it and passes the answer to [Decode]. [Judge] does the rest: it is a pure function, the
// same samples give the same brand. Which color has which role is a matter of weights; they stand with the functions that apply them.
//
//	brand.go       Brand, the answer
//	sample.js      the script that takes the samples
//	samples.go     Samples, Decode, Script
//	judge.go       Judge: the order of the judgement; start here
//	color.go       colors of CSS, read, mixed and compared
//	colorspace.go  from one color space to another
//	scheme.go      the page's ground, light or dark
//	palette.go     colors by how much they are used
//	roles.go       colors by role
//	fonts.go       font families
//	typography.go  sizes, weights, line heights
//	spacing.go     distances and radii
//	buttons.go     the primary and the secondary button
//	controls.go    how a control looks; the input
//	logo.go        the logo, favicon and other pictures
//	structured.go  name and logo in JSON-LD
//	name.go        the brand's name
//	measure.go     icons, animations, layout, tone
package brand
