package local

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// The library maps its files into memory and trusts them: a truncated or changed file can crash the
// process. So each file is checked before the library opens it. A program that exits normally leaves a
// seal with the checksums of all files. After a crash the segments are checked by the checksums that
// they contain, and the library's small database by its size.

// sealed is a file's entry in the seal.
type sealed struct {
	Size int64  `json:"size"`
	Sum  uint32 `json:"sum"` // CRC-32 (IEEE) of all of it
}

// seal writes the seal.
func seal(folder string) error {
	sums, err := sumFiles(folder)
	if err != nil {
		return err
	}
	text, err := json.Marshal(sums)
	if err != nil {
		return err
	}
	return writeWhole(filepath.Join(folder, sealName), text)
}

// unseal checks the files and removes the seal, since they are about to change.
func unseal(folder string) error {
	path := filepath.Join(folder, sealName)
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return afterCrash(filepath.Join(folder, filesName))
	}
	if err != nil {
		return err
	}
	var want map[string]sealed
	if err := json.Unmarshal(text, &want); err != nil {
		return fmt.Errorf("the seal is not readable: %w", err)
	}
	have, err := sumFiles(folder)
	if err != nil {
		return err
	}
	for name, w := range want {
		if have[name] != w {
			return fmt.Errorf("the file %s has changed since it was sealed", name)
		}
	}
	if err := os.Remove(path); err != nil {
		return err
	}
	return syncFolder(folder)
}

// sumFiles returns the checksums of all files of the library by path.
func sumFiles(folder string) (map[string]sealed, error) {
	sums := map[string]sealed{}
	root := filepath.Join(folder, filesName)
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		sums[filepath.ToSlash(name)], _, err = sumFile(path, 0)
		return err
	})
	return sums, err
}

// sumFile returns the checksum of a file without its last bytes, and those.
func sumFile(path string, without int64) (s sealed, last []byte, err error) {
	f, err := os.Open(path)
	if err != nil {
		return s, nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return s, nil, err
	}
	if info.Size() < without {
		return s, nil, io.ErrUnexpectedEOF
	}
	h := crc32.NewIEEE()
	if _, err := io.CopyN(h, f, info.Size()-without); err != nil {
		return s, nil, err
	}
	last, err = io.ReadAll(f)
	return sealed{info.Size(), h.Sum32()}, last, err
}

const segmentSuffix = ".zap"

// afterCrash checks the files of a program that crashed. Incomplete segments are removed: one that
// was being written is not needed, and without one that was in use the library refuses to open, which
// counts as damage.
func afterCrash(files string) error {
	return filepath.WalkDir(files, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		switch name := d.Name(); {
		case strings.HasSuffix(name, segmentSuffix):
			if !wholeSegment(path) {
				return os.Remove(path)
			}
		case name == "root.bolt":
			return checkRoot(path)
		}
		return nil
	})
}

// wholeSegment reports whether the checksum at the end of a segment matches what precedes it.
func wholeSegment(path string) bool {
	const sumBytes = 4
	s, last, err := sumFile(path, sumBytes)
	return err == nil && len(last) == sumBytes && binary.BigEndian.Uint32(last) == s.Sum
}

// checkRoot checks that the library's database, a bbolt file, has as many pages as its two meta
// pages say.
func checkRoot(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	var head [128]byte
	if _, err := f.ReadAt(head[:], 0); err != nil {
		return fmt.Errorf("root.bolt is truncated: %w", err)
	}
	const magicAt, pageSizeAt, pagesAt, magic = 16, 24, 56, 0xED0CDAED
	pageSize := int64(binary.NativeEndian.Uint32(head[pageSizeAt:]))
	if binary.NativeEndian.Uint32(head[magicAt:]) != magic || pageSize < 512 || pageSize > 1<<16 {
		return errors.New("root.bolt is not a database")
	}
	for page := range int64(2) {
		if _, err := f.ReadAt(head[:], page*pageSize); err != nil {
			return fmt.Errorf("root.bolt is truncated: %w", err)
		}
		if pages := binary.NativeEndian.Uint64(head[pagesAt:]); pages > uint64(info.Size()/pageSize) {
			return errors.New("root.bolt is truncated")
		}
	}
	return nil
}

// writeWhole writes a file atomically.
func writeWhole(path string, data []byte) error {
	temp := path + ".new"
	f, err := os.OpenFile(temp, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	if err := os.Rename(temp, path); err != nil {
		return err
	}
	return syncFolder(filepath.Dir(path))
}

// syncFolder makes a folder's names durable, if the system supports it.
func syncFolder(folder string) error {
	d, err := os.Open(folder)
	if err != nil {
		return err
	}
	defer d.Close()
	_ = d.Sync() // some systems do not support it
	return nil
}
