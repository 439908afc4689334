package pagestore

import (
	"errors"
	"testing"
	"time"

	"github.com/winnow-go/winnow/engine/internal/option"
)

func TestPlan(t *testing.T) {
	day := new(24 * time.Hour)
	type can struct {
		read, write, only bool
		most              time.Duration
	}
	for name, c := range map[string]struct {
		wish Wish
		want can
		err  string
	}{
		"nothing":                {Wish{Write: true}, can{true, true, false, DefaultMaxAge}, ""},
		"always fresh":           {Wish{Write: true, Ages: Ages{Most: new(time.Duration(0))}}, can{false, true, false, 0}, ""},
		"the cache only":         {Wish{Write: true, Ages: Ages{Least: day}}, can{true, false, true, AnyAge}, ""},
		"lockdown":               {Wish{Write: true, Ages: Ages{Lockdown: true}}, can{true, false, true, LockdownMaxAge}, ""},
		"never kept":             {Wish{Write: true, Unkept: "headers"}, can{false, false, false, DefaultMaxAge}, ""},
		"wanted as it is now":    {Wish{Write: true, Current: "branding"}, can{true, true, false, noAge}, ""},
		"vouched for":            {Wish{Write: true, Revalidate: true}, can{true, true, false, noAge}, ""},
		"vouched for, not kept":  {Wish{Unkept: "headers", Revalidate: true}, can{false, false, false, noAge}, ""},
		"the cache, never kept":  {Wish{Ages: Ages{Least: day}, Unkept: "headers"}, can{}, "headers"},
		"the cache, as it is":    {Wish{Ages: Ages{Lockdown: true}, Current: "branding"}, can{}, "branding"},
		"vouched for, lockdown":  {Wish{Ages: Ages{Lockdown: true}, Revalidate: true}, can{}, "winnow.revalidate"},
		"vouched for, minAge":    {Wish{Ages: Ages{Least: day}, Revalidate: true}, can{}, "winnow.revalidate"},
		"vouched for, maxAge":    {Wish{Ages: Ages{Most: day}, Revalidate: true}, can{}, "winnow.revalidate"},
		"maxAge is not negative": {Wish{Ages: Ages{Most: new(-time.Second)}}, can{}, "maxAge"},
	} {
		c.wish.URL = "https://a.example/"
		r, err := c.wish.Plan()
		field := ""
		if refused, ok := errors.AsType[*option.Error](err); ok {
			field = refused.Field
		}
		if got := (can{r.Read, r.Write, r.Only, r.MaxAge}); got != c.want || field != c.err {
			t.Errorf("%s: got %+v, %v; want %+v, %q", name, got, err, c.want, c.err)
		}
	}
}

func TestVariant(t *testing.T) {
	for want, v := range map[string]Variant{
		"country=;languages=":                            {},
		"country=DE;languages=de,en;mobile;ads;enhanced": {Country: "DE", Languages: []string{"de", "en"}, Mobile: true, Ads: true, Enhanced: true},
		"country=;languages=;proxy=5b2250e57deda263":     {ProxyURL: "http://user:secret@proxy.example"},
	} {
		if got := v.String(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
