package document

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/winnow-go/winnow/formats/document/internal/compound"
	"github.com/winnow-go/winnow/formats/document/internal/feed"
	"github.com/winnow-go/winnow/formats/document/internal/office"
)

// Detect returns the kind of a file: by its content first, then by its media type, then by its name's extension. A false name
// is detected: binary kinds are accepted only when the content is one, or unreadable as anything else. Web pages, plain
// text and other texts that formats.Parse reads as they are count as Unknown.
func Detect(in Input) Kind {
	if kind := detect(in); !kind.isText() {
		return kind
	}
	return Unknown
}

func detect(in Input) Kind {
	if kind := byMagic(in.Body); kind != Unknown {
		return kind
	}
	claim := in.claimed()
	if len(bytes.TrimSpace(in.Body)) == 0 || !isText(in.Body) {
		switch {
		case claim == CSV || claim == TSV || claim == EML:
			if isBinary(in.Body) {
				return Unknown
			}
			return claim // in some encoding of its own
		case claim.isText() || claim == Feed || claim == JSONL:
			return textOrUnknown(in.Body, claim)
		}
		return claim
	}
	return byText(in.Body, claim)
}

// textOrUnknown believes a claim to be text unless zeros show that the bytes are none.
func textOrUnknown(body []byte, claim Kind) Kind {
	if bytes.IndexByte(body[:min(len(body), 4096)], 0) >= 0 {
		return Unknown
	}
	return claim
}

// byMagic knows kinds by the bytes they begin with.
func byMagic(body []byte) Kind {
	switch {
	case bytes.HasPrefix(body, []byte("PK\x03\x04")), bytes.HasPrefix(body, []byte("PK\x05\x06")):
		return zipKind(body)
	case bytes.HasPrefix(body, []byte("\xD0\xCF\x11\xE0")):
		return containerKind(body)
	case bytes.HasPrefix(trimBOM(body), []byte(`{\rtf`)):
		return RTF
	case isImage(body):
		return Picture
	case hasPDFHeader(body):
		return PDF
	}
	return Unknown
}

// hasPDFHeader looks for it in the first kilobyte, where readers of PDF look. A page that only speaks of PDF is none.
func hasPDFHeader(body []byte) bool {
	i := bytes.Index(body[:min(len(body), 1024)], []byte("%PDF-"))
	return i == 0 || i > 0 && !looksLikeHTML(body[:i])
}

func zipKind(body []byte) Kind {
	switch kind := office.ZipKind(body); kind {
	case "odg":
		return ODP
	case "":
		return Unknown // damaged: what it claims to be is the best guess
	default:
		return Kind(kind)
	}
}

func containerKind(body []byte) Kind {
	if kind := compound.Kind(body); kind != "" {
		return Kind(kind)
	}
	return Unknown
}

// byText distinguishes kinds of text. claim counts where contents look alike.
func byText(body []byte, claim Kind) Kind {
	head := bytes.TrimSpace(trimBOM(body[:min(len(body), 4096)]))
	switch {
	case feed.Is(body):
		return Feed
	case claim == CSV || claim == TSV || claim == kindMarkdown || claim == EML || claim == kindText:
		if looksLikeHTML(head) && claim != kindText {
			return kindHTML
		}
		return claim
	case claim == RTF && bytes.HasPrefix(head, []byte(`{\`)): // a part of a file, such as a clipboard has
		return RTF
	case looksLikeHTML(head):
		return kindHTML
	case bytes.HasPrefix(head, []byte("<?xml")) || claim == kindXML || claim == Feed:
		return xmlKind(head)
	case claim == XLS || claim == XLSX: // a text table under a workbook's name
		return CSV
	case claim == JSONL || isJSONL(body):
		return JSONL
	case claim == kindJSON || json.Valid(head) && bytes.IndexAny(head[:1], "{[") == 0:
		return kindJSON
	case isMail(head):
		return EML
	case claim == kindHTML:
		return kindHTML
	case len(head) > 0 && (head[0] == '{' || head[0] == '['):
		return kindJSON
	}
	return kindText
}

func xmlKind(head []byte) Kind {
	if bytes.Contains(head, []byte("<html")) {
		return kindHTML
	}
	return kindXML
}

// looksLikeHTML reports a doctype or an element of HTML among the first things of a text.
func looksLikeHTML(head []byte) bool {
	low := bytes.ToLower(bytes.TrimSpace(trimBOM(head[:min(len(head), 1024)])))
	for bytes.HasPrefix(low, []byte("<!--")) {
		_, after, ok := bytes.Cut(low, []byte("-->"))
		if !ok {
			return false
		}
		low = bytes.TrimSpace(after)
	}
	for _, start := range []string{"<!doctype html", "<html", "<head", "<body", "<title", "<meta", "<div", "<table", "<p>", "<h1"} {
		if bytes.HasPrefix(low, []byte(start)) {
			return true
		}
	}
	return bytes.HasPrefix(low, []byte("<?xml")) && bytes.Contains(low, []byte("<html"))
}

// isJSONL reports several lines of which the first two are objects or arrays, each for itself.
func isJSONL(body []byte) bool {
	first, rest, _ := bytes.Cut(bytes.TrimSpace(trimBOM(body[:min(len(body), 1<<20)])), []byte("\n"))
	second, _, _ := bytes.Cut(bytes.TrimSpace(rest), []byte("\n"))
	return isJSONLine(first) && isJSONLine(second)
}

func isJSONLine(line []byte) bool {
	line = bytes.TrimSpace(line)
	return len(line) > 0 && (line[0] == '{' || line[0] == '[') && json.Valid(line)
}

// isMail reports the head of a message: lines of headers, among them some that every message has.
func isMail(head []byte) bool {
	known := 0
	for line := range strings.Lines(string(head)) {
		line = strings.TrimRight(line, "\r\n")
		if line == "" {
			break
		}
		name, _, ok := strings.Cut(line, ":")
		if !ok && line[0] != ' ' && line[0] != '\t' {
			return false
		}
		switch strings.ToLower(name) {
		case "from", "to", "subject", "date", "message-id", "received", "mime-version", "return-path", "delivered-to":
			known++
		case "content-type", "dkim-signature", "reply-to", "cc":
		}
	}
	return known >= 3
}

// isText reports a text in whatever encoding: no control characters at its start, or UTF-16 with its mark.
func isText(body []byte) bool {
	head := body[:min(len(body), 4096)]
	if bytes.HasPrefix(head, []byte{0xFE, 0xFF}) || bytes.HasPrefix(head, []byte{0xFF, 0xFE}) {
		return true
	}
	const escape = 0x1B // begins the shifts of ISO-2022
	for _, c := range head {
		if c < ' ' && c != '\t' && c != '\n' && c != '\r' && c != '\f' && c != escape {
			return false
		}
	}
	return true
}

// isBinary reports bytes that are no text in any encoding: at least one in twenty is a control character, and they
// are not UTF-16, where zeros stand between other characters.
func isBinary(body []byte) bool {
	head := body[:min(len(body), 4096)]
	const escape = 0x1B
	control, zeros := 0, [2]int{}
	for i, c := range head {
		if c == 0 {
			zeros[i&1]++
		}
		if c < '\t' || c > '\r' && c < ' ' && c != escape {
			control++
		}
	}
	wide := max(zeros[0], zeros[1]) > len(head)/5 && min(zeros[0], zeros[1]) < len(head)/20
	return control*20 >= max(len(head), 1) && !wide
}

func trimBOM(b []byte) []byte { return bytes.TrimPrefix(b, []byte("\xEF\xBB\xBF")) }
