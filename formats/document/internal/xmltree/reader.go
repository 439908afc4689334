package xmltree

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
)

// ErrLimit means that the document is deeper than a Reader accepts.
var ErrLimit = errors.New("xml: too deep")

// MemoryError means that a tree takes more memory than a Reader may use.
type MemoryError struct{ Limit int64 }

func (e *MemoryError) Error() string {
	return fmt.Sprintf("xml: a tree of more than %d bytes", e.Limit)
}

// Bounds of a document.
const (
	maxDepth = 200
	maxAttrs = 256 // of one element; more are dropped
)

// Reader returns the elements of a document one after another. It is for one goroutine.
type Reader struct {
	ctx   context.Context
	dec   *xml.Decoder
	names names
	depth int
	count int   // tokens, to look at ctx now and then
	held  int64 // bytes that the tree being read takes, about
	limit int64
}

// DefaultMemory is what a tree may take in memory, in bytes, where Within doesn't say.
const DefaultMemory = 256 << 20

// Within bounds what one tree may take in memory, in bytes. It returns r.
func (r *Reader) Within(limit int64) *Reader {
	r.limit = limit
	return r
}

// New reads data, which must not change meanwhile. It blocks on nothing; ctx ends long reads.
func New(ctx context.Context, data []byte) *Reader {
	return newReader(ctx, bytes.NewReader(toUTF8(data)))
}

// Stream is New for a document that isn't held in memory. Errors of in come from the calls that read.
func Stream(ctx context.Context, in io.Reader) *Reader { return newReader(ctx, readUTF8(in)) }

func newReader(ctx context.Context, in io.Reader) *Reader {
	dec := xml.NewDecoder(in)
	dec.Strict = false
	dec.Entity = xml.HTMLEntity
	dec.CharsetReader = func(_ string, in io.Reader) (io.Reader, error) { return in, nil }
	return &Reader{ctx: ctx, dec: dec, names: names{}, limit: DefaultMemory}
}

// Next is the next element that opens, at whatever depth, without what is inside it: Tree and Skip
// give that, else the next call goes on inside. The error is io.EOF at the end, ErrLimit, the
// context's, or the parser's where the rest can't be read.
func (r *Reader) Next() (*Node, error) {
	for {
		tok, err := r.token()
		if err != nil {
			return nil, err
		}
		if start, ok := tok.(xml.StartElement); ok {
			return r.node(start), nil
		}
	}
}

// Event is the kind of token that Step found.
type Event uint8

// The events of Step.
const (
	Start Event = iota
	End
	Text
)

// Step is Next for callers that need ends and texts too: of an End only the name is given, of a Text only the text.
func (r *Reader) Step() (Event, *Node, error) {
	for {
		tok, err := r.token()
		if err != nil {
			return 0, nil, err
		}
		switch tok := tok.(type) {
		case xml.StartElement:
			return Start, r.node(tok), nil
		case xml.EndElement:
			return End, &Node{Name: r.names.of(tok.Name)}, nil
		case xml.CharData:
			return Text, &Node{Text: string(tok)}, nil
		}
	}
}

// Tree reads the rest of the element that Next has returned, into n. For a truncated document
// n holds the part that was read.
func (r *Reader) Tree(n *Node) error {
	r.held = 0
	return r.fill(n)
}

// hold reports whether the tree may have another node with some attributes and a text.
func (r *Reader) hold(attrs, text int) error {
	const node, attr = 128, 32 // bytes, with the pointers to it
	if r.held += node + attr*int64(attrs) + int64(text); r.held > r.limit {
		return &MemoryError{r.limit}
	}
	return nil
}

func (r *Reader) fill(n *Node) error {
	for {
		tok, err := r.token()
		if err != nil {
			return noEOF(err)
		}
		switch tok := tok.(type) {
		case xml.EndElement:
			return nil
		case xml.StartElement:
			kid := r.node(tok)
			n.Kids = append(n.Kids, kid)
			if err := r.hold(len(kid.Attrs), 0); err != nil {
				return err
			}
			if err := r.fill(kid); err != nil {
				return err
			}
		case xml.CharData:
			n.Kids = append(n.Kids, &Node{Text: string(tok)})
			if err := r.hold(0, len(tok)); err != nil {
				return err
			}
		}
	}
}

// Skip passes over the rest of the element that Next has just given.
func (r *Reader) Skip() error {
	for depth := 1; depth > 0; {
		tok, err := r.token()
		if err != nil {
			return noEOF(err)
		}
		switch tok.(type) {
		case xml.StartElement:
			depth++
		case xml.EndElement:
			depth--
		}
	}
	return nil
}

// Parse reads a whole document into a tree under its root element. For a truncated document the tree holds
// the part that was read and the error has the reason.
func Parse(ctx context.Context, data []byte) (*Node, error) { return New(ctx, data).Root() }

// Root reads the rest of the document into a tree under its next element. See Parse.
func (r *Reader) Root() (*Node, error) {
	root, err := r.Next()
	if err != nil {
		return &Node{}, noEOF(err)
	}
	return root, r.Tree(root)
}

func noEOF(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

func (r *Reader) token() (xml.Token, error) {
	if r.count++; r.count%1024 == 0 {
		if err := r.ctx.Err(); err != nil {
			return nil, err
		}
	}
	tok, err := r.dec.Token()
	if err != nil {
		return nil, err
	}
	switch tok.(type) {
	case xml.StartElement:
		if r.depth++; r.depth > maxDepth {
			return nil, ErrLimit
		}
	case xml.EndElement:
		r.depth--
	}
	return tok, nil
}

func (r *Reader) node(start xml.StartElement) *Node {
	n := &Node{Name: r.names.of(start.Name)}
	attrs := start.Attr[:min(len(start.Attr), maxAttrs)]
	if len(attrs) > 0 {
		n.Attrs = make([]Attr, 0, len(attrs))
	}
	for _, a := range attrs {
		if a.Name.Space != "xmlns" {
			n.Attrs = append(n.Attrs, Attr{r.names.of(a.Name), a.Value})
		}
	}
	return n
}
