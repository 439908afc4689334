package decode

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/winnow-go/winnow/engine"
)

// scrapeContract are the scrape options of the specification.
var scrapeContract = []string{
	"formats", "onlyMainContent", "onlyCleanContent", "includeTags", "excludeTags", "maxAge", "minAge", "headers", "waitFor", "mobile",
	"skipTlsVerification", "timeout", "parsers", "actions", "location", "removeBase64Images", "blockAds", "proxy", "storeInCache", "lockdown", "profile",
}

func TestScrapeFields_areThoseOfTheSpecification(t *testing.T) {
	f := ScrapeFields(&engine.ScrapeOptions{})
	var got []string
	for name, field := range f {
		if issues := field.Read([]byte(`"x"`)); len(issues) == 0 || issues[0].Code != "unsupported" {
			got = append(got, name)
		}
	}
	slices.Sort(got)
	want := slices.Sorted(slices.Values(append([]string{"origin", "integration", "winnow"}, scrapeContract...))) // and the labels, and what the service hasn't
	if !slices.Equal(got, want) {
		t.Errorf("got %v\nwant %v", got, want)
	}
}

func TestScrapeFields_reachTheOptions(t *testing.T) {
	var o engine.ScrapeOptions
	body := `{"formats":["markdown",{"type":"json","prompt":"p"}],"onlyMainContent":false,"onlyCleanContent":true,"includeTags":["a"],"excludeTags":["b"],
		"maxAge":1,"minAge":2,"headers":{"A":"b"},"waitFor":3,"mobile":true,"skipTlsVerification":false,"timeout":5000.0,"parsers":["image",{"type":"pdf","mode":"fast"}],
		"actions":[{"type":"wait","milliseconds":4}],"location":{"country":"DE","languages":["de"]},"removeBase64Images":false,"blockAds":false,
		"proxy":"stealth","storeInCache":false,"lockdown":true,"profile":{"name":"n","saveChanges":false},"fastMode":false,"winnow":{"leftOut":true,"cleanBelow":0.25,"render":"always","minConfidence":0.75,"revalidate":true}}`
	if err := Object([]byte(body), ScrapeFields(&o)); err != nil {
		t.Fatal(err)
	}
	got, err := json.Marshal(o)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`"Render":"always","MinConfidence":0.75`, `"Revalidate":true`,
		`"Formats":["markdown",{"type":"json","prompt":"p"}]`, `"OnlyMainContent":false`, `"OnlyCleanContent":true`, `"IncludeTags":["a"]`, `"ExcludeTags":["b"]`,
		`"MaxAge":1000000,`, `"MinAge":2000000,`, `"Headers":{"A":"b"}`, `"WaitFor":3000000,`, `"Mobile":true`, `"SkipTLSVerification":false`, `"Timeout":5000000000,`,
		`"Parsers":[{"type":"image"},{"type":"pdf","mode":"fast"}]`, `"milliseconds":4`, `"country":"DE","languages":["de"]`, `"RemoveBase64Images":false`,
		`"BlockAds":false`, `"Proxy":"stealth"`, `"StoreInCache":false`, `"Lockdown":true`, `"LeftOut":true`, `"CleanBelow":0.25`, `"name":"n","saveChanges":false`,
	} {
		if !strings.Contains(string(got), want) {
			t.Errorf("no %s in %s", want, got)
		}
	}
}

func TestPathOf_readsFields(t *testing.T) {
	for field, want := range map[string]string{
		"timeout": `[timeout]`, "location.languages[1]": `[location languages 1]`, "formats[0].schema": `[formats 0 schema]`, "code, prompt": `[code]`,
	} {
		if got := fmt.Sprint(PathOf(field)); got != want {
			t.Errorf("%s: %s", field, got)
		}
	}
}
