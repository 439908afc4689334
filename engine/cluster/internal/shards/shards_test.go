package shards

import (
	"fmt"
	"testing"

	"github.com/winnow-go/winnow/crawl"
)

// A cluster that has stored something finds it only where the shards stay as they are.
func TestOf_staysForEver(t *testing.T) {
	for url, want := range map[string]int{
		"https://example.com/": 248, "http://example.org/a": 250, "https://[::1]:8080/": 48,
	} {
		if got := Of(url, 256); got != want {
			t.Errorf("%s: got %d, want %d", url, got, want)
		}
	}
	if got := Home("0190b5a0-0000-7000-8000-000000000000", 256); got != 54 {
		t.Errorf("home: got %d", got)
	}
}

func TestOf_hostsOfOneSiteAreTogether(t *testing.T) {
	want := Of("https://example.com/", 256)
	for _, url := range []string{"http://WWW.example.com/", "http://example.com:8080/x?y", "https://www.example.com:443/#z"} {
		if got := Of(url, 256); got != want {
			t.Errorf("%s: got %d, want %d", url, got, want)
		}
	}
	if got := Of("mailto:a@example.com", 256); got != -1 {
		t.Errorf("got %d of a URL without a host", got)
	}
}

func TestOf_isEven(t *testing.T) {
	var count [256]int
	for i := range 256 * 100 {
		count[Of(fmt.Sprintf("https://host-%d.example/", i), 256)]++
	}
	for s, n := range count {
		if n < 50 || n > 170 {
			t.Errorf("shard %d has %d hosts of 25,600, want about 100", s, n)
		}
	}
}

func TestSplit(t *testing.T) {
	found := []crawl.Found{{URL: "https://a.example/1"}, {URL: "no URL"}, {URL: "https://a.example/2"}}
	by := Split(found, 256)
	if got := by[Of("https://a.example/", 256)]; len(by) != 1 || len(got) != 2 || got[0].URL != found[0].URL {
		t.Errorf("got %v", by)
	}
}
