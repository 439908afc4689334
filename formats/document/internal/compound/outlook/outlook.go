// Package outlook reads messages that Outlook has saved (MS-OXMSG): subject, people, date, text, and the names of attachments.
//
// It opens no container, and turns no text into HTML. Start from Read.
//
//	outlook.go     Message, Read
//	properties.go  the properties of a folder: fixed ones in a table, others in streams of their own
//	rtf.go         compressed rich text
package outlook

import (
	"strings"
	"time"

	"github.com/winnow-go/winnow/formats/document/internal/compound"
)

// Message is a message that was saved, or one attached to it.
type Message struct {
	Subject, From, To, Cc string
	// Sent is when it was sent; zero if the message doesn't say.
	Sent time.Time
	// HTML, Text and RTF are forms of its text, each of which may be empty. HTML is in the code page HTMLPage, 0 for an unknown one.
	HTML     []byte
	HTMLPage int
	Text     string
	RTF      []byte
	// Attached are the names of files, without those that only the text shows.
	Attached []string
	// Messages are those that are attached as messages.
	Messages []*Message
}

// Bounds of a message.
const (
	maxDepth    = 10 // messages in messages
	maxAttached = 1000
)

// Numbers of properties.
const (
	propSubject    = 0x0037
	propSent       = 0x0039
	propReceived   = 0x0E06
	propFrom       = 0x0C1A
	propFromMail   = 0x0C1F
	propFromSMTP   = 0x5D01
	propTo         = 0x0E04
	propCc         = 0x0E03
	propText       = 0x1000
	propRTF        = 0x1009
	propHTML       = 0x1013
	propPage       = 0x3FFD // of texts that aren't Unicode
	propHTMLPage   = 0x3FDE
	propLongName   = 0x3707
	propShortName  = 0x3704
	propShownName  = 0x3001
	propHidden     = 0x7FFE
	propContent    = 0x3701
	attachedFolder = "__attach_version1.0_"
)

// Read reads the message of an open file. limit bounds how long the texts of it and of the messages in it may be together, in bytes; what
// is longer is cut.
func Read(f *compound.File, limit int64) *Message {
	const head = 32 // of the table of a message that lies in no other
	r := reader{left: limit, attached: maxAttached}
	return r.message(f.Root, head, 1252, 0)
}

// reader is what the messages of a file share.
type reader struct {
	left     int64 // bytes of texts
	attached int
}

func (r *reader) message(s *compound.Storage, head, page, depth int) *Message {
	p := readProperties(s, head, page)
	m := &Message{
		Subject: p.line(propSubject), To: p.line(propTo), Cc: p.line(propCc), From: sender(p),
		Sent: p.time(propSent), HTML: p.html(r.left), HTMLPage: p.number(propHTMLPage), Text: p.text(propText, r.left),
	}
	r.left -= int64(len(m.HTML) + len(m.Text))
	if m.Sent.IsZero() {
		m.Sent = p.time(propReceived)
	}
	if m.Text == "" && len(m.HTML) == 0 {
		m.RTF = decompress(p.binary(propRTF), r.left)
		r.left -= int64(len(m.RTF))
	}
	for _, in := range s.Storages {
		if strings.HasPrefix(strings.ToLower(in.Name), attachedFolder) && r.attached > 0 {
			r.attached--
			r.attach(m, in, p.page, depth)
		}
	}
	return m
}

// sender is a name with an address, as far as they are known.
func sender(p properties) string {
	name, mail := p.line(propFrom), p.line(propFromSMTP)
	if other := p.line(propFromMail); mail == "" && strings.Contains(other, "@") {
		mail = other
	}
	switch {
	case mail == "" || mail == name:
		return name
	case name == "":
		return mail
	}
	return name + " <" + mail + ">"
}

func (r *reader) attach(m *Message, s *compound.Storage, page, depth int) {
	const head = 8
	p := readProperties(s, head, page)
	if in := s.Storage(storageOf(propContent)); in != nil && in.Has(tableName) && depth < maxDepth {
		const head = 24 // of the table of an attached message
		m.Messages = append(m.Messages, r.message(in, head, page, depth+1))
		return
	}
	if p.number(propHidden) != 0 {
		return
	}
	for _, name := range []uint16{propLongName, propShortName, propShownName} {
		if text := p.line(name); text != "" {
			m.Attached = append(m.Attached, text)
			return
		}
	}
	m.Attached = append(m.Attached, "unnamed")
}
