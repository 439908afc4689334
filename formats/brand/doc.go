// Package brand judges the look of a site: its colours, fonts, distances, buttons, pictures and name.
//
// It runs no browser and no script and asks no model. [Script] is the text of what takes samples in a live page, of real computed styles;
// whoever has the page runs it and hands the answer to [Decode]. [Judge] does the rest: it is a pure function, the same samples give the
// same brand. Which colour has which role is a matter of weights; they stand with the functions that apply them.
//
//	brand.go       Brand, the answer
//	sample.js      what takes the samples
//	samples.go     Samples, Decode, Script
//	judge.go       Judge: the order of the judgement; start here
//	color.go       colours of CSS, read, mixed and compared
//	colorspace.go  from one colour space to another
//	scheme.go      the page's ground, light or dark
//	palette.go     colours by how much they are used
//	roles.go       colours by role
//	fonts.go       font families
//	typography.go  sizes, weights, line heights
//	spacing.go     distances and radii
//	buttons.go     the primary and the secondary button
//	controls.go    how a control looks; the input
//	logo.go        the logo, favicon and other pictures
//	structured.go  what JSON-LD says of name and logo
//	name.go        the brand's name
//	measure.go     icons, animations, layout, tone
package brand
