package pagestore

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"github.com/winnow-go/winnow/engine/internal/option"
	"github.com/winnow-go/winnow/fetch/weburl"
)

// Wish is what the options of a scrape say of the cache.
type Wish struct {
	URL        string
	Variant    Variant
	Ages       Ages
	Revalidate bool // a stored page is served only after its site has vouched for it
	Write      bool // the page may be kept
	// Unkept names the option whose pages are never kept, and Current the format that wants the page as it is now; "" for none.
	Unkept, Current string
}

// Variant distinguishes requests that a site may answer differently.
type Variant struct {
	Country               string
	Languages             []string
	Mobile, Ads, Enhanced bool
	ProxyURL              string
	Login                 string // who gets it, see auth.Access.Identity; "" is anyone
}

// noAge has each stored page be too old, the newest too: its site may vouch for it.
const noAge = -1

// Plan works out what the cache may do, and refuses what contradicts itself: a request that must be served from the cache with an option
// that no cached page can honour. What the page must be like is left to the caller. Errors are [option.Error]s.
func (w Wish) Plan() (r Request, err error) {
	if err := w.check(); err != nil {
		return r, err
	}
	r = Request{
		Name: weburl.Key(w.URL), Only: w.Ages.Only(), Lockdown: w.Ages.Lockdown, MaxAge: w.Ages.Max(), MinAge: w.Ages.Min(),
		Write: w.Write && w.Unkept == "" && !w.Ages.Only(),
	}
	r.Key = r.Name + weburl.KeyEnd + w.Variant.String()
	r.Read = w.Unkept == "" && r.MaxAge > 0
	if w.Revalidate || w.Current != "" {
		r.MaxAge = noAge
	}
	return r, nil
}

func (w Wish) check() error {
	if err := w.Ages.Check(); err != nil {
		return err
	}
	unserved := cmp.Or(w.Unkept, w.Current)
	switch {
	case w.Ages.Only() && unserved != "":
		return &option.Error{Field: unserved, Value: "set", Want: "unset with " + w.Ages.OnlyBecause() + ", which serves from the cache"}
	case w.Revalidate && w.Ages.Only():
		return &option.Error{Field: "winnow.revalidate", Value: true, Want: "false with " + w.Ages.OnlyBecause() + ", which serves from the cache"}
	case w.Revalidate && w.Ages.Most != nil:
		return &option.Error{Field: "winnow.revalidate", Value: true, Want: "false with maxAge, which serves copies without a request, or none"}
	}
	return nil
}

// String is the part of a key that stands for the variant. The password of a proxy stays out of the file.
func (v Variant) String() string {
	parts := []string{"country=" + v.Country, "languages=" + strings.Join(v.Languages, ",")}
	for _, flag := range []struct {
		name string
		set  bool
	}{{"mobile", v.Mobile}, {"ads", v.Ads}, {"enhanced", v.Enhanced}} {
		if flag.set {
			parts = append(parts, flag.name)
		}
	}
	if v.ProxyURL != "" {
		sum := sha256.Sum256([]byte(v.ProxyURL))
		parts = append(parts, "proxy="+hex.EncodeToString(sum[:8]))
	}
	if v.Login != "" {
		parts = append(parts, loginMark+v.Login)
	}
	return strings.Join(parts, ";")
}

const loginMark = "login="

// withLogin reports whether a key is of pages that were got with credentials.
func withLogin(key string) bool {
	_, variant, _ := strings.Cut(key, weburl.KeyEnd)
	return strings.Contains(";"+variant, ";"+loginMark)
}
