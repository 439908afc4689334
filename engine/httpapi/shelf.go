package httpapi

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"io"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/google/uuid"
)

// Bounds of files that wait to be parsed.
const (
	uploadTime     = 10 * time.Minute // that a reference is good for
	mostUnparsed   = 10               // references of a team in unparsedWindow that it didn't parse by
	unparsedWindow = 24 * time.Hour
	mostWaiting    = 1 << 30 // bytes of all teams
)

// shelf keeps files between their upload and their parsing: each for ten minutes at most, until it is taken. They lie in a folder
// without a name, so that nobody finds them and none is left when the process ends, however it does.
type shelf struct {
	dir string // "": the system's for temporary files
	now func() time.Time

	mu       sync.Mutex
	byID     map[string]*waiting
	unparsed map[string][]time.Time // by team: when its references were given that it hasn't parsed by, oldest first
	held     int64                  // bytes, and room that was promised to files that are coming
}

// waiting is a reference and, once it was uploaded, its file.
type waiting struct {
	caller                       // who was given it
	id, name, media string       // media is "" when the client doesn't know it
	token, ref      [32]byte     // SHA-256 of the secrets to upload by and to parse by
	most            int64        // bytes
	given, expires  time.Time    // by the clock of the shelf
	coming          bool         // it is being uploaded
	file            *unnamedFile // nil: not uploaded yet
}

func newShelf(dir string, now func() time.Time) *shelf {
	return &shelf{dir: dir, now: now, byID: map[string]*waiting{}, unparsed: map[string][]time.Time{}}
}

var (
	errManyUnparsed = errors.New("too many references that weren't parsed by")
	errShelfFull    = errors.New("files that wait take all the room")
	errTaken        = errors.New("it is being uploaded, or was")
	errNotThere     = errors.New("nothing was uploaded")
	errOver         = errors.New("its time is over")
)

// secret is one that can't be guessed, and its hash.
func secret() (string, [32]byte) {
	var b [32]byte
	_, _ = rand.Read(b[:]) // never fails
	s := base64.RawURLEncoding.EncodeToString(b[:])
	return s, sha256.Sum256([]byte(s))
}

// give makes a reference.
func (s *shelf) give(by caller, name, media string, most int64) (w *waiting, token, ref string, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sweep()
	if len(s.unparsed[by.team]) >= mostUnparsed {
		return nil, "", "", errManyUnparsed
	}
	now := s.now()
	w = &waiting{caller: by, id: uuid.NewString(), name: name, media: media, most: most, given: now, expires: now.Add(uploadTime)}
	token, w.token = secret()
	ref, w.ref = secret()
	s.byID[w.id] = w
	s.unparsed[by.team] = append(s.unparsed[by.team], now)
	time.AfterFunc(uploadTime, s.tidy) // where no request comes any more
	return w, token, ref, nil
}

// tidy drops what is over.
func (s *shelf) tidy() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sweep()
}

// sweep is tidy for who holds mu.
func (s *shelf) sweep() {
	now := s.now()
	for _, w := range s.byID {
		if !w.coming && !now.Before(w.expires) {
			s.drop(w)
		}
	}
	for team, given := range s.unparsed {
		given = slices.DeleteFunc(given, func(at time.Time) bool { return now.Sub(at) >= unparsedWindow })
		if s.unparsed[team] = given; len(given) == 0 {
			delete(s.unparsed, team)
		}
	}
}

// drop forgets a reference and its file. The caller holds mu.
func (s *shelf) drop(w *waiting) {
	delete(s.byID, w.id)
	if w.file != nil {
		s.held -= w.file.size
		w.file.close()
	}
}

// find gives a reference by its id; nil: there is none, or no longer.
func (s *shelf) find(id string) *waiting {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sweep()
	return s.byID[id]
}

// withToken gives the reference whose URL has the id and the token.
func (s *shelf) withToken(id, token string) *waiting {
	w, hash := s.find(id), sha256.Sum256([]byte(token))
	if w == nil || subtle.ConstantTimeCompare(w.token[:], hash[:]) != 1 {
		return nil
	}
	return w
}

// withRef gives the reference of that secret.
func (s *shelf) withRef(ref string) *waiting {
	hash := sha256.Sum256([]byte(ref))
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sweep()
	for _, w := range s.byID {
		if subtle.ConstantTimeCompare(w.ref[:], hash[:]) == 1 {
			return w
		}
	}
	return nil
}

// put takes a file in: one for each reference. One that breaks off leaves the reference as it was.
func (s *shelf) put(w *waiting, body io.Reader) error {
	if err := s.begin(w); err != nil {
		return err
	}
	file, err := receive(s.dir, body)
	s.mu.Lock()
	defer s.mu.Unlock()
	w.coming = false
	s.held -= w.most
	if err == nil {
		w.file = file
		s.held += file.size
	}
	s.sweep() // its time may have run out meanwhile
	return err
}

func (s *shelf) begin(w *waiting) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.byID[w.id] != w:
		return errOver
	case w.coming || w.file != nil:
		return errTaken
	case s.held+w.most > mostWaiting:
		return errShelfFull
	}
	w.coming = true
	s.held += w.most
	return nil
}

// take hands the file over, to be closed by the caller. The reference is then gone.
func (s *shelf) take(w *waiting) (*unnamedFile, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.byID[w.id] != w:
		return nil, errOver
	case w.file == nil:
		return nil, errNotThere
	}
	file := w.file
	w.file = nil
	s.held -= file.size
	delete(s.byID, w.id)
	given := s.unparsed[w.team]
	if i := slices.Index(given, w.given); i >= 0 {
		s.unparsed[w.team] = slices.Delete(given, i, i+1)
	}
	return file, nil
}

// unnamedFile is a file that only who has it open can read.
type unnamedFile struct {
	*os.File
	size  int64
	named bool // where an open file can't be without a name
}

// receive reads body into a file.
func receive(dir string, body io.Reader) (*unnamedFile, error) {
	f, err := os.CreateTemp(dir, "winnow-upload-")
	if err != nil {
		return nil, err
	}
	u := &unnamedFile{File: f, named: os.Remove(f.Name()) != nil}
	if u.size, err = io.Copy(f, body); err != nil {
		u.close()
		return nil, err
	}
	return u, nil
}

func (u *unnamedFile) close() {
	_ = u.Close() // nothing of it is needed any more
	if u.named {
		_ = os.Remove(u.Name())
	}
}

// content reads the file from its beginning.
func (u *unnamedFile) content() io.Reader { return io.NewSectionReader(u.File, 0, u.size) }
