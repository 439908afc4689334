package document

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// Tesseract is an OCR that runs the program tesseract, one process for each image, which reads the image from its
// standard input and ends with the context. Nothing is written to disk. The zero value runs the program found on PATH, or
// else the one that a bundle (package browser/bundle) has brought, with English. It is safe for concurrent use.
type Tesseract struct {
	// Program is the path of the program. Empty: "tesseract" on PATH, else in winnow/ocr of the user's cache folder.
	Program string
	// Languages are tesseract's own names, like "deu+eng". Empty: its default, English.
	Languages string
	// Timeout bounds one image. Defaults to a minute.
	Timeout time.Duration
	// MaxOutput bounds what the program may print for one image, in bytes. Defaults to 8 MiB.
	MaxOutput int
}

var _ OCR = (*Tesseract)(nil)

// ErrNoTesseract means that the program is not installed.
var ErrNoTesseract = errors.New("tesseract is not installed: sudo apt-get install -y tesseract-ocr (Debian, Ubuntu), and one package per language, such as tesseract-ocr-deu")

// FindTesseract returns an OCR if the program is installed, and nil if it isn't.
func FindTesseract() OCR {
	t := &Tesseract{}
	if _, err := t.program(); err != nil {
		return nil
	}
	return t
}

func (t *Tesseract) program() (string, error) {
	name := t.Program
	if name == "" {
		name = "tesseract"
	}
	path, err := exec.LookPath(name)
	if cache, unknown := os.UserCacheDir(); err != nil && t.Program == "" && unknown == nil {
		path, err = exec.LookPath(filepath.Join(cache, "winnow", "ocr", "tesseract"))
	}
	if err != nil || !filepath.IsAbs(path) { // a program beside the caller's files is not the installed one
		return "", ErrNoTesseract
	}
	return path, nil
}

// Recognize implements OCR. The error wraps ErrNoTesseract if the program isn't there.
func (t *Tesseract) Recognize(ctx context.Context, img Image) (Recognized, error) {
	path, err := t.program()
	if err != nil {
		return Recognized{}, err
	}
	timeout := t.Timeout
	if timeout <= 0 {
		timeout = time.Minute
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	out, err := t.run(ctx, path, img)
	if err != nil {
		return Recognized{}, err
	}
	width, height := sizeOf(img.Body)
	return Recognized{Paragraphs: readTSV(out, width, height)}, nil
}

// run starts the program. Its own threads are switched off: pages are what is done side by side.
func (t *Tesseract) run(ctx context.Context, path string, img Image) (string, error) {
	args := []string{"stdin", "stdout"}
	if t.Languages != "" {
		args = append(args, "-l", t.Languages)
	}
	cmd := exec.CommandContext(ctx, path, append(args, "tsv")...)
	cmd.Env = append(os.Environ(), "OMP_THREAD_LIMIT=1")
	cmd.Stdin = bytes.NewReader(img.Body)
	cmd.WaitDelay = 2 * time.Second
	most := t.MaxOutput
	if most <= 0 {
		most = 8 << 20
	}
	stdout, stderr := &capped{max: most, stop: true}, &capped{max: 4 << 10}
	cmd.Stdout, cmd.Stderr = stdout, stderr
	err := cmd.Run()
	switch {
	case ctx.Err() != nil:
		return "", fmt.Errorf("tesseract: %w", ctx.Err())
	case stdout.over:
		return "", fmt.Errorf("tesseract: more than %d bytes of output", most)
	case err != nil:
		return "", fmt.Errorf("tesseract: %w: %s", err, strings.TrimSpace(stderr.b.String()))
	}
	return stdout.b.String(), nil
}

// capped keeps the first bytes of what is written. The rest is dropped or, with stop, refused: that closes the pipe
// and ends the program.
type capped struct {
	b    bytes.Buffer
	max  int
	stop bool
	over bool
}

func (c *capped) Write(p []byte) (int, error) {
	n := min(len(p), c.max-c.b.Len())
	c.b.Write(p[:n])
	if c.over = c.over || n < len(p); c.over && c.stop {
		return n, io.ErrShortWrite
	}
	return len(p), nil
}

// sizeOf is an image's size in pixels, 0 if it is unknown.
func sizeOf(body []byte) (w, h int) {
	c, _, err := image.DecodeConfig(bytes.NewReader(body))
	if err != nil {
		return 0, 0
	}
	return c.Width, c.Height
}

// The columns of tesseract's table: a line for each page, block, paragraph, line and word.
const (
	tsvLevel = iota
	tsvPage
	tsvBlock
	tsvParagraph
	tsvLine
	tsvWord
	tsvLeft
	tsvTop
	tsvWidth
	tsvHeight
	tsvConfidence
	tsvText
	tsvColumns
)

// readTSV makes paragraphs of the table. Where the size is unknown, it is taken from the line of the page.
func readTSV(table string, width, height int) []Paragraph {
	var r tsvReader
	for row := range strings.Lines(table) {
		f := strings.Split(strings.TrimRight(row, "\r\n"), "\t")
		if len(f) < tsvColumns-1 || f[tsvLevel] == "level" {
			continue
		}
		n := func(i int) float64 { v, _ := strconv.ParseFloat(f[i], 64); return v }
		switch f[tsvLevel] {
		case "1":
			width, height = max(width, int(n(tsvWidth))), max(height, int(n(tsvHeight)))
		case "3":
			r.flush(width, height)
			r.box = [4]float64{n(tsvLeft), n(tsvTop), n(tsvLeft) + n(tsvWidth), n(tsvTop) + n(tsvHeight)}
		case "5":
			if len(f) >= tsvColumns {
				r.word(f[tsvText], f[tsvLine], n(tsvConfidence))
			}
		}
	}
	r.flush(width, height)
	return r.out
}

type tsvReader struct {
	out        []Paragraph
	text       strings.Builder
	line       string
	box        [4]float64
	confidence float64
	letters    int
}

func (r *tsvReader) word(text, line string, confidence float64) {
	if text = strings.TrimSpace(text); text == "" {
		return
	}
	if s := r.text.String(); s != "" {
		head, hyphen := strings.CutSuffix(s, "-")
		if hyphen && line != r.line && startsLower(text) {
			r.text.Reset()
			r.text.WriteString(head)
		} else {
			r.text.WriteByte(' ')
		}
	}
	r.text.WriteString(text)
	r.line = line
	r.confidence += max(0, confidence) * float64(len(text))
	r.letters += len(text)
}

func startsLower(s string) bool { return s[0] >= 'a' && s[0] <= 'z' || s[0] >= 0xc3 }

func (r *tsvReader) flush(width, height int) {
	if r.letters > 0 {
		p := Paragraph{Text: r.text.String(), Confidence: math.Round(r.confidence/float64(r.letters)) / 100}
		if width > 0 && height > 0 {
			w, h := float64(width), float64(height)
			p.BBox = [4]float64{r.box[0] / w, r.box[1] / h, r.box[2] / w, r.box[3] / h}
		}
		r.out = append(r.out, p)
	}
	r.text.Reset()
	r.confidence, r.letters, r.line = 0, 0, ""
}
