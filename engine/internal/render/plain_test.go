package render

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"testing"
)

// fill gives a value all that its type can have: each kind of an Output's parts, nil, empty and filled ones.
func fill(v reflect.Value, rnd *rand.Rand) {
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(rnd.IntN(2) > 0)
	case reflect.String:
		v.SetString([]string{"", "oats", "\xff\x00", "Gerste – ä"}[rnd.IntN(4)])
	case reflect.Int, reflect.Int64:
		v.SetInt(int64(rnd.IntN(1000)) - 500)
	case reflect.Uint32, reflect.Uint64:
		v.SetUint(uint64(rnd.Uint32()))
	case reflect.Float64:
		v.SetFloat(rnd.NormFloat64())
	case reflect.Struct:
		for i := range v.NumField() {
			fill(v.Field(i), rnd)
		}
	case reflect.Array:
		fillItems(v, rnd)
	default:
		if rnd.IntN(3) > 0 {
			fillParts(v, rnd)
		}
	}
}

func fillItems(v reflect.Value, rnd *rand.Rand) {
	for i := range v.Len() {
		fill(v.Index(i), rnd)
	}
}

func fillParts(v reflect.Value, rnd *rand.Rand) {
	switch t := v.Type(); v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(t.Elem()))
		fill(v.Elem(), rnd)
	case reflect.Map:
		v.Set(reflect.MakeMap(t))
		for i := range rnd.IntN(3) {
			value := reflect.New(t.Elem()).Elem()
			fill(value, rnd)
			v.SetMapIndex(reflect.ValueOf(strconv.Itoa(i)).Convert(t.Key()), value)
		}
	default:
		n := rnd.IntN(3)
		v.Set(reflect.MakeSlice(t, n, n))
		fillItems(v, rnd)
	}
}

// Whatever an output may have comes back as it was.
func TestPack_losesNothing(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		var m Output
		fill(reflect.ValueOf(&m).Elem(), rnd)
		if got, err := pack(&m).unpack(nil); err != nil || !reflect.DeepEqual(got, &m) {
			t.Fatalf("got %+v, %v, want %+v", got, err, m)
		}
	}
}

// What comes out of packed bytes that are others is an error, and never takes more room than there are bytes.
func TestPlain_readsOnlyWhatWasPacked(t *testing.T) {
	type grain struct {
		Name  string
		Kinds []string
		Sacks map[string]int
	}
	read := func(data []byte) (g grain, err error) {
		in := plain{data: data}
		in.value(reflect.ValueOf(&g).Elem())
		return g, in.err
	}
	want := grain{"oats", []string{"rye", ""}, map[string]int{"a": -1}}
	data := appendPlain(nil, reflect.ValueOf(want))
	if got, err := read(data); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, %v", got, err)
	}
	for n := range data {
		if got, err := read(data[:n]); err == nil {
			t.Errorf("%d of %d bytes gave %+v", n, len(data), got)
		}
	}
	for _, bad := range [][]byte{slices.Repeat([]byte{0xff}, 11), {0, 1, 200}, {0, 1, 0x80}, {200, 1, 'x'}} {
		if got, err := read(bad); err == nil || len(got.Kinds) > len(bad) {
			t.Errorf("%v gave %+v", bad, got)
		}
	}
}
