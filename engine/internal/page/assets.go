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
	if err := os.WriteFile(path, img.Bytes, 0o600); err != nil {
		_ = os.Remove(path) // a part of a picture is none
		return "", fmt.Errorf("asset folder: %w", err)
	}
	return path, nil
}
