package tab

import (
	"crypto/rand"
	"encoding/hex"
	"strings"
)

// Field follows names into a decoded JSON object; nil where there is none.
func Field(v any, names ...string) any {
	for _, name := range names {
		object, _ := v.(map[string]any)
		v = object[name]
	}
	return v
}

// Number reads a number from a script's result, which the library returns as int or float.
func Number(v any) float64 {
	switch n := v.(type) {
	case int:
		return float64(n)
	case float64:
		return n
	}
	return 0
}

// NewKey is a name that is different each time, so that a site can't look for it.
func NewKey() string {
	var b [9]byte
	_, _ = rand.Read(b[:])
	return "_" + hex.EncodeToString(b[:])
}

// Replaced reports whether a script's error means that its document was replaced by a navigation.
func Replaced(err error) bool {
	return strings.Contains(err.Error(), "Execution context was destroyed") || strings.Contains(err.Error(), "because of a navigation")
}
