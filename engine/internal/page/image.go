package page

import (
	"cmp"
	"encoding/base64"
)

// Image is an encoded picture; the zero value is none.
type Image struct {
	MediaType string
	Bytes     []byte
}

// DataURI is the picture by RFC 2397.
func (i Image) DataURI() string {
	return "data:" + i.MediaType + ";base64," + base64.StdEncoding.EncodeToString(i.Bytes)
}

// extensions are those of pictures that browsers write, and that files have in them.
var extensions = map[string]string{
	"image/png": ".png", "image/jpeg": ".jpg", "image/gif": ".gif", "image/webp": ".webp", "image/avif": ".avif", "image/bmp": ".bmp",
	"image/svg+xml": ".svg",
}

// Extension is that of a file that holds the picture; ".bin" for what is none.
func (i Image) Extension() string { return cmp.Or(extensions[i.MediaType], ".bin") }
