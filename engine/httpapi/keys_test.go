package httpapi

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"
)

func printed(v any) string { return fmt.Sprintf("%+v %s", v, v) }

func TestReadKeys_readsTeamsAndLimits(t *testing.T) {
	file := "# the shop\n\n" + HashSecret(redSecret) + " shop credits=500 sessions=2 pages=8 scrape=100/m crawl=10/h zdr=on\n" + HashSecret(blueSecret) + "\tblue\n"
	keys, err := ReadKeys(strings.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	first, second := key(t, redSecret, "shop"), key(t, blueSecret, "blue")
	first.Limits = &Limits{
		Rates:   map[Endpoint]Rate{EndpointScrape: {100, time.Minute}, EndpointCrawl: {10, time.Hour}},
		Credits: 500, Sessions: 2, Pages: 8, ZeroDataRetention: true,
	}
	if !reflect.DeepEqual(keys, []Key{first, second}) {
		t.Errorf("got %+v", keys)
	}
	if id := keys[0].ID(); len(id) != 8 || !strings.HasPrefix(HashSecret(redSecret), hashPrefix+id) {
		t.Errorf("%q doesn't lead to the line of the key", id)
	}
}

func TestReadKeys_refusesWithTheLineAndWithoutItsContent(t *testing.T) {
	hash := HashSecret(redSecret)
	for name, line := range map[string]string{
		"a secret":           redSecret + " shop",
		"no team":            hash,
		"too short":          hash[:40] + " shop",
		"no hex":             hashPrefix + strings.Repeat("z", 64) + " shop",
		"an unknown limit":   hash + " shop speed=3",
		"a limit of 0":       hash + " shop credits=0",
		"a rate without":     hash + " shop scrape=3",
		"a rate of weeks":    hash + " shop scrape=3/w",
		"a team of too long": hash + " " + strings.Repeat("t", 200),
	} {
		_, err := ReadKeys(strings.NewReader("# one\n" + line))
		if err == nil || !strings.Contains(err.Error(), "line 2") || strings.Contains(err.Error(), redSecret) || strings.Contains(err.Error(), hash) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Which of its teams and limits would hold?
func TestReadKeys_refusesTheSameKeyTwice(t *testing.T) {
	hash := HashSecret(redSecret)
	for _, again := range []string{hash, hashPrefix + strings.ToUpper(hash[len(hashPrefix):])} {
		_, err := ReadKeys(strings.NewReader(hash + " shop\n" + HashSecret(blueSecret) + " shop\n" + again + " other"))
		if err == nil || !strings.Contains(err.Error(), "line 3 of the keys: the same key") {
			t.Error(err)
		}
	}
}

func TestNewKey_refusesWhatCanBeGuessed(t *testing.T) {
	for _, c := range [][2]string{{"short", "red"}, {"a secret with blanks in it", "red"}, {redSecret, ""}, {redSecret, "two words"}, {redSecret, "zero\x00"}} {
		if _, err := NewKey(c[0], c[1]); err == nil {
			t.Errorf("%q was accepted", c)
		}
	}
}

func FuzzReadKeys(f *testing.F) {
	f.Add(HashSecret(redSecret) + " shop credits=500 scrape=100/m")
	f.Fuzz(func(t *testing.T, file string) {
		keys, err := ReadKeys(strings.NewReader(file))
		for i := range keys {
			if err != nil || !keys[i].made() {
				t.Errorf("%+v, %v", keys, err)
			}
		}
	})
}
