// Package office reads office documents and their kin into HTML.
// It gives the content of a body element, with headings, lists, tables, links and notes, and the file's metadata.
//
// Detection of kinds is not done here (package document does), nor is markdown. Nothing is fetched,
// run or written: macros, external entities and links are data at most. Every reader takes a context,
// bounds what it unpacks and writes, and returns the readable part of a damaged file. Start from DOCX.
//
//	office.go        Options, Limits, errors, what all readers share
//	pack.go          zip archives in memory, bounded; the pictures in them go to package pictures, drawings are read by package drawing
//	opc.go           packages of Office Open XML: relationships, properties
//	container.go     encrypted packages, and whether the library may read their containers
//	docx.go          DOCX: the flow of a text
//	docx_*.go        its styles, numbering, runs, tables, notes
//	math.go          equations to MathML
//	xlsx*.go, csv.go workbooks and text tables; grid.go: the cells of a sheet; hidden.go: those that aren't shown
//	leftout.go       what a file holds and the text doesn't show, counted
//	pptx.go, ppt.go  presentations, and those of before 2007; chart.go: the values of charts
//	odf*.go          what OpenDocument files share; odt.go, ods.go, odp.go
//	rtf*.go          rich text: tokens, text, control words, tables of fonts, styles and lists
//	epub*.go, eml.go books; messages, those of Outlook too
//	detect.go        the kind of an archive
//	word.go          texts of before 2007
//	xls.go           workbooks of before 2007
package office
