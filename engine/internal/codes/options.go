package codes

import (
	"errors"

	"github.com/winnow-go/winnow/browser"
	"github.com/winnow-go/winnow/crawl/scope"
	"github.com/winnow-go/winnow/engine/internal/option"
	"github.com/winnow-go/winnow/fetch"
	"github.com/winnow-go/winnow/formats"
)

// Option is a complaint about an option in the form of the rooms; nil where err is none of a leaf or room.
func Option(err error) *option.Error {
	if opt, ok := errors.AsType[*formats.OptionError](err); ok {
		return &option.Error{Field: opt.Field, Value: opt.Value, Want: opt.Want}
	}
	if opt, ok := errors.AsType[*option.Error](err); ok {
		return opt
	}
	if opt, ok := errors.AsType[*browser.OptionError](err); ok {
		return &option.Error{Field: opt.Field, Value: opt.Value, Want: opt.Want}
	}
	if opt, ok := errors.AsType[*scope.OptionError](err); ok {
		return &option.Error{Field: opt.Field, Value: opt.Value, Want: opt.Want, Err: opt.Err}
	}
	if opt, ok := errors.AsType[*fetch.OptionError](err); ok {
		return &option.Error{Field: opt.Field, Value: opt.Value, Want: opt.Want, Err: opt.Err}
	}
	if arg, ok := errors.AsType[*browser.ArgError](err); ok {
		return &option.Error{Field: "Browser.Args", Value: arg.Arg, Want: "an argument that keeps the browser safe", Err: err}
	}
	return nil
}
