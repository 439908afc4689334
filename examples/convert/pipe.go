package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
)

// slot holds one line on its way through; there are as many as workers, so memory is bounded.
type slot struct {
	line   []byte
	err    error // why the line is invalid
	answer chan answer
}

// pipe answers each line of in on out, in order, with that many workers. Blank lines have no answer. The
// error is the reader's or the writer's.
func pipe(in io.Reader, out io.Writer, workers, maxLine int, work func([]byte) answer) error {
	free, order := make(chan *slot, workers), make(chan *slot, workers)
	for range workers {
		free <- &slot{answer: make(chan answer, 1)}
	}
	written := make(chan error, 1)
	go func() { written <- write(out, order, free) }()
	readErr := feed(bufio.NewReaderSize(in, 1<<20), free, order, maxLine, work)
	return errors.Join(readErr, <-written)
}

// feed starts the work on each line and hands the slots on in the order of the lines. It ends with the input, or
// when the writer has given up, which closes free.
func feed(in *bufio.Reader, free, order chan *slot, maxLine int, work func([]byte) answer) error {
	var atWork sync.WaitGroup
	defer close(order)
	defer atWork.Wait()
	for s := range free {
		more, err := readLine(in, s, maxLine)
		if !more {
			return err
		}
		order <- s
		atWork.Go(func() {
			if s.err != nil {
				s.answer <- answer{Error: s.err.Error()}
				return
			}
			s.answer <- work(s.line)
		})
	}
	return nil
}

// readLine fills the slot with the next line that isn't blank. What a line has beyond maxLine is read and dropped.
func readLine(in *bufio.Reader, s *slot, maxLine int) (more bool, _ error) {
	for {
		s.line, s.err = s.line[:0], nil
		for {
			part, err := in.ReadSlice('\n')
			if len(s.line)+len(part) > maxLine {
				s.err = fmt.Errorf("a line of more than %d bytes", maxLine)
			} else {
				s.line = append(s.line, part...)
			}
			if err == nil || errors.Is(err, io.EOF) && (len(s.line) > 0 || s.err != nil) {
				break
			}
			if errors.Is(err, io.EOF) {
				return false, nil
			}
			if !errors.Is(err, bufio.ErrBufferFull) {
				return false, err
			}
		}
		if s.err != nil || len(bytes.TrimSpace(s.line)) > 0 {
			return true, nil
		}
	}
}

// write writes the answers in order, flushes each and returns the slots. After an error it goes on without writing, until
// all started work is done.
func write(out io.Writer, order <-chan *slot, free chan<- *slot) error {
	defer func() {
		for s := range order {
			<-s.answer
		}
	}()
	buffered := bufio.NewWriter(out)
	enc := json.NewEncoder(buffered)
	enc.SetEscapeHTML(false)
	for s := range order {
		err := enc.Encode(<-s.answer)
		if err == nil {
			err = buffered.Flush()
		}
		if err != nil {
			close(free)
			return err
		}
		free <- s
	}
	return nil
}
