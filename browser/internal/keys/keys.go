// Package keys has the key codes by which a browser knows what a key does. It may change without notice.
package keys

import (
	"strconv"
	"strings"
)

const (
	keypad = "Numpad" // what the codes of its keys begin with
	left   = 1
	right  = 2
)

// namedCodes are the Windows virtual-key codes by which the browser knows what a key does, of keys by Key or Code in the DOM's terms.
var namedCodes = map[string]int{
	"Backspace": 8, "Tab": 9, "Clear": 12, "Enter": 13, "NumpadEnter": 13, "Shift": 16, "Control": 17, "Alt": 18,
	"Pause": 19, "CapsLock": 20, "Escape": 27, " ": 32, "Space": 32, "PageUp": 33, "PageDown": 34, "End": 35, "Home": 36,
	"ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40, "PrintScreen": 44, "Insert": 45, "Delete": 46,
	"Meta": 91, "ContextMenu": 93, "NumpadMultiply": 106, "NumpadAdd": 107, "NumpadSubtract": 109, "NumpadDecimal": 110,
	"NumpadDivide": 111, "NumLock": 144, "ScrollLock": 145, "Semicolon": 186, "Equal": 187, "Comma": 188, "Minus": 189,
	"Period": 190, "Slash": 191, "Backquote": 192, "BracketLeft": 219, "Backslash": 220, "BracketRight": 221,
	"Quote": 222, "AltGraph": 225,
}

// Virtual finds the code of a key: by its meaning, as shortcuts do, else by its place. 0: unknown.
func Virtual(key, code string) int {
	if len(key) == 1 {
		switch c := key[0]; {
		case c >= 'a' && c <= 'z':
			return int(c - 'a' + 'A')
		case c >= 'A' && c <= 'Z', c >= '0' && c <= '9' && !OnKeypad(code):
			return int(c)
		}
	}
	if n := functionKey(key); n > 0 {
		return n
	}
	if n := namedCodes[key]; n > 0 {
		return n
	}
	if n := namedCodes[code]; n > 0 {
		return n
	}
	for prefix, first := range map[string]int{"Key": 0, "Digit": 0, keypad: 96 - '0'} {
		if rest, ok := strings.CutPrefix(code, prefix); ok && len(rest) == 1 {
			return first + int(rest[0])
		}
	}
	return 0
}

// functionKey is the code of F1 to F24.
func functionKey(key string) int {
	rest, ok := strings.CutPrefix(key, "F")
	n, err := strconv.Atoi(rest)
	if !ok || err != nil || n < 1 || n > 24 {
		return 0
	}
	return 111 + n
}

// OnKeypad reports the keys of the numeric keypad.
func OnKeypad(code string) bool { return strings.HasPrefix(code, keypad) }

// Location distinguishes the two keys of a kind: 1 is the left one, 2 the right one, 0 any other, as the DOM has it.
func Location(code string) int {
	switch {
	case strings.HasSuffix(code, "Left") && !strings.HasPrefix(code, "Arrow") && !strings.HasPrefix(code, "Bracket"):
		return left
	case strings.HasSuffix(code, "Right") && !strings.HasPrefix(code, "Arrow") && !strings.HasPrefix(code, "Bracket"):
		return right
	}
	return 0
}
