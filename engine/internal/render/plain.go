package render

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"reflect"
)

// appendPlain appends a value that is data and nothing else, so that a reader gives it back exactly: nil is not empty. It is for bytes that
// the same process reads: names of fields are not in them.
func appendPlain(data []byte, v reflect.Value) []byte {
	switch kind := v.Kind(); kind {
	case reflect.Bool:
		return appendPresent(data, v.Bool())
	case reflect.String:
		return append(binary.AppendUvarint(data, uint64(v.Len())), v.String()...)
	case reflect.Int, reflect.Int64:
		return binary.AppendVarint(data, v.Int())
	case reflect.Uint32, reflect.Uint64:
		return binary.AppendUvarint(data, v.Uint())
	case reflect.Float64:
		return binary.LittleEndian.AppendUint64(data, math.Float64bits(v.Float()))
	case reflect.Struct:
		for i := range v.NumField() {
			data = appendPlain(data, v.Field(i))
		}
		return data
	case reflect.Array:
		return appendItems(data, v)
	case reflect.Slice, reflect.Map, reflect.Pointer:
		if data = appendPresent(data, !v.IsNil()); v.IsNil() {
			return data
		}
		return appendParts(data, v)
	default:
		panic(fmt.Sprintf("render: no plain value: %s", v.Type()))
	}
}

func appendPresent(data []byte, present bool) []byte {
	if present {
		return append(data, 1)
	}
	return append(data, 0)
}

// appendParts appends what a slice, a map or a pointer has, if it isn't nil.
func appendParts(data []byte, v reflect.Value) []byte {
	switch v.Kind() {
	case reflect.Pointer:
		return appendPlain(data, v.Elem())
	case reflect.Map:
		data = binary.AppendUvarint(data, uint64(v.Len()))
		for each := v.MapRange(); each.Next(); {
			data = appendPlain(appendPlain(data, each.Key()), each.Value())
		}
		return data
	default:
		return appendItems(binary.AppendUvarint(data, uint64(v.Len())), v)
	}
}

func appendItems(data []byte, v reflect.Value) []byte {
	for i := range v.Len() {
		data = appendPlain(data, v.Index(i))
	}
	return data
}

// plain reads what was appended; err says that it is something else.
type plain struct {
	data []byte
	err  error
}

var errPlain = errors.New("what is kept is not as it was packed")

// fail ends the reading: what follows is all zero.
func (p *plain) fail() { p.data, p.err = nil, errPlain }

// value reads into v, which is zero.
func (p *plain) value(v reflect.Value) {
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(p.number() != 0)
	case reflect.String:
		v.SetString(string(p.bytes(p.number())))
	case reflect.Int, reflect.Int64:
		n, size := binary.Varint(p.data)
		p.skip(size)
		v.SetInt(n)
	case reflect.Uint32, reflect.Uint64:
		v.SetUint(p.number())
	case reflect.Float64:
		if bits := p.bytes(8); bits != nil {
			v.SetFloat(math.Float64frombits(binary.LittleEndian.Uint64(bits)))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			p.value(v.Field(i))
		}
	case reflect.Array:
		p.items(v)
	default:
		if p.number() != 0 {
			p.parts(v)
		}
	}
}

// parts reads what a slice, a map or a pointer has.
func (p *plain) parts(v reflect.Value) {
	switch t := v.Type(); v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(t.Elem()))
		p.value(v.Elem())
	case reflect.Map:
		v.Set(reflect.MakeMap(t))
		for range p.count() {
			key, value := reflect.New(t.Key()).Elem(), reflect.New(t.Elem()).Elem()
			p.value(key)
			p.value(value)
			v.SetMapIndex(key, value)
		}
	default:
		n := p.count()
		v.Set(reflect.MakeSlice(t, n, n))
		p.items(v)
	}
}

func (p *plain) items(v reflect.Value) {
	for i := range v.Len() {
		p.value(v.Index(i))
	}
}

func (p *plain) number() uint64 {
	n, size := binary.Uvarint(p.data)
	if p.skip(size); p.err != nil {
		return 0
	}
	return n
}

// count reads how many there are; each takes a byte at least.
func (p *plain) count() int {
	n := p.number()
	if n > uint64(len(p.data)) {
		p.fail()
		return 0
	}
	return int(n)
}

func (p *plain) skip(size int) {
	if size <= 0 {
		p.fail()
		return
	}
	p.data = p.data[size:]
}

// bytes returns the next n; nil: there aren't so many.
func (p *plain) bytes(n uint64) []byte {
	if n > uint64(len(p.data)) {
		p.fail()
		return nil
	}
	out := p.data[:n]
	p.data = p.data[n:]
	return out
}
