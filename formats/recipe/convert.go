package recipe

import (
	"encoding/json"
	"math"
	"strings"

	"github.com/winnow-go/winnow/formats/money"
)

// convert makes the value of a text, which isn't empty; ok is false when it isn't of the type.
func (a *applier) convert(text string, f *field) (v any, ok bool) {
	switch a.target(f) {
	case Number:
		return a.number(text, f)
	case Boolean:
		return boolean(text)
	case URL:
		abs := a.page.Absolute(text)
		return abs, abs != ""
	case Date:
		if iso := a.page.Date(text); iso != "" {
			return iso, true
		}
		return text, f.shape == nil || f.shape.format == ""
	}
	return text, true
}

// target is the transform that the schema requires, else the rule's.
func (a *applier) target(f *field) Transform {
	if f.shape == nil {
		return f.rule.Transform
	}
	switch f.shape.kind {
	case kindNumber, kindInteger:
		return Number
	case kindBoolean:
		if f.rule.Transform == Exists {
			return Exists
		}
		return Boolean
	case kindString:
		switch {
		case f.shape.format == "uri" || f.shape.format == "url":
			return URL
		case f.shape.format == "date" || f.shape.format == "date-time":
			return Date
		case f.rule.Transform == Number || f.rule.Transform == Boolean || f.rule.Transform == Exists:
			return Text
		}
	}
	return f.rule.Transform
}

// number reads data of attributes with the dot as the decimal point, texts as a reader does.
func (a *applier) number(text string, f *field) (any, bool) {
	read := money.Parse
	if f.rule.Attribute != "" {
		read = money.Value
	}
	p, ok := read(text, a.page.Language)
	n := p.Amount
	if strings.HasPrefix(text, "-") || strings.HasPrefix(text, "−") {
		n = -n
	}
	if !ok || f.shape != nil && f.shape.kind == kindInteger && n != math.Trunc(n) {
		return nil, false
	}
	raw, err := json.Marshal(n)
	return json.RawMessage(raw), err == nil
}

func boolean(text string) (any, bool) {
	switch strings.ToLower(text) {
	case "true", "yes", "1", "on":
		return true, true
	case "false", "no", "0", "off":
		return false, true
	}
	return nil, false
}
