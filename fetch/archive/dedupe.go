package archive

import (
	"bufio"
	"io"
	"strings"
)

// maxPayloads is how many payloads a writer knows.
const maxPayloads = 100_000

// payloads are the payloads that are stored in full, by digest. It is full at maxPayloads: then it starts from nothing.
type payloads map[Digest]original

// original is the record that holds a payload.
type original struct{ id, url, date string }

// dedupe makes a revisit of a response whose payload is stored already: of its block only the head is left.
func (w *Writer) dedupe(d *draft) error {
	if w.o.KeepDuplicates || d.kind != Response || d.payload.Algorithm == "" {
		return nil
	}
	first, known := w.seen[d.payload]
	if !known {
		if len(w.seen) >= maxPayloads {
			clear(w.seen)
		}
		w.seen[d.payload] = original{d.id, d.header.Get("WARC-Target-URI"), d.header.Get("WARC-Date")}
		return nil
	}
	d.kind = Revisit
	d.header = append(d.header, Field{"WARC-Profile", sameProfile}, Field{"WARC-Refers-To", "<" + first.id + ">"},
		Field{"WARC-Refers-To-Target-URI", first.url}, Field{"WARC-Refers-To-Date", first.date})
	return d.keepHead()
}

// keepHead cuts a block behind the head of its HTTP message.
func (d *draft) keepHead() error {
	whole := d.block
	defer whole.Close()
	d.block = NewSpool()
	from, err := whole.Reader()
	if err != nil {
		return err
	}
	in := bufio.NewReader(from)
	for {
		line, err := in.ReadString('\n')
		if _, err := io.WriteString(d.block, line); err != nil {
			return err
		}
		if err != nil || line == "\r\n" {
			return err
		}
	}
}

// plainURL is an address without user name and password.
func plainURL(address string) string {
	scheme, rest, ok := strings.Cut(address, "://")
	if !ok {
		return address
	}
	end := strings.IndexAny(rest, "/?#")
	if end < 0 {
		end = len(rest)
	}
	return scheme + "://" + rest[strings.LastIndexByte(rest[:end], '@')+1:]
}
