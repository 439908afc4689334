package liveview

import (
	"context"
	"errors"
)

// ErrEnded is found in the error of Screen.Watch when there will be no more to see.
var ErrEnded = errors.New("the screen has ended")

// Screen is a browser's page as people see and operate it. Its methods are called from several goroutines at the same time, and
// return soon after ctx is done.
type Screen interface {
	// Watch calls show, from one goroutine, with a picture at once and whenever it has changed, until ctx ends. While show is busy
	// it skips pictures; the next is the newest. It isn't called again before it has returned. An error in which ErrEnded is found
	// ends the screen for its viewers, who are shown its text; after another one Watch is called again.
	Watch(ctx context.Context, show func(Frame)) error
	// Input does to the page what a person did. The error's text is for the person who did it.
	Input(ctx context.Context, in Input) error
	// State is what a browser would write above the page.
	State(ctx context.Context) (State, error)
}

// Steerer is a Screen with an address field and a history. The errors' texts are for the person.
type Steerer interface {
	// Goto begins to load an address, which a stranger has written.
	Goto(ctx context.Context, address string) error
	// Travel goes forward in the history by so many steps, backward by a negative number; 0 reloads the page.
	Travel(ctx context.Context, steps int) error
}

// Frame is one picture of a screen. It isn't changed any more.
type Frame struct {
	Data          []byte // a JPEG
	Width, Height int    // of what it shows, in CSS pixels: those in which Input counts; at most 65535
}

// State is what is said of the page that a screen shows. Empty: not known.
type State struct{ URL, Title string }

// Kinds of Input.
const (
	Move  = "move"  // X, Y, Buttons
	Down  = "down"  // X, Y, Button, Buttons, Clicks
	Up    = "up"    // X, Y, Button, Buttons, Clicks
	Wheel = "wheel" // X, Y, DeltaX, DeltaY
	Press = "press" // Key, Code, Text, Repeat: a key goes down
	Lift  = "lift"  // Key, Code: it goes up
	Text  = "text"  // Text: pasted, or put together from several keys
)

// Input is one event of a viewer's mouse or keyboard, in the terms of the DOM's events. It is what a stranger sent, within the
// bounds said here.
type Input struct {
	Kind      string  `json:"kind"`      // one of the kinds
	X         float64 `json:"x"`         // CSS pixels of the frame, ±1,000,000; so are the next three
	Y         float64 `json:"y"`         //
	DeltaX    float64 `json:"deltaX"`    // to the right
	DeltaY    float64 `json:"deltaY"`    // down
	Button    string  `json:"button"`    // left, middle, right, back, forward or ""
	Buttons   int     `json:"buttons"`   // held after the event: 1 left, 2 right, 4 middle, 8 back, 16 forward, added up
	Clicks    int     `json:"clicks"`    // 0 to 3
	Key       string  `json:"key"`       // its meaning, at most 64 bytes
	Code      string  `json:"code"`      // its place, at most 64 bytes
	Text      string  `json:"text"`      // of a key at most 64 bytes, else 50,000 characters
	Repeat    bool    `json:"repeat"`    // the key is held and repeats itself
	Modifiers int     `json:"modifiers"` // 1 Alt, 2 Control, 4 Meta, 8 Shift, added up
}
