package browser

import (
	"fmt"
	"net/url"
	"strings"

	"golang.org/x/net/http/httpguts"
	"golang.org/x/text/language"
)

// resolve fills defaults in and checks every option.
func (o PageOptions) resolve() (PageOptions, error) {
	o.languages()
	if o.Viewport == (Viewport{}) {
		o.Viewport = Viewport{Width: 1280, Height: 800}
		if o.Mobile {
			o.Viewport = Viewport{Width: 412, Height: 915}
		}
	}
	if o.LoadWait == 0 {
		o.LoadWait = defaultLoadWait
	}
	if o.MaxBody == 0 {
		o.MaxBody = defaultMaxBody
	}
	return o, o.check()
}

// languages fills in what a page's languages are. An Accept-Language header of the caller's decides: the site would see it disagree with
// what its scripts see.
func (o *PageOptions) languages() {
	if tags := headerLanguages(o.Headers); len(tags) > 0 {
		o.Languages, o.Locale = tags, tags[0]
	}
	if o.Locale == "" {
		o.Locale = "en-US"
		if len(o.Languages) > 0 {
			o.Locale = o.Languages[0]
		}
	}
	if len(o.Languages) == 0 {
		o.Languages = []string{o.Locale}
		if base, _, found := strings.Cut(o.Locale, "-"); found {
			o.Languages = append(o.Languages, base)
		}
	}
}

// headerLanguages are the tags of an Accept-Language header, the preferred ones first; none of one that can't be read.
func headerLanguages(headers map[string]string) (tags []string) {
	for name, value := range headers {
		if !strings.EqualFold(name, "Accept-Language") {
			continue
		}
		list, _, err := language.ParseAcceptLanguage(value)
		for _, tag := range list {
			if base, _ := tag.Base(); err == nil && base.String() != "mul" { // which stands for *
				tags = append(tags, tag.String())
			}
		}
	}
	return tags
}

func (o *PageOptions) check() error {
	for _, tag := range append([]string{o.Locale}, o.Languages...) {
		if _, err := language.Parse(tag); err != nil {
			return &OptionError{"Locale", tag, "a BCP 47 language tag such as de-DE"}
		}
	}
	if err := checkViewport(o.Viewport); err != nil {
		return err
	}
	if o.Proxy != "" {
		if err := checkProxy("Proxy", o.Proxy); err != nil {
			return err
		}
	}
	if o.HeaderOrigin != "" {
		if _, ok := originOf(o.HeaderOrigin); !ok {
			return &OptionError{"HeaderOrigin", o.HeaderOrigin, "an http or https URL"}
		}
	}
	for name, value := range o.Headers {
		if err := checkHeader(name, value); err != nil {
			return err
		}
	}
	return o.checkContents()
}

func checkProxy(field, address string) error {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Scheme != "http" || u.User != nil {
		return &OptionError{field, address, "http://host:port without credentials"}
	}
	return nil
}

func checkViewport(v Viewport) error {
	if v.Width < 1 || v.Height < 1 || v.Width > maxViewport || v.Height > maxViewport {
		return &OptionError{"Viewport", fmt.Sprintf("%dx%d", v.Width, v.Height), fmt.Sprintf("1 to %d each way", maxViewport)}
	}
	return nil
}

// ownedHeaders are set by the browser: they belong to the connection, not to the request.
var ownedHeaders = map[string]bool{
	"host": true, "connection": true, "keep-alive": true, "te": true, "trailer": true, "transfer-encoding": true, "upgrade": true,
	"content-length": true, "accept-encoding": true,
}

func checkHeader(name, value string) error {
	lower := strings.ToLower(name)
	if !httpguts.ValidHeaderFieldName(name) || ownedHeaders[lower] || strings.HasPrefix(lower, "proxy-") {
		return &OptionError{"Headers", name, "the name of a request header that isn't the connection's own"}
	}
	if !httpguts.ValidHeaderFieldValue(value) {
		return &OptionError{"Headers", name, "a value without control characters"}
	}
	return nil
}
