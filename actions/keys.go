package actions

import "strings"

// namedKeys are the keys that have a name of more than one character, by the
// names of keyboard events' code, and the modifiers without left and right.
const namedKeys = " Escape F1 F2 F3 F4 F5 F6 F7 F8 F9 F10 F11 F12" +
	" Backquote Minus Equal Backslash Backspace Tab BracketLeft BracketRight CapsLock Semicolon Quote Enter Comma Period Slash Space" +
	" Shift ShiftLeft ShiftRight Control ControlLeft ControlRight ControlOrMeta Alt AltLeft AltRight AltGraph Meta MetaLeft MetaRight" +
	" ContextMenu PrintScreen ScrollLock Pause PageUp PageDown Insert Delete Home End ArrowLeft ArrowUp ArrowRight ArrowDown" +
	" AudioVolumeMute AudioVolumeDown AudioVolumeUp MediaTrackNext MediaTrackPrevious MediaPlayPause" +
	" NumLock NumpadDivide NumpadMultiply NumpadSubtract NumpadAdd NumpadDecimal NumpadEnter "

// modifierKeys can be held while another key is pressed.
const modifierKeys = " Shift ShiftLeft ShiftRight Control ControlLeft ControlRight ControlOrMeta Alt AltLeft AltRight AltGraph Meta MetaLeft MetaRight "

// knownKey reports a key, or modifiers and a key joined by "+".
func knownKey(key string) bool {
	names := splitKeys(key)
	for _, held := range names[:len(names)-1] {
		if !within(modifierKeys, held) {
			return false
		}
	}
	return knownName(names[len(names)-1])
}

// splitKeys takes "Control++" for Control and the plus key.
func splitKeys(key string) []string {
	if key == "+" {
		return []string{"+"}
	}
	if held, found := strings.CutSuffix(key, "++"); found {
		return append(strings.Split(held, "+"), "+")
	}
	return strings.Split(key, "+")
}

func knownName(name string) bool {
	if len(name) == 1 {
		return name[0] >= ' ' && name[0] <= '~' // what a US keyboard can type
	}
	if within(namedKeys, name) {
		return true
	}
	if letter, found := strings.CutPrefix(name, "Key"); found {
		return len(letter) == 1 && letter[0] >= 'A' && letter[0] <= 'Z'
	}
	digit, found := strings.CutPrefix(name, "Digit")
	if !found {
		digit, found = strings.CutPrefix(name, "Numpad")
	}
	return found && len(digit) == 1 && digit[0] >= '0' && digit[0] <= '9'
}

// within reports a word of a list that is separated, begun and ended by blanks.
func within(words, word string) bool {
	return word != "" && !strings.Contains(word, " ") && strings.Contains(words, " "+word+" ")
}
