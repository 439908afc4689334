package sitemap

import (
	"bufio"
	"fmt"
	"io"
	"strings"
)

// maxStrange is how many lines without a URL a text sitemap may begin with.
const maxStrange = 20

// textList reads a text sitemap: one absolute URL per line.
type textList struct {
	*stream
	line    int
	strange int    // lines without a URL before the first one
	first   string // the first of them
}

// readText returns why the bytes ended: nil when the reading stopped by itself.
func readText(s *stream, src *source) error {
	l := &textList{stream: s}
	for !s.done {
		line, err := src.ReadSlice('\n')
		l.line++
		if err == bufio.ErrBufferFull {
			line, err = nil, skipLine(src)
			l.strangeLine("a line that is too long")
		}
		l.read(strings.Trim(string(line), blankRunes))
		if err == io.EOF {
			l.close()
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func skipLine(src *source) error {
	for {
		if _, err := src.ReadSlice('\n'); err != bufio.ErrBufferFull {
			return err
		}
	}
}

func (l *textList) read(line string) {
	switch {
	case line == "":
	case !isWeb(line):
		l.strangeLine(line)
	default:
		if l.urls == 0 && l.strange > 0 {
			l.problem(Malformed, 1, fmt.Sprintf("%d lines before the first URL", l.strange), nil)
		}
		l.give(Text, l.line, [numFields]string{fieldLoc: line}, nil)
	}
}

// strangeLine reports a line that is no URL; before the first URL it may mean that all of it is something else.
func (l *textList) strangeLine(line string) {
	if l.urls > 0 {
		l.problem(BadLoc, l.line, line, nil)
		return
	}
	if l.strange++; l.strange == 1 {
		l.first = line
	}
	if l.strange > maxStrange {
		l.close()
		l.done = true
	}
}

func (l *textList) close() {
	if l.done || l.urls > 0 {
		return
	}
	detail := "empty"
	if l.strange > 0 {
		detail = "begins with " + shorten(l.first)
	}
	l.finally(NotSitemap, 0, detail, nil)
}
