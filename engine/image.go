package engine

import "encoding/base64"

// image is an encoded picture; zero: none.
type image struct {
	mediaType string
	bytes     []byte
}

// dataURI by RFC 2397.
func (i image) dataURI() string {
	return "data:" + i.mediaType + ";base64," + base64.StdEncoding.EncodeToString(i.bytes)
}

// extension of a file that holds the picture, of the types that browsers write.
func (i image) extension() string {
	switch i.mediaType {
	case "image/png":
		return ".png"
	case "image/jpeg":
		return ".jpg"
	}
	return ".bin"
}
