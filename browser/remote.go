package browser

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/winnow-go/winnow/browser/internal/keys"
	"github.com/winnow-go/winnow/browser/internal/tab"
)

// Remote is a page as people see and operate it, in a live view: each call may be made beside the page's other calls, from any goroutine,
// and its ctx doesn't end the page.
type Remote struct {
	tab    *tab.Tab
	loader *loader
	turns  turns
}

// turns are held while calls are under way; see tab.Tab.Ask.
type turns struct{ inputs, steering, titles chan struct{} }

func newRemote(t *tab.Tab, l *loader) *Remote {
	return &Remote{t, l, turns{make(chan struct{}, 1), make(chan struct{}, steerAtOnce), make(chan struct{}, 1)}}
}

// InputKind is the kind of a person's input.
type InputKind string

// The kinds of Input, and the fields that each one reads beside Modifiers.
const (
	MouseMove  InputKind = "move"  // X, Y, Buttons
	MouseDown  InputKind = "down"  // X, Y, Button, Buttons, Clicks
	MouseUp    InputKind = "up"    // X, Y, Button, Buttons, Clicks
	MouseWheel InputKind = "wheel" // X, Y, DeltaX, DeltaY
	KeyDown    InputKind = "press" // Key, Code, Text, Repeat
	KeyUp      InputKind = "lift"  // Key, Code
	InsertText InputKind = "text"  // Text: pasted, dictated, or put together from several keys
)

// Modifiers of an Input, added up.
const (
	Alt = 1 << iota
	Control
	Meta
	Shift
	allModifiers = Alt | Control | Meta | Shift
)

// Bounds of an Input, and how long the page may take to answer one.
const (
	maxPlace    = 1 << 20 // CSS pixels
	maxInsert   = 100_000 // characters
	maxKeyText  = 64      // bytes of Key, Code and a key's Text
	maxClicks   = 3
	allButtons  = 31
	inputWait   = 10 * time.Second
	steerWait   = 5 * time.Second
	steerAtOnce = 2
	titleWait   = 2 * time.Second
	enterTypes  = "\r"
)

// Input is one event of a person's mouse or keyboard, in the terms of the DOM's events.
type Input struct {
	Kind InputKind
	// X and Y are a place in the viewport, in CSS pixels.
	X, Y float64
	// Button is left, middle, right, back or forward. Defaults to left.
	Button string
	// Buttons are the buttons held after the event: 1 left, 2 right, 4 middle, 8 back, 16 forward, added up.
	Buttons int
	// Clicks is 2 for the second click of a double click, 3 for the third. Defaults to 1.
	Clicks int
	// DeltaX and DeltaY are how far the wheel scrolls, in CSS pixels, to the right and down.
	DeltaX, DeltaY float64
	// Key is the meaning of the key ("a", "A", "Enter", "ArrowLeft"), Code its place on the keyboard ("KeyA"), which may be unknown.
	Key, Code string
	// Text is the text that the key types, "" for a key that types nothing; or the text to insert, at most 100,000 characters.
	Text string
	// Repeat reports that the key is held and repeats itself.
	Repeat bool
	// Modifiers are the held modifier keys.
	Modifiers int
}

// Input sends a person's input to the page, as trusted events. Inputs are processed one after the other. The end of ctx leaves the page as
// it is: what has been sent is done. Errors: *OptionError, ErrBusy when the page hasn't taken this or an earlier input in 10 s, ErrClosed,
// ErrCrashed, ctx's.
func (r *Remote) Input(ctx context.Context, in Input) error {
	method, params, err := in.command()
	if err != nil {
		return err
	}
	return r.tab.Ask(ctx, "take an input", inputWait, r.turns.inputs, func() error {
		_, err := r.tab.CDP.Send(method, params)
		return err
	})
}

