package page

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/winnow-go/winnow/formats/document"
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
	if err := makeFolder(folder); err != nil {
		return "", err
	}
	path := filepath.Join(folder, id+img.Extension())
	if err := os.WriteFile(path, img.Bytes, 0o600); err != nil {
		_ = os.Remove(path) // a part of a picture is none
		return "", fmt.Errorf("asset folder: %w", err)
	}
	return path, nil
}

func makeFolder(folder string) error {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return fmt.Errorf("asset folder: %w", err)
	}
	return nil
}

// Pictures is where the pictures in a file go: to a folder, or, without one, into data URIs.
type Pictures struct {
	Folder string
}

// Pictures is where the pictures of files go; private ones aren't written.
func (g *Getter) Pictures(private bool) *Pictures {
	if private {
		return &Pictures{}
	}
	return &Pictures{Folder: g.AssetDir}
}

// maxDataURIs bounds the bytes of a file's pictures that become data URIs, together.
const maxDataURIs = 8 << 20

// pictureKeeper keeps the pictures of one file.
type pictureKeeper struct {
	Pictures
	known map[string]string // addresses by hash
	paths map[string]bool
	bytes int // of data URIs
	left  int // pictures without room for one
}

func (p Pictures) keeper() *pictureKeeper {
	return &pictureKeeper{Pictures: p, known: map[string]string{}, paths: map[string]bool{}}
}

// keep returns the address of a picture, "" where there is no room for it.
func (k *pictureKeeper) keep(hash string, img document.Image) (string, error) {
	address, known := k.known[hash]
	if known {
		return address, nil
	}
	picture, err := Image{MediaType: img.MediaType, Bytes: img.Body}, error(nil)
	switch {
	case k.Folder != "":
		address, err = k.write(hash+picture.Extension(), img.Body)
		k.paths[address] = true
	case k.bytes+len(img.Body) > maxDataURIs:
		k.left++
	default:
		k.bytes += len(img.Body)
		address = picture.DataURI()
	}
	k.known[hash] = address
	return address, err
}

// write puts a picture into the folder under a name that its content has. Another document may have it there already, or write it at
// the same moment: no reader sees a part of it.
func (k *pictureKeeper) write(name string, body []byte) (path string, err error) {
	path = filepath.Join(k.Folder, name)
	if info, err := os.Lstat(path); err == nil && info.Mode().IsRegular() && info.Size() == int64(len(body)) {
		return path, nil
	}
	if err := makeFolder(k.Folder); err != nil {
		return "", err
	}
	f, err := os.CreateTemp(k.Folder, ".picture-*") // readable by its owner alone
	if err != nil {
		return "", fmt.Errorf("asset folder: %w", err)
	}
	_, err = f.Write(body)
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		_ = os.Remove(f.Name())
		return "", fmt.Errorf("asset folder: %w", err)
	}
	return path, nil
}

// warnings say what had no room.
func (k *pictureKeeper) warnings() []string {
	if k.left == 0 {
		return nil
	}
	return []string{fmt.Sprintf("Pictures were left out (data URIs have room for %d MiB, a folder for assets would have it for all): %d.", maxDataURIs>>20, k.left)}
}
