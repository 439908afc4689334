// Package pagedata reads what a page holds as data for scripts and machines: JSON-LD and the states of frameworks.
//
//	data.go        Data: scripts and attributes; the graph of package structured
//	jsonld.go      Item: an object of JSON-LD, and the values of its properties
//	jsonrepair.go  repairing JSON as pages break it
//	subject.go     which of the items is the subject of the page
//	state.go       the texts in the states of frameworks
//	markup.go      HTML as a value
package pagedata
