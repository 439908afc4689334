package liveview

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"
)

// Bounds of what is sent: bytes of a message from a viewer, characters of its texts, and bytes of what viewers are sent.
const (
	maxMessage = 512 << 10
	maxText    = 50_000
	maxKey     = 64
	maxPlace   = 1_000_000
	maxAddress = 8 << 10
	maxSteps   = 50
	maxURL     = 4 << 10
	maxTitle   = 1 << 10
	maxNotice  = 400
)

// Types of the messages from viewers.
const (
	seenType   = "seen"   // a picture was shown
	inputType  = "input"  // Input
	gotoType   = "goto"   // Address
	travelType = "travel" // Steps
)

// message is what a viewer sends.
type message struct {
	Type    string `json:"type"`
	Input   Input  `json:"input"`
	Address string `json:"address"`
	Steps   int    `json:"steps"`
}

// What viewers are sent beside pictures.
type (
	hello struct {
		Type    string `json:"type"`
		Control bool   `json:"control"`
		Steer   bool   `json:"steer"`
	}
	status struct {
		Type  string `json:"type"`
		Phase string `json:"phase"`
		URL   string `json:"url"`
		Title string `json:"title"`
	}
	remark struct {
		Type string `json:"type"`
		Text string `json:"text"`
	}
	farewell struct {
		Type   string `json:"type"`
		Reason string `json:"reason"`
	}
)

// decode reads a message from a viewer and checks its bounds.
func decode(data []byte) (message, error) {
	var m message
	if len(data) > maxMessage {
		return m, errors.New("too long")
	}
	if err := json.Unmarshal(data, &m); err != nil {
		return m, errors.New("no message")
	}
	switch m.Type {
	case seenType:
		return message{Type: seenType}, nil
	case inputType:
		return message{Type: inputType, Input: m.Input}, m.Input.check()
	case gotoType:
		m.Address = strings.TrimSpace(m.Address)
		if m.Address == "" || len(m.Address) > maxAddress {
			return m, errors.New("address")
		}
		return message{Type: gotoType, Address: m.Address}, nil
	case travelType:
		if m.Steps < -maxSteps || m.Steps > maxSteps {
			return m, errors.New("steps")
		}
		return message{Type: travelType, Steps: m.Steps}, nil
	}
	return m, errors.New("type")
}

// buttons are the names of Input.Button.
var buttons = []string{"", "left", "middle", "right", "back", "forward"}

// check holds an input to its bounds.
func (in Input) check() error {
	for _, v := range []float64{in.X, in.Y, in.DeltaX, in.DeltaY} {
		if math.IsNaN(v) || math.Abs(v) > maxPlace {
			return errors.New("place")
		}
	}
	switch {
	case !slices.Contains(buttons, in.Button), in.Buttons < 0, in.Buttons > 31,
		in.Clicks < 0, in.Clicks > 3, in.Modifiers < 0, in.Modifiers > 15:
		return errors.New("buttons")
	case len(in.Key) > maxKey, len(in.Code) > maxKey:
		return errors.New("key")
	}
	switch in.Kind {
	case Text:
		if n := utf8.RuneCountInString(in.Text); n > maxText {
			return fmt.Errorf("%d characters are too many", n)
		}
		return nil
	case Press, Lift:
		if in.Key == "" || len(in.Text) > maxKey {
			return errors.New("key")
		}
		return nil
	case Move, Down, Up, Wheel:
		return nil
	}
	return errors.New("kind")
}

// bound holds a place to its bounds.
func bound(v float64) float64 { return max(-maxPlace, min(maxPlace, v)) }

// cut holds a text to n bytes of whole characters.
func cut(text string, n int) string {
	text = strings.ToValidUTF8(text, "\uFFFD")
	if len(text) <= n {
		return text
	}
	for !utf8.RuneStart(text[n]) {
		n--
	}
	return text[:n]
}

// packFrame is a picture's message: width and height as 16 bits each, the larger byte first, then the JPEG.
func packFrame(f Frame) []byte {
	data := make([]byte, 0, 4+len(f.Data))
	data = binary.BigEndian.AppendUint16(data, side(f.Width))
	data = binary.BigEndian.AppendUint16(data, side(f.Height))
	return append(data, f.Data...)
}

func side(n int) uint16 { return uint16(max(0, min(math.MaxUint16, n))) }
