package page

import (
	"fmt"
	"os"
	"path/filepath"
)

// Asset gives a picture or file as a data URI or, where there is a folder for assets and
// something may be kept, as the path of a new file in it.
func (g *Getter) Asset(private bool, id string, img Image) (string, error) {
	folder := g.AssetDir
	switch {
	case len(img.Bytes) == 0:
		return "", nil
	case folder == "" || private:
		return img.DataURI(), nil
	}
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return "", fmt.Errorf("asset folder: %w", err)
	}
	path := filepath.Join(folder, id+img.Extension())
	return path, os.WriteFile(path, img.Bytes, 0o600)
}
