package locale

import (
	"errors"
	"slices"
	"testing"
	"time"
	_ "time/tzdata"

	"github.com/winnow-go/winnow/engine/internal/option"
)

type request struct {
	Country   string
	Languages []string
}

func TestPlain(t *testing.T) {
	if a := Plain.AcceptLanguage(); a != "en-US,en;q=0.9" || Plain.Timezone != "" {
		t.Errorf("%q, %q", a, Plain.Timezone)
	}
}

func TestFor(t *testing.T) {
	for _, c := range []struct {
		name      string
		in        request
		tag, zone string
		languages []string
		accept    string
	}{
		{"empty is US", request{}, "en-US", "America/New_York", []string{"en-US", "en"}, "en-US,en;q=0.9"},
		{"lower case", request{Country: "de"}, "de-DE", "Europe/Berlin", []string{"de-DE", "de"}, "de-DE,de;q=0.9"},
		{"pool", request{Country: "us-generic"}, "en-US", "America/New_York", []string{"en-US", "en"}, "en-US,en;q=0.9"},
		{"language of the country", request{Country: "JP"}, "ja-JP", "Asia/Tokyo", []string{"ja-JP", "ja"}, "ja-JP,ja;q=0.9"},
		{"languages", request{Country: "CH", Languages: []string{"de", "fr-CH", "en"}}, "de-CH", "Europe/Zurich",
			[]string{"de-CH", "de", "fr-CH", "fr", "en"}, "de-CH,de;q=0.9,fr-CH;q=0.8,fr;q=0.7,en;q=0.6"},
		{"a language from elsewhere", request{Country: "DE", Languages: []string{"ja"}}, "ja", "Europe/Berlin", []string{"ja"}, "ja"},
		{"no made-up bare tag between kin", request{Country: "GB", Languages: []string{"en-GB", "en-US"}}, "en-GB", "Europe/London",
			[]string{"en-GB", "en-US", "en"}, "en-GB,en-US;q=0.9,en;q=0.8"},
		{"uninhabited", request{Country: "BV", Languages: []string{"nb"}}, "nb", "Etc/UTC", []string{"nb"}, "nb"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := For(c.in.Country, c.in.Languages)
			if err != nil {
				t.Fatal(err)
			}
			if got.Tag != c.tag || got.Timezone != c.zone || !slices.Equal(got.Languages, c.languages) {
				t.Errorf("got %+v, want %s %s %v", got, c.tag, c.zone, c.languages)
			}
			if a := got.AcceptLanguage(); a != c.accept {
				t.Errorf("Accept-Language %q, want %q", a, c.accept)
			}
		})
	}
}

func TestFor_refuses(t *testing.T) {
	for field, in := range map[string]request{
		"location.country":      {Country: "XX"},
		"location.languages[1]": {Languages: []string{"de", "not a tag"}},
		"location.languages":    {Languages: make([]string, maxLanguages+1)},
	} {
		_, err := For(in.Country, in.Languages)
		var opt *option.Error
		if !errors.As(err, &opt) || opt.Field != field {
			t.Errorf("%+v: got %v, want an error for %s", in, err, field)
		}
	}
	for _, country := range []string{"USA", "840", "EU", "419", "d", "Germany"} {
		if _, err := For(country, nil); err == nil {
			t.Errorf("country %q was accepted", country)
		}
	}
}

func TestPlaces_allExist(t *testing.T) {
	for country, p := range places {
		if p.Latitude < -90 || p.Latitude > 90 || p.Longitude < -180 || p.Longitude > 180 {
			t.Errorf("%s lies at %v, %v", country, p.Latitude, p.Longitude)
		}
		if _, err := time.LoadLocation(p.Timezone); err != nil {
			t.Errorf("%s: %v", country, err)
		}
		if _, err := parseCountry(country); err != nil {
			t.Errorf("%s: %v", country, err)
		}
	}
}