// command is the event in the browser's protocol.
func (in Input) command() (method string, params map[string]any, err error) {
	if in.Modifiers < 0 || in.Modifiers > allModifiers {
		return "", nil, &OptionError{"Modifiers", fmt.Sprint(in.Modifiers), "a sum of Alt, Control, Meta and Shift"}
	}
	switch in.Kind {
	case MouseMove, MouseDown, MouseUp, MouseWheel:
		params, err = in.mouse()
		return "Input.dispatchMouseEvent", params, err
	case KeyDown, KeyUp:
		params, err = in.key()
		return "Input.dispatchKeyEvent", params, err
	case InsertText:
		if n := utf8.RuneCountInString(in.Text); n > maxInsert || !utf8.ValidString(in.Text) {
			return "", nil, &OptionError{"Text", fmt.Sprint(n, " characters"), fmt.Sprint("UTF-8, at most ", maxInsert)}
		}
		return "Input.insertText", map[string]any{"text": in.Text}, nil
	}
	return "", nil, &OptionError{"Kind", string(in.Kind), "one of the kinds of Input"}
}

// mouseTypes are the protocol's names.
var mouseTypes = map[InputKind]string{
	MouseMove: "mouseMoved", MouseDown: "mousePressed", MouseUp: "mouseReleased", MouseWheel: "mouseWheel",
}

func (in Input) mouse() (map[string]any, error) {
	for name, v := range map[string]float64{"X": in.X, "Y": in.Y, "DeltaX": in.DeltaX, "DeltaY": in.DeltaY} {
		if math.IsNaN(v) || math.Abs(v) > maxPlace {
			return nil, &OptionError{name, fmt.Sprint(v), fmt.Sprintf("CSS pixels, at most %d", maxPlace)}
		}
	}
	if in.Buttons < 0 || in.Buttons > allButtons {
		return nil, &OptionError{"Buttons", fmt.Sprint(in.Buttons), fmt.Sprintf("0 to %d", allButtons)}
	}
	if in.Clicks < 0 || in.Clicks > maxClicks {
		return nil, &OptionError{"Clicks", fmt.Sprint(in.Clicks), fmt.Sprintf("0 to %d", maxClicks)}
	}
	params := map[string]any{"type": mouseTypes[in.Kind], "x": in.X, "y": in.Y, "modifiers": in.Modifiers, "buttons": in.Buttons}
	switch in.Kind {
	case MouseWheel:
		params["deltaX"], params["deltaY"] = in.DeltaX, in.DeltaY
	case MouseMove:
		params["button"] = heldButton(in.Buttons)
	default:
		button, err := in.button()
		if err != nil {
			return nil, err
		}
		params["button"], params["clickCount"] = button, max(1, in.Clicks)
	}
	return params, nil
}

// buttonBits are the mouse's buttons, in the order of DOM's numbers for those that are held.
var buttonBits = []string{"left", "right", "middle", "back", "forward"}

// heldButton names the first of the held buttons: the one that drags.
func heldButton(buttons int) string {
	for i, name := range buttonBits {
		if buttons&(1<<i) != 0 {
			return name
		}
	}
	return "none"
}

func (in Input) button() (string, error) {
	if in.Button == "" {
		return buttonBits[0], nil
	}
	for _, name := range buttonBits {
		if name == in.Button {
			return name, nil
		}
	}
	return "", &OptionError{"Button", in.Button, "left, middle, right, back or forward"}
}

func (in Input) key() (map[string]any, error) {
	for name, v := range map[string]string{"Key": in.Key, "Code": in.Code, "Text": in.Text} {
		if len(v) > maxKeyText || !utf8.ValidString(v) {
			return nil, &OptionError{name, strconv.Quote(v), fmt.Sprintf("UTF-8, at most %d bytes", maxKeyText)}
		}
	}
	if in.Key == "" {
		return nil, &OptionError{"Key", "", "the key's meaning"}
	}
	params := map[string]any{
		"type": "keyUp", "key": in.Key, "code": in.Code, "modifiers": in.Modifiers,
		"windowsVirtualKeyCode": keys.Virtual(in.Key, in.Code), "location": keys.Location(in.Code), "isKeypad": keys.OnKeypad(in.Code),
	}
	if in.Kind == KeyDown {
		in.press(params)
	}
	return params, nil
}

// press describes a key that goes down: one that types something does so by its text.
func (in Input) press(params map[string]any) {
	text := in.Text
	if in.Key == "Enter" {
		text = enterTypes
	}
	params["type"], params["autoRepeat"] = "rawKeyDown", in.Repeat
	if text != "" {
		params["type"], params["text"], params["unmodifiedText"] = "keyDown", text, text
	}
}
