package office

import (
	"bytes"
	"context"
	"encoding/base64"
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net/mail"
	"net/textproto"
	"strings"
	"time"

	"golang.org/x/net/html/charset"

	"github.com/winnow-go/winnow/formats/document/internal/codepage"
	"github.com/winnow-go/winnow/formats/document/internal/compound"
	"github.com/winnow-go/winnow/formats/document/internal/compound/outlook"
	"github.com/winnow-go/winnow/formats/document/internal/flow"
	"github.com/winnow-go/winnow/formats/document/internal/office/charsets"
)

// EML reads an email message (RFC 5322): its subject as title, its sender, recipients and date, its text, and the
// names of its attachments. Of several forms of the text the richest is taken.
func EML(ctx context.Context, body []byte, o Options) (*Document, error) {
	j := newJob(ctx, o)
	msg, err := mail.ReadMessage(bytes.NewReader(body))
	if err != nil {
		return nil, &DamagedError{err}
	}
	m := &letter{job: j, left: j.o.Limits.Unzipped}
	m.header(func(name string) string { return headerText(msg.Header.Get(name)) })
	if t, err := msg.Header.Date(); err == nil {
		j.doc.Meta.Created = t
	}
	part := m.read(textproto.MIMEHeader(msg.Header), msg.Body, 0)
	j.out.Add(part)
	m.attachments()
	return j.finish(nil)
}

// MSG reads a message that Outlook has saved, as EML does. Of the forms of its text HTML is taken, then plain text, then rich text.
// Messages that are attached follow it.
func MSG(ctx context.Context, body []byte, o Options) (*Document, error) {
	j := newJob(ctx, o)
	f, err := compound.Open(body)
	if err != nil {
		return nil, &DamagedError{err}
	}
	msg := outlook.Read(f, j.o.Limits.Unzipped)
	m := &letter{job: j}
	j.doc.Meta.Created = msg.Sent
	m.header(func(name string) string { return outlookHeader(msg, name) })
	m.outlook(msg)
	m.attachments()
	return j.finish(nil)
}

func outlookHeader(msg *outlook.Message, name string) string {
	date := ""
	if !msg.Sent.IsZero() {
		date = msg.Sent.Format(time.RFC1123Z)
	}
	return clean(map[string]string{"Subject": msg.Subject, "From": msg.From, "To": msg.To, "Cc": msg.Cc, "Date": date}[name])
}

// outlook writes the text of a message, then the messages that are attached.
func (m *letter) outlook(msg *outlook.Message) {
	out := m.job.out
	switch {
	case len(msg.HTML) > 0 && codepage.Encoding(msg.HTMLPage) != nil:
		out.Foreign(bodyOf([]byte(codepage.Text(msg.HTMLPage, msg.HTML))), flow.Links{})
	case len(msg.HTML) > 0:
		out.Foreign(bodyOf(decodeCharset(msg.HTML, "")), flow.Links{})
	case msg.Text != "":
		plainParagraphs(out, msg.Text)
	case len(msg.RTF) > 0:
		if rich, err := RTF(m.job.ctx, msg.RTF, m.job.o); err == nil {
			out.Foreign(rich.Body, flow.Links{})
		}
	}
	m.attached = append(m.attached, msg.Attached...)
	for _, in := range msg.Messages {
		out.Title(2, clean(in.Subject))
		m.outlook(in)
	}
}

// attachments lists the files that come with the message.
func (m *letter) attachments() {
	for _, name := range m.attached {
		p := &flow.Inline{}
		p.Text("Attachment: "+name, flow.Style{})
		m.job.out.Item(flow.Item{}, p)
	}
}

// Bounds of a message.
const (
	maxMailDepth = 20
	maxMailParts = 1000
)

// letter is a message being read.
type letter struct {
	job      *job
	parts    int
	left     int64 // bytes that may still be decoded
	attached []string
}

// header writes the lines that people read, and keeps them as metadata.
func (m *letter) header(line func(name string) string) {
	meta := &m.job.doc.Meta
	meta.Title, meta.Author = line("Subject"), line("From")
	m.job.out.Title(1, meta.Title)
	p := &flow.Inline{}
	for _, name := range []string{"From", "To", "Cc", "Date"} {
		text := line(name)
		if text == "" {
			continue
		}
		if !p.Empty() {
			p.Break()
		}
		p.Text(name+":", flow.Style{Bold: true})
		p.Text(" "+text, flow.Style{})
	}
	m.job.out.Para(p)
}

