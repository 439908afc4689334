package page

import (
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

// Extension is that of a file that holds the picture, for the types that browsers write; ".bin" for all others.
func (i Image) Extension() string {
	switch i.MediaType {
	case "image/png":
		return ".png"
	case "image/jpeg":
		return ".jpg"
	}
	return ".bin"
}
