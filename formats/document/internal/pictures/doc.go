// Package pictures takes the pictures that readers find in a file, and hands those that can be shown to its caller.
//
// A picture is what its bytes say, whatever its name: PNG, JPEG, GIF, WebP, AVIF, BMP, and SVG without scripts, which are what browsers
// show. It is known by its hash, so that one in many places is kept once. Number, bytes and pixels are bounded; what is left out is
// named in warnings. Pictures are neither decoded nor changed here, and the package knows no format of documents. Start from New.
//
//	pictures.go  Set, Parts, Limits
//	leftout.go   why pictures are left out, and the warnings
//	kind.go      media types by content, and sizes in pixels
//	svg.go       SVG that does no harm
package pictures
