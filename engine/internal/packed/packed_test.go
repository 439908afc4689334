package packed

import (
	"strings"
	"testing"
)

func TestInto_readsWhatEncodeWrote(t *testing.T) {
	want := map[string]string{"text": strings.Repeat("oats ", 1000)}
	data, err := Encode(want)
	if err != nil || len(data) > 200 {
		t.Fatalf("%d bytes, %v", len(data), err)
	}
	var got map[string]string
	if err := Into(data, &got); err != nil || got["text"] != want["text"] {
		t.Errorf("got %.40v, %v", got, err)
	}
}

// What is kept for long has no more room than it needs.
func TestEncode_takesNoMoreMemoryThanItsBytes(t *testing.T) {
	for _, text := range []string{"", strings.Repeat("oats ", 20_000), strings.Repeat("x", 1<<20)} {
		data, err := Encode(text)
		if err != nil || cap(data) > len(data)+len(data)/4+64 {
			t.Errorf("%d bytes have room for %d: %v", len(data), cap(data), err)
		}
	}
}

func TestDecode_refusesOtherForms(t *testing.T) {
	for _, data := range [][]byte{nil, {}, {0}, {format}, {format, 1, 2, 3}, []byte(`{"a":1}`)} {
		if out, err := Decode(data); err == nil && len(out) > 0 {
			t.Errorf("%q gave %q", data, out)
		}
	}
}
