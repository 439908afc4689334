package reader

import "bytes"

// builtIn reads the encoding in the clear part of a Type 1 font program: lines "dup 65 /A put".
func builtIn(data []byte) map[byte]string {
	data = data[:min(len(data), 64<<10)]
	i := bytes.Index(data, []byte("/Encoding"))
	if i < 0 {
		return nil
	}
	p := parser{buf: data, pos: i}
	out := map[byte]string{}
	var last [2]any
	for {
		o := p.object()
		switch o := o.(type) {
		case endOfInput:
			return out
		case keyword:
			if o == "put" {
				c, isInt := last[0].(int64)
				if n, isName := last[1].(name); isInt && isName && c >= 0 && c < 256 {
					out[byte(c)] = string(n)
				}
			}
			if o == "eexec" || o == "readonly" || o == "StandardEncoding" {
				return out
			}
			continue
		}
		last[0], last[1] = last[1], o
	}
}
