package engine

import (
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
)

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

// asset gives a picture as a data URI or, where there is a folder for assets and
// something may be kept, as the path of a new file in it.
func (s *scrape) asset(id string, img image) (string, error) {
	folder := s.engine.options.AssetDir
	switch {
	case len(img.bytes) == 0:
		return "", nil
	case folder == "" || s.plan.private():
		return img.dataURI(), nil
	}
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return "", fmt.Errorf("asset folder: %w", err)
	}
	path := filepath.Join(folder, id+img.extension())
	return path, os.WriteFile(path, img.bytes, 0o600)
}