// headerText decodes the words of a header line (RFC 2047).
func headerText(s string) string {
	d := mime.WordDecoder{CharsetReader: charset.NewReaderLabel}
	text, err := d.DecodeHeader(s)
	if err != nil {
		text = s
	}
	return clean(string(charsets.Valid([]byte(text))))
}

// read turns a part into blocks; nil and empty ones hold nothing to show.
func (m *letter) read(h textproto.MIMEHeader, body io.Reader, depth int) *flow.Flow {
	out := m.job.out.Sub()
	media, params, err := mime.ParseMediaType(h.Get("Content-Type"))
	if err != nil {
		media = "text/plain"
	}
	if m.parts++; depth > maxMailDepth || m.parts > maxMailParts || m.job.ctx.Err() != nil {
		return out
	}
	if name := attachment(h, params); name != "" {
		m.attached = append(m.attached, name)
		return out
	}
	switch {
	case strings.HasPrefix(media, "multipart/"):
		m.multi(out, media, multipart.NewReader(body, params["boundary"]), depth)
	case media == "text/html":
		text := decodeCharset(m.decode(h, body), params["charset"])
		out.Foreign(bodyOf(text), flow.Links{})
	case media == "text/plain":
		plainParagraphs(out, string(decodeCharset(m.decode(h, body), params["charset"])))
	case media == "message/rfc822":
		m.forwarded(out, m.decode(h, body), depth)
	}
	return out
}

// attachment is the name of a part that isn't meant to be read with the message.
func attachment(h textproto.MIMEHeader, params map[string]string) string {
	kind, own, err := mime.ParseMediaType(h.Get("Content-Disposition"))
	if err != nil || kind != "attachment" {
		return ""
	}
	for _, name := range []string{own["filename"], params["name"]} {
		if name = headerText(name); name != "" {
			return name
		}
	}
	return "unnamed"
}

// multi reads parts: of alternatives the last that shows something, of all others each.
func (m *letter) multi(out *flow.Flow, media string, r *multipart.Reader, depth int) {
	var last *flow.Flow
	for {
		p, err := r.NextRawPart()
		if err != nil {
			break
		}
		part := m.read(p.Header, p, depth+1)
		if part.Empty() {
			continue
		}
		if media != "multipart/alternative" {
			out.Add(part)
		} else {
			last = part
		}
	}
	if last != nil {
		out.Add(last)
	}
}

func (m *letter) forwarded(out *flow.Flow, body []byte, depth int) {
	msg, err := mail.ReadMessage(bytes.NewReader(body))
	if err != nil {
		return
	}
	out.Title(2, headerText(msg.Header.Get("Subject")))
	out.Add(m.read(textproto.MIMEHeader(msg.Header), msg.Body, depth+1))
}

// decode undoes the transfer encoding.
func (m *letter) decode(h textproto.MIMEHeader, body io.Reader) []byte {
	switch strings.ToLower(strings.TrimSpace(h.Get("Content-Transfer-Encoding"))) {
	case "base64":
		body = base64.NewDecoder(base64.StdEncoding, body)
	case "quoted-printable":
		body = quotedprintable.NewReader(body)
	}
	data, _ := io.ReadAll(io.LimitReader(body, max(m.left, 0))) // what was decoded before a mistake counts
	m.left -= int64(len(data))
	return data
}

// decodeCharset converts a text to UTF-8; here a declared charset counts more than in files without a header.
func decodeCharset(body []byte, declared string) []byte {
	if enc, name := charset.Lookup(declared); enc != nil && name != "utf-8" && name != "replacement" {
		if text, err := enc.NewDecoder().Bytes(body); err == nil {
			return text
		}
	}
	text, err := charsets.Decode(body, "")
	if err != nil {
		return charsets.Valid(body)
	}
	return text
}

// plainParagraphs writes plain text: paragraphs at blank lines, lines as they are, quotations by their mark.
func plainParagraphs(out *flow.Flow, text string) {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	for block := range strings.SplitSeq(text, "\n\n") {
		block = strings.Trim(block, "\n")
		p := &flow.Inline{}
		if strings.HasPrefix(block, ">") {
			p.Text(unquote(block), flow.Style{})
			out.Quote(p)
			continue
		}
		p.Text(block, flow.Style{})
		out.Para(p)
	}
}

func unquote(block string) string {
	var lines []string
	for line := range strings.SplitSeq(block, "\n") {
		lines = append(lines, strings.TrimLeft(line, "> "))
	}
	return strings.Join(lines, "\n")
}
