package install

import (
	"encoding/json"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// failureAge is how long a file that failed its test is skipped: a missing dependency may have been installed since.
const failureAge = time.Hour

// records remember earlier findings about files, each with the stamp of the file then. A damaged or foreign records file counts as empty.
type records struct {
	file    string
	changed bool
	Known   map[string]record `json:"known"`
}

// record is the finding about one file.
type record struct {
	Size    int64     `json:"size"`
	Time    time.Time `json:"time"`
	Checked time.Time `json:"checked"`
	OK      bool      `json:"ok"`
	Why     string    `json:"why,omitempty"` // of a failure
	Text    string    `json:"text,omitempty"`
	Missing []string  `json:"missing,omitempty"` // scripts that are not drawn
}

const maxRecords = 200

func readRecords(file string) *records {
	r := &records{file: file}
	if data, err := os.ReadFile(file); err == nil {
		_ = json.Unmarshal(data, r)
	}
	if r.Known == nil || len(r.Known) > maxRecords {
		r.Known = map[string]record{}
	}
	return r
}

// get returns the finding about the file at path, if it is still the same file. kind keeps different questions about one file apart.
func (r *records) get(kind, path string) (record, bool) {
	known, ok := r.Known[kind+":"+path]
	info, err := os.Stat(path)
	if !ok || err != nil || info.Size() != known.Size || !info.ModTime().Equal(known.Time) {
		return record{}, false
	}
	return known, known.OK || time.Since(known.Checked) < failureAge
}

// put remembers the finding about the file at path.
func (r *records) put(kind, path string, found record) {
	info, err := os.Stat(path)
	if err != nil {
		return
	}
	found.Size, found.Time, found.Checked = info.Size(), info.ModTime(), time.Now()
	r.Known[kind+":"+path] = found
	r.changed = true
}

// save writes the records, by a new file that replaces the old. Failing costs only time, at the next call.
func (r *records) save(log *slog.Logger) {
	if !r.changed {
		return
	}
	data, err := json.MarshalIndent(r, "", "\t")
	if err == nil {
		err = replaceFile(r.file, data, 0o644)
	}
	if err != nil {
		log.Debug("remember the installation", "error", err)
	}
}

// replaceFile writes a file whole or not at all.
func replaceFile(path string, data []byte, mode os.FileMode) error {
	f, err := os.CreateTemp(filepath.Dir(path), temporaryPrefix)
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	if _, err = f.Write(data); err == nil {
		err = f.Chmod(mode)
	}
	if e := f.Close(); err == nil {
		err = e
	}
	if err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

// temporaryPrefix marks files of an installation in progress.
const temporaryPrefix = "unfinished-"

// sweepTemporary removes the remains of an interrupted installation. The caller holds the lock, so they are not in use any more.
func sweepTemporary(cache string) {
	entries, _ := os.ReadDir(cache)
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), temporaryPrefix) {
			_ = os.RemoveAll(filepath.Join(cache, e.Name()))
		}
	}
}
