package archive

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// Verify compares every part of the file with the digests and sizes that it declares, and returns all that is wrong, joined; nil if all is
// right. A signature isn't checked. It reads the whole file.
func (w *WACZ) Verify() error {
	var errs []error
	for _, res := range w.resources {
		errs = append(errs, w.check(res))
	}
	for _, f := range w.zip.File {
		listed := slices.ContainsFunc(w.resources, func(res resource) bool { return res.path == f.Name })
		if !listed && !strings.HasSuffix(f.Name, "/") && f.Name != descriptionName && f.Name != sealName {
			errs = append(errs, fmt.Errorf("%s: %s doesn't list it", f.Name, descriptionName))
		}
	}
	if err := errors.Join(append(errs, w.checkSeal())...); err != nil {
		return fmt.Errorf("WACZ: %w", err)
	}
	return nil
}

// check compares one part.
func (w *WACZ) check(res resource) error {
	want, err := ParseDigest(res.hash)
	if err != nil {
		return fmt.Errorf("%s: %w", res.path, err)
	}
	f, err := w.file(res.path)
	if err != nil {
		return err
	}
	in, err := f.Open()
	if err != nil {
		return fmt.Errorf("%s: %w", res.path, err)
	}
	defer in.Close()
	sum := newSumming(want.Algorithm)
	n, err := io.Copy(sum, in)
	switch {
	case err != nil:
		return fmt.Errorf("%s: %w", res.path, err)
	case n != res.bytes:
		return fmt.Errorf("%s: %d bytes, not %d", res.path, n, res.bytes)
	case sum.digest() != want:
		return fmt.Errorf("%s: its digest is %s, not %s", res.path, sum.digest(), want)
	}
	return nil
}

// seal is datapackage-digest.json.
type seal struct {
	Path string `json:"path"`
	Hash string `json:"hash"`
}

// checkSeal compares the description with the digest that lies beside it. Without one there is nothing to compare.
func (w *WACZ) checkSeal() error {
	if _, err := w.file(sealName); err != nil {
		return nil
	}
	text, err := w.part(sealName)
	if err != nil {
		return err
	}
	var s seal
	if err := json.Unmarshal(text, &s); err != nil {
		return fmt.Errorf("%s: %w", sealName, err)
	}
	want, err := ParseDigest(s.Hash)
	if err != nil || s.Path != descriptionName {
		return fmt.Errorf("%s: no digest of %s", sealName, descriptionName)
	}
	described, err := w.part(descriptionName)
	if err != nil {
		return err
	}
	sum := newSumming(want.Algorithm)
	if _, _ = sum.Write(described); sum.digest() != want {
		return fmt.Errorf("%s: its digest is %s, not %s", descriptionName, sum.digest(), want)
	}
	return nil
}
