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
	if want := `{"one":"1","title":"T","two":["1","2"]}`; err != nil || string(data) != want {
		t.Fatalf("got %s, %v; want %s", data, err, want)
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
