package document

import (
	"mime"
	"path"
	"strings"
)

// Kind is a kind of file. The empty Kind is unknown.
type Kind string

// The kinds. Kind.Converts reports which of them Convert reads; others return an UnsupportedError.
const (
	Unknown Kind = ""
	PDF     Kind = "pdf"

	DOCX Kind = "docx" // and docm, dotx
	XLSX Kind = "xlsx" // and xlsm, xltx
	PPTX Kind = "pptx" // and pptm, ppsx
	ODT  Kind = "odt"
	ODS  Kind = "ods"
	ODP  Kind = "odp" // and drawings
	RTF  Kind = "rtf"
	EPUB Kind = "epub"
	EML  Kind = "eml"
	MSG  Kind = "msg" // of Outlook
	CSV  Kind = "csv"
	TSV  Kind = "tsv"
	DOC  Kind = "doc" // and dot: Word 97 to 2003
	XLS  Kind = "xls" // and xlt: Excel 5 to 2003
	PPT  Kind = "ppt" // and pps: PowerPoint 97 to 2003

	ZIP Kind = "zip" // of files of any kind, read one level deep

	Feed    Kind = "feed" // RSS, Atom, JSON Feed
	JSONL   Kind = "jsonl"
	Picture Kind = "image"

	// EncryptedOffice is a DOCX, XLSX or PPTX under a password.
	EncryptedOffice Kind = "encrypted"

	// The kinds that no reader here supports.
	XLSB Kind = "xlsb"
)

// Kinds of text, which Detect gives as Unknown: formats.Parse reads them as they are.
const (
	kindHTML     Kind = "html"
	kindJSON     Kind = "json"
	kindXML      Kind = "xml"
	kindMarkdown Kind = "markdown"
	kindText     Kind = "text" // also program texts
)

// Converts reports whether Convert reads files of this kind.
func (k Kind) Converts() bool {
	switch k {
	case PDF, DOCX, XLSX, PPTX, DOC, XLS, PPT, ODT, ODS, ODP, RTF, EPUB, EML, MSG, CSV, TSV, ZIP, Feed, JSONL, Picture, EncryptedOffice:
		return true
	}
	return false
}

// Refusal is the error of Convert for a kind that it doesn't read, with what to do about such a file; nil for the others.
func (k Kind) Refusal() error {
	if k.Converts() {
		return nil
	}
	return &UnsupportedError{Kind: k, Advice: advice[k]}
}

func (k Kind) isText() bool {
	switch k {
	case kindHTML, kindJSON, kindXML, kindMarkdown, kindText:
		return true
	}
	return false
}

// byExtension are the kinds by extension of the file's name.
var byExtension = map[string]Kind{
	"pdf": PDF, "docx": DOCX, "docm": DOCX, "dotx": DOCX, "dotm": DOCX, "xlsx": XLSX, "xlsm": XLSX, "xltx": XLSX, "xltm": XLSX,
	"pptx": PPTX, "pptm": PPTX, "ppsx": PPTX, "ppsm": PPTX, "potx": PPTX, "odt": ODT, "ott": ODT, "ods": ODS, "ots": ODS, "odp": ODP, "otp": ODP, "odg": ODP,
	"rtf": RTF, "epub": EPUB, "eml": EML, "csv": CSV, "tsv": TSV, "tab": TSV, "rss": Feed, "atom": Feed, "jsonl": JSONL, "ndjson": JSONL,
	"png": Picture, "jpg": Picture, "jpeg": Picture, "gif": Picture, "bmp": Picture, "webp": Picture, "tif": Picture, "tiff": Picture, "avif": Picture, "jp2": Picture, "heic": Picture,
	"html": kindHTML, "htm": kindHTML, "xhtml": kindHTML, "json": kindJSON, "xml": kindXML, "md": kindMarkdown, "markdown": kindMarkdown, "txt": kindText, "text": kindText, "log": kindText,
	"doc": DOC, "dot": DOC, "xls": XLS, "xlt": XLS, "ppt": PPT, "pps": PPT, "msg": MSG, "xlsb": XLSB, "zip": ZIP,
}

// byMediaType are the kinds by media type.
var byMediaType = map[string]Kind{
	"application/pdf": PDF, "application/x-pdf": PDF,
	"application/vnd.openxmlformats-officedocument.wordprocessingml.document":   DOCX,
	"application/vnd.ms-word.document.macroenabled.12":                          DOCX,
	"application/vnd.openxmlformats-officedocument.spreadsheetml.sheet":         XLSX,
	"application/vnd.ms-excel.sheet.macroenabled.12":                            XLSX,
	"application/vnd.openxmlformats-officedocument.presentationml.presentation": PPTX,
	"application/vnd.openxmlformats-officedocument.presentationml.slideshow":    PPTX,
	"application/vnd.ms-powerpoint.presentation.macroenabled.12":                PPTX,
	"application/vnd.oasis.opendocument.text":                                   ODT,
	"application/vnd.oasis.opendocument.spreadsheet":                            ODS,
	"application/vnd.oasis.opendocument.presentation":                           ODP,
	"application/rtf": RTF, "text/rtf": RTF, "application/epub+zip": EPUB, "message/rfc822": EML,
	"text/csv": CSV, "application/csv": CSV, "text/tab-separated-values": TSV,
	"application/rss+xml": Feed, "application/atom+xml": Feed, "application/feed+json": Feed, "application/rdf+xml": kindXML,
	"application/jsonl": JSONL, "application/x-ndjson": JSONL, "application/x-jsonlines": JSONL, "application/jsonlines": JSONL,
	"text/html": kindHTML, "application/xhtml+xml": kindHTML, "application/json": kindJSON, "text/json": kindJSON, "application/xml": kindXML, "text/xml": kindXML,
	"text/markdown": kindMarkdown, "text/x-markdown": kindMarkdown, "text/plain": kindText,
	"application/msword": DOC, "application/vnd.ms-excel": XLS, "application/vnd.ms-powerpoint": PPT, "application/vnd.ms-outlook": MSG,
	"application/vnd.ms-excel.sheet.binary.macroenabled.12": XLSB, "application/zip": ZIP,
}

// claimed is what the media type and the name say, the one of the media type first; general types say nothing.
func (in Input) claimed() Kind {
	media, _ := in.media()
	kind := byMediaType[media]
	if strings.HasPrefix(media, "image/") && !strings.HasSuffix(media, "+xml") {
		kind = Picture
	}
	name := in.Name
	if name == "" {
		name, _, _ = strings.Cut(in.URL, "?")
	}
	byName := byExtension[strings.ToLower(strings.TrimPrefix(path.Ext(name), "."))]
	// text/plain and XLS are what servers say when they don't know better.
	if kind == Unknown || byName != Unknown && (kind == kindText || kind == kindXML || kind == kindJSON || kind == XLS || kind == ZIP) {
		return byName
	}
	return kind
}

// media is the media type without parameters, in lower case, and its charset.
func (in Input) media() (media, charset string) {
	media, params, err := mime.ParseMediaType(in.MediaType)
	if err != nil {
		media, _, _ = strings.Cut(strings.ToLower(in.MediaType), ";")
	}
	return strings.TrimSpace(media), params["charset"]
}
