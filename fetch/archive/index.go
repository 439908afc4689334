package archive

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
)

// maxLine bounds a line of an index, in bytes.
const maxLine = 1 << 20

// Index looks addresses up in a CDXJ index by binary search: it reads some lines of it, however long it is. It is safe for concurrent
// use if its io.ReaderAt is.
type Index struct {
	r    io.ReaderAt
	size int64
}

// NewIndex makes an Index of size bytes. The lines must be sorted, as WriteIndex leaves them.
func NewIndex(r io.ReaderAt, size int64) *Index { return &Index{r, size} }

// Lookup returns the entries of an address, in order of time: those with exactly its spelling, or, if there are none, those with its Key.
// The error is that of reading, or of a line that can't be read.
func (x *Index) Lookup(address string) ([]Entry, error) {
	var same, like []Entry
	key := Key(address) + " "
	err := x.from(key, func(line string) (bool, error) {
		if !strings.HasPrefix(line, key) {
			return false, nil
		}
		e, err := ParseEntry(line)
		if sameURL(e.URL, address) {
			same = append(same, e)
		}
		like = append(like, e)
		return true, err
	})
	if len(same) > 0 {
		return same, err
	}
	return like, err
}

// Siblings returns up to n entries whose addresses have the host and the path of an address, whatever their parameters. The error is
// that of Lookup.
func (x *Index) Siblings(address string, n int) (found []Entry, err error) {
	path, _, _ := strings.Cut(Key(address), "?")
	err = x.from(path, func(line string) (bool, error) {
		if rest, ok := strings.CutPrefix(line, path); !ok || rest[0] != ' ' && rest[0] != '?' {
			return ok && len(found) < n, nil
		}
		e, err := ParseEntry(line)
		found = append(found, e)
		return len(found) < n, err
	})
	return found, err
}

// Nearest returns up to n recorded addresses whose keys share the longest beginning with that of an address, the nearest first.
func (x *Index) Nearest(address string, n int) ([]string, error) {
	key := Key(address)
	before, err := x.before(key, n)
	if err != nil {
		return nil, err
	}
	after, err := x.after(key, n)
	if err != nil {
		return nil, err
	}
	found := append(after, before...)
	slices.SortStableFunc(found, func(a, b string) int { return shared(Key(b), key) - shared(Key(a), key) })
	return found[:min(n, len(found))], nil
}

// Likeness is how much of their keys two addresses share, from the beginning, in bytes.
func Likeness(a, b string) int { return shared(Key(a), Key(b)) }

// after returns up to n different addresses from the key on.
func (x *Index) after(key string, n int) (found []string, err error) {
	err = x.from(key, func(line string) (bool, error) {
		e, err := ParseEntry(line)
		if !slices.Contains(found, e.URL) && err == nil {
			found = append(found, e.URL)
		}
		return len(found) < n, err
	})
	return found, err
}

// nearLines is how far before an address is looked for others, in bytes.
const nearLines = 16 << 10

// before returns up to n different addresses before the key, the nearest first.
func (x *Index) before(key string, n int) (found []string, err error) {
	end, err := x.search(key)
	if err != nil {
		return nil, err
	}
	begin := max(0, end-nearLines)
	text := make([]byte, end-begin)
	if m, err := x.r.ReadAt(text, begin); m < len(text) {
		return nil, early(err)
	}
	lines := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	if begin > 0 {
		lines = lines[1:]
	}
	for _, line := range slices.Backward(lines) {
		if e, err := ParseEntry(line); err == nil && !slices.Contains(found, e.URL) && len(found) < n {
			found = append(found, e.URL)
		}
	}
	return found, nil
}

// shared is how long the common beginning of two keys is.
func shared(a, b string) int {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}

// from visits the lines that are not before a key, until visit returns false or an error.
func (x *Index) from(key string, visit func(line string) (bool, error)) error {
	at, err := x.search(key)
	if err != nil {
		return err
	}
	in := bufio.NewReader(io.NewSectionReader(x.r, at, x.size-at))
	for {
		line, err := readLine(in)
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if more, err := visit(line); !more || err != nil {
			return err
		}
	}
}

// search finds the beginning of the first line that is not before a key.
func (x *Index) search(key string) (int64, error) {
	low, high := int64(0), x.size
	for low < high {
		middle := low + (high-low)/2
		begin, line, err := x.lineAt(middle)
		switch {
		case err != nil:
			return 0, err
		case begin >= x.size || line >= key:
			high = middle
		default:
			low = begin + 1
		}
	}
	begin, _, err := x.lineAt(low)
	return begin, err
}

// lineAt returns the first line that begins at an offset or behind it, and where; x.size if there is none.
func (x *Index) lineAt(offset int64) (int64, string, error) {
	begin := max(0, offset-1)
	in := bufio.NewReaderSize(io.NewSectionReader(x.r, begin, x.size-begin), 4<<10)
	if offset > 0 {
		skipped, err := readLine(in)
		if err == io.EOF {
			return x.size, "", nil
		}
		if err != nil {
			return 0, "", err
		}
		begin = min(begin+int64(len(skipped))+1, x.size)
	}
	line, err := readLine(in)
	if err == io.EOF {
		return x.size, "", nil
	}
	return begin, line, err
}

// readLine reads a line without "\n". A "\r" before that stays, so that the line's length is right.
func readLine(in *bufio.Reader) (string, error) {
	var b bytes.Buffer
	for {
		part, err := in.ReadSlice('\n')
		b.Write(part)
		switch {
		case b.Len() > maxLine:
			return "", fmt.Errorf("a line of an index has more than %d bytes", maxLine)
		case err == nil:
			return strings.TrimSuffix(b.String(), "\n"), nil
		case err == io.EOF && b.Len() > 0:
			return b.String(), nil
		case err != bufio.ErrBufferFull:
			return "", err
		}
	}
}
