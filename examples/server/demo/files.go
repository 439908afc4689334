package demo

import (
	"image/color"
	"net/http"
)

// harvest is the table in the files.
var harvest = [][]string{
	{"Grain", "Sacks 2025", "Sacks 2026", "Price of a sack"},
	{"Rye", "96", "104", "18.00"},
	{"Spelt", "61", "47", "27.50"},
	{"Barley", "40", "58", "16.20"},
	{"Millet", "12", "19", "31.00"},
}

const (
	pdfType  = "application/pdf"
	docxType = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
	xlsxType = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
)

// archive is the host of files.
func archive() http.Handler {
	p, mux := open("files"), http.NewServeMux()
	mux.HandleFunc("/", p.serve)
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) { p.show(w, http.StatusOK, "archive.view", harvest) })
	for name, file := range map[string]func() (mediaType string, data []byte){
		"report.pdf":   func() (string, []byte) { return pdfType, report() },
		"minutes.docx": func() (string, []byte) { return docxType, minutes() },
		"harvest.xlsx": func() (string, []byte) { return xlsxType, sheet(harvest) },
		"harvest.csv":  func() (string, []byte) { return types[".csv"], csvOf(harvest) },
		"loft.png":     func() (string, []byte) { return "image/png", draw(640, 400, color.RGBA{0x9a, 0x5b, 0x2f, 0xff}, 2) },
	} {
		mux.HandleFunc("GET /"+name, func(w http.ResponseWriter, _ *http.Request) {
			mediaType, data := file()
			send(w, mediaType, data)
		})
	}
	return mux
}
