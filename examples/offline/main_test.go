package main

import (
	"bytes"
	"testing"
)

const want = `filled: 3 pages

/ (hit)
# The archive

Two papers are kept here.

- [On barley](https://archive.example/barley)
- [On oats](https://archive.example/oats)
html: 232 bytes; links: https://archive.example/barley https://archive.example/oats

/barley (hit)
# On barley

Barley keeps best in a *dry* loft.

[Back](https://archive.example/)
html: 165 bytes; links: https://archive.example/

/oats (hit)
# On oats

| Year | Sacks |
|---|---|
| 1786 | 12 |
html: 164 bytes; links: 

/rye: SCRAPE_LOCKDOWN_CACHE_MISS

carried: 3 pages in one file, 3 stored elsewhere
`

func TestRun_theSecondEngineServesWhatTheFirstStored(t *testing.T) {
	var out bytes.Buffer
	if err := run(t.Context(), &out, t.TempDir()); err != nil {
		t.Fatal(err)
	}
	if out.String() != want {
		t.Errorf("got\n%s\nwant\n%s", &out, want)
	}
}
