package engine

import (
	"errors"
	"slices"
	"testing"
	"time"
	_ "time/tzdata"
)

func TestLocate(t *testing.T) {
	for _, c := range []struct {
		name      string
		in        *Location
		tag, zone string
		languages []string
		accept    string
	}{
		{"none", nil, "en-US", "", []string{"en-US", "en"}, "en-US,en;q=0.9"},
		{"empty is US", &Location{}, "en-US", "America/New_York", []string{"en-US", "en"}, "en-US,en;q=0.9"},
		{"lower case", &Location{Country: "de"}, "de-DE", "Europe/Berlin", []string{"de-DE", "de"}, "de-DE,de;q=0.9"},
		{"pool", &Location{Country: "us-generic"}, "en-US", "America/New_York", []string{"en-US", "en"}, "en-US,en;q=0.9"},
		{"language of the country", &Location{Country: "JP"}, "ja-JP", "Asia/Tokyo", []string{"ja-JP", "ja"}, "ja-JP,ja;q=0.9"},
		{"languages", &Location{Country: "CH", Languages: []string{"de", "fr-CH", "en"}}, "de-CH", "Europe/Zurich",
			[]string{"de-CH", "de", "fr-CH", "fr", "en"}, "de-CH,de;q=0.9,fr-CH;q=0.8,fr;q=0.7,en;q=0.6"},
		{"a language from elsewhere", &Location{Country: "DE", Languages: []string{"ja"}}, "ja", "Europe/Berlin", []string{"ja"}, "ja"},
		{"no made-up bare tag between kin", &Location{Country: "GB", Languages: []string{"en-GB", "en-US"}}, "en-GB", "Europe/London",
			[]string{"en-GB", "en-US", "en"}, "en-GB,en-US;q=0.9,en;q=0.8"},
		{"uninhabited", &Location{Country: "BV", Languages: []string{"nb"}}, "nb", "Etc/UTC", []string{"nb"}, "nb"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := locate(c.in)
			if err != nil {
				t.Fatal(err)
			}
			if got.tag != c.tag || got.timezone != c.zone || !slices.Equal(got.languages, c.languages) {
				t.Errorf("got %+v, want %s %s %v", got, c.tag, c.zone, c.languages)
			}
			if a := acceptLanguage(got.languages); a != c.accept {
				t.Errorf("Accept-Language %q, want %q", a, c.accept)
			}
		})
	}
}

func TestLocate_refuses(t *testing.T) {
	for field, in := range map[string]Location{
		"location.country":      {Country: "XX"},
		"location.languages[1]": {Languages: []string{"de", "not a tag"}},
		"location.languages":    {Languages: make([]string, mostLanguages+1)},
	} {
		_, err := locate(&in)
		var opt *OptionError
		if !errors.As(err, &opt) || opt.Field != field {
			t.Errorf("%+v: got %v, want an OptionError for %s", in, err, field)
		}
	}
	for _, country := range []string{"USA", "840", "EU", "419", "d", "Germany"} {
		if _, err := locate(&Location{Country: country}); err == nil {
			t.Errorf("country %q was accepted", country)
		}
	}
}

func TestPlaces_allExist(t *testing.T) {
	for country, p := range places {
		if p.latitude < -90 || p.latitude > 90 || p.longitude < -180 || p.longitude > 180 {
			t.Errorf("%s lies at %v, %v", country, p.latitude, p.longitude)
		}
		if _, err := time.LoadLocation(p.timezone); err != nil {
			t.Errorf("%s: %v", country, err)
		}
		if _, err := parseCountry(country); err != nil {
			t.Errorf("%s: %v", country, err)
		}
	}
}
