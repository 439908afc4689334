package engine

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/winnow-go/winnow/engine/internal/render"
	"github.com/winnow-go/winnow/formats"
)

// fill puts something into every part of a value.
func fill(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem())
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(v.Index(0))
	case reflect.Map:
		key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		fill(key)
		fill(value)
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(key, value)
	case reflect.Array:
		for i := range v.Len() {
			fill(v.Index(i))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			fill(v.Field(i))
		}
	case reflect.String:
		v.SetString(v.String() + "x")
	case reflect.Int, reflect.Int64:
		v.SetInt(v.Int() + 1)
	case reflect.Float64:
		v.SetFloat(v.Float() + 1)
	}
}

// spoil changes what slices, maps and pointers lead to.
func spoil(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			fill(v.Elem())
		}
	case reflect.Slice:
		for i := range v.Len() {
			spoil(v.Index(i))
			fill(v.Index(i))
		}
	case reflect.Map:
		for _, key := range v.MapKeys() {
			spoil(v.MapIndex(key))
		}
		v.Clear()
	case reflect.Struct:
		for i := range v.NumField() {
			spoil(v.Field(i))
		}
	}
}

// What a caller does to a document never shows in another one that was made of the same kept output.
func TestDocumentOf_sharesNothing(t *testing.T) {
	m := &render.Output{Output: &formats.Output{}}
	fill(reflect.ValueOf(m.Output).Elem())
	fill(reflect.ValueOf(&m.Pages).Elem())
	fill(reflect.ValueOf(&m.Blocks).Elem())
	written := func() string { // what a document shares would change in one that is kept to compare with, too
		text, err := json.Marshal(documentOf(m))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	want := written()
	spoil(reflect.ValueOf(documentOf(m)).Elem())
	if got := written(); got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}
