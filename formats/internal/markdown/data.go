package markdown

import (
	"encoding/base64"
	"encoding/binary"
	"net/url"
	"strings"
)

// isDataImage reports an address that is the picture itself, in whatever encoding, or data of an undeclared type. Other data
// is no picture.
func isDataImage(src string) bool {
	data, ok := cutData(src)
	return ok && (data == "" || data[0] == ',' || data[0] == ';' || strings.HasPrefix(strings.ToLower(data[:min(len(data), 6)]), "image/"))
}

// cutData is what stands behind "data:".
func cutData(src string) (string, bool) {
	src = strings.TrimSpace(src)
	if len(src) < 5 || !strings.EqualFold(src[:5], "data:") {
		return "", false
	}
	return strings.TrimSpace(src[5:]), true
}

// maxBlank is how many bytes of a drawing are looked at for something that it draws; those that stand in for a picture are short.
const maxBlank = 1 << 10

// isBlankData reports data that shows nothing, as what stands in for a picture until a script has loaded it: no data, a drawing
// without a line, or a single pixel.
func isBlankData(src string) bool {
	data, ok := cutData(src)
	if !ok || !isDataImage(src) {
		return false
	}
	kind, body, _ := strings.Cut(data, ",")
	if body == "" {
		return true
	}
	if kind = strings.ToLower(kind); strings.HasPrefix(kind, "image/svg") {
		return len(body) <= maxBlank && isEmptyDrawing(decoded(kind, body))
	}
	return isPixel(decoded(kind, body[:min(len(body), 64)]))
}

// decoded is the body of a data address; "" when it can't be read.
func decoded(kind, body string) string {
	body, err := url.PathUnescape(body)
	if err != nil {
		return ""
	}
	if !strings.HasSuffix(kind, ";base64") {
		return body
	}
	body = strings.TrimRight(body, "=")
	b, err := base64.RawStdEncoding.DecodeString(body[:len(body)/4*4])
	if err != nil {
		return ""
	}
	return string(b)
}

// isEmptyDrawing reports an svg element with nothing in it, or only a rectangle that isn't painted.
func isEmptyDrawing(svg string) bool {
	svg = strings.ToLower(svg)
	_, rest, found := strings.Cut(svg, "<svg")
	if !found {
		return false
	}
	_, inside, _ := strings.Cut(rest, ">")
	inside, _, _ = strings.Cut(inside, "</svg")
	inside = strings.TrimSpace(strings.ReplaceAll(inside, "'", `"`))
	if !strings.HasPrefix(inside, "<rect") || strings.Count(inside, "<") > strings.Count(inside, "</rect")+1 {
		return inside == ""
	}
	return strings.Contains(inside, `fill-opacity="0"`) || strings.Contains(inside, `fill="none"`) && !strings.Contains(inside, "stroke")
}

// isPixel reports the beginning of a GIF or PNG file with one pixel.
func isPixel(head string) bool {
	b := []byte(head)
	switch {
	case strings.HasPrefix(head, "GIF8") && len(b) >= 10:
		return binary.LittleEndian.Uint32(b[6:]) == 1<<16|1
	case strings.HasPrefix(head, "\x89PNG") && len(b) >= 24:
		return binary.BigEndian.Uint64(b[16:]) == 1<<32|1
	}
	return false
}
