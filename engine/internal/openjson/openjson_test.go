package openjson

import (
	"reflect"
	"testing"
)

type known struct {
	Title string              `json:"title,omitempty"`
	More  map[string][]string `json:"-"`
}

func TestOpenJSON_roundTrip(t *testing.T) {
	further := map[string][]string{"one": {"1"}, "two": {"1", "2"}, "none": {}, "title": {"not this"}}
	data, err := Marshal(known{Title: "T"}, further)
	if want := `{"title":"T","one":"1","two":["1","2"]}`; err != nil || string(data) != want {
		t.Fatalf("got %s, %v; want %s", data, err, want)
	}
	if data, err := Marshal(known{}, further); err != nil || string(data) != `{"one":"1","two":["1","2"]}` {
		t.Errorf("of an empty struct: %s, %v", data, err)
	}
	if data, err := Marshal(known{Title: "T"}, map[string][]string{"title": {"x"}}); err != nil || string(data) != `{"title":"T"}` {
		t.Errorf("of a key that the struct has: %s, %v", data, err)
	}
	var got known
	got.More, err = Unmarshal(data, &got)
	if want := map[string][]string{"one": {"1"}, "two": {"1", "2"}}; err != nil || got.Title != "T" || !reflect.DeepEqual(got.More, want) {
		t.Errorf("got %+v, %v", got, err)
	}
	if _, err := Unmarshal([]byte(`{"n":1}`), &got); err == nil {
		t.Error("a number was read as texts")
	}
}
