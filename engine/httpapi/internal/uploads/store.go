// Package uploads keeps files between their upload and their parsing.
package uploads

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

// Bounds of a [Store].
const (
	Lifetime       = 10 * time.Minute // of a reference
	MaxUnparsed    = 10               // references of a team within unparsedWindow that were not used for parsing
	unparsedWindow = 24 * time.Hour
	maxBytes       = 1 << 30 // of the files of all teams
)

// Store keeps files between their upload and their parsing: each for [Lifetime] at most, until it is taken. They lie in a folder
// without a name, so that they can't be found and none is left when the process ends, however it ends. It is safe for concurrent use.
type Store struct {
	dir string // "": the system's for temporary files
	now func() time.Time

	mu       sync.Mutex
	byID     map[string]*Upload
	unparsed map[string][]time.Time // by team: when the references were issued that were not used for parsing, oldest first
	held     int64                  // bytes of files, and bytes reserved for files that are being received
}

// Owner is the key that a reference was issued to.
type Owner struct {
	Team string
	Key  [32]byte // the hash of its secret; zero: anonymous
}

// Upload is a reference and, once it was uploaded, its file. Its exported fields don't change.
type Upload struct {
	Owner
	ID, Name, Media string    // Media is "" when the client doesn't know it
	Max             int64     // bytes
	Expires         time.Time // by the clock of the store

	token, ref [32]byte  // SHA-256 of the secrets to upload and to parse with
	issued     time.Time // by the clock of the store
	receiving  bool
	file       *File // nil: not uploaded yet
}

// NewStore returns an empty one with files in dir, "" for the system's folder for temporary files.
func NewStore(dir string, now func() time.Time) *Store {
	return &Store{dir: dir, now: now, byID: map[string]*Upload{}, unparsed: map[string][]time.Time{}}
}

// Errors of a [Store].
var (
	ErrManyUnparsed = errors.New("too many references were not used for parsing")
	ErrFull         = errors.New("the files that are waiting to be parsed take all the space")
	ErrTaken        = errors.New("the file is being uploaded or was uploaded already")
	ErrNotUploaded  = errors.New("the file has not been uploaded yet")
	ErrExpired      = errors.New("the reference has expired or was used")
)

// secret is one that can't be guessed, and its hash.
func secret() (string, [32]byte) {
	var b [32]byte
	_, _ = rand.Read(b[:]) // never fails
	s := base64.RawURLEncoding.EncodeToString(b[:])
	return s, sha256.Sum256([]byte(s))
}

// Issue makes a reference for a file of at most limit bytes, with the secrets to upload it and to parse it with. Its error
// is [ErrManyUnparsed].
func (s *Store) Issue(to Owner, name, media string, limit int64) (u *Upload, token, ref string, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sweep()
	if len(s.unparsed[to.Team]) >= MaxUnparsed {
		return nil, "", "", ErrManyUnparsed
	}
	now := s.now()
	u = &Upload{Owner: to, ID: uuid.NewString(), Name: name, Media: media, Max: limit, issued: now, Expires: now.Add(Lifetime)}
	token, u.token = secret()
	ref, u.ref = secret()
	s.byID[u.ID] = u
	s.unparsed[to.Team] = append(s.unparsed[to.Team], now)
	time.AfterFunc(Lifetime, s.tidy) // in case that no further request comes
	return u, token, ref, nil
}

// tidy drops what has expired.
func (s *Store) tidy() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sweep()
}

// sweep is tidy for a caller that holds mu.
func (s *Store) sweep() {
	now := s.now()
	for _, u := range s.byID {
		if !u.receiving && !now.Before(u.Expires) {
			s.drop(u)
		}
	}
	for team, issued := range s.unparsed {
		issued = slices.DeleteFunc(issued, func(at time.Time) bool { return now.Sub(at) >= unparsedWindow })
		if s.unparsed[team] = issued; len(issued) == 0 {
			delete(s.unparsed, team)
		}
	}
}

// drop forgets a reference and its file. The caller holds mu.
func (s *Store) drop(u *Upload) {
	delete(s.byID, u.ID)
	if u.file != nil {
		s.held -= u.file.size
		u.file.Discard()
	}
}

// Find returns a reference by its id; nil: there is none, or no longer.
func (s *Store) Find(id string) *Upload {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sweep()
	return s.byID[id]
}

// WithToken returns the reference whose URL has the id and the token, nil for none.
func (s *Store) WithToken(id, token string) *Upload {
	u, hash := s.Find(id), sha256.Sum256([]byte(token))
	if u == nil || subtle.ConstantTimeCompare(u.token[:], hash[:]) != 1 {
		return nil
	}
	return u
}

// WithRef returns the reference of that secret, nil for none.
func (s *Store) WithRef(ref string) *Upload {
	hash := sha256.Sum256([]byte(ref))
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sweep()
	for _, u := range s.byID {
		if subtle.ConstantTimeCompare(u.ref[:], hash[:]) == 1 {
			return u
		}
	}
	return nil
}

// Put receives the file of a reference, once. When it fails, the reference is as it was. Its errors are [ErrExpired], [ErrTaken],
// [ErrFull], and those of body and of the file system.
func (s *Store) Put(u *Upload, body io.Reader) error {
	if err := s.begin(u); err != nil {
		return err
	}
	file, err := receive(s.dir, body)
	s.mu.Lock()
	defer s.mu.Unlock()
	u.receiving = false
	s.held -= u.Max
	if err == nil {
		u.file = file
		s.held += file.size
	}
	s.sweep() // it may have expired meanwhile
	return err
}

func (s *Store) begin(u *Upload) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.byID[u.ID] != u:
		return ErrExpired
	case u.receiving || u.file != nil:
		return ErrTaken
	case s.held+u.Max > maxBytes:
		return ErrFull
	}
	u.receiving = true
	s.held += u.Max
	return nil
}

// Take hands the file over; the caller discards it. The reference is then used. Its errors are [ErrExpired] and [ErrNotUploaded].
func (s *Store) Take(u *Upload) (*File, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.byID[u.ID] != u:
		return nil, ErrExpired
	case u.file == nil:
		return nil, ErrNotUploaded
	}
	file := u.file
	u.file = nil
	s.held -= file.size
	delete(s.byID, u.ID)
	issued := s.unparsed[u.Team]
	if i := slices.Index(issued, u.issued); i >= 0 {
		s.unparsed[u.Team] = slices.Delete(issued, i, i+1)
	}
	return file, nil
}

// File is a file without a name, which only this process has open.
type File struct {
	*os.File
	size  int64
	named bool // on systems where an open file keeps its name
}

// receive reads body into a file.
func receive(dir string, body io.Reader) (*File, error) {
	f, err := os.CreateTemp(dir, "winnow-upload-")
	if err != nil {
		return nil, err
	}
	u := &File{File: f, named: os.Remove(f.Name()) != nil}
	if u.size, err = io.Copy(f, body); err != nil {
		u.Discard()
		return nil, err
	}
	return u, nil
}

// Discard closes the file and removes it.
func (u *File) Discard() {
	_ = u.Close() // its content is not needed any more
	if u.named {
		_ = os.Remove(u.Name())
	}
}

// Content reads the file from its beginning.
func (u *File) Content() io.Reader { return io.NewSectionReader(u.File, 0, u.size) }
