package enginetest

import (
	"sync"
	"testing"

	"github.com/winnow-go/winnow/browser"
	"github.com/winnow-go/winnow/engine"
	"github.com/winnow-go/winnow/fetch/weburl"
)

// kits are the engines of the tests that run, each with its *kit.
var kits sync.Map

// kit is what is known of an engine's pages.
type kit struct {
	t        testing.TB
	reports  reports
	pictures folder     // of MatchScreenshot
	opening  sync.Mutex // held by an Open until its page is there

	mu       sync.Mutex
	expected *Page   // that an Open waits for
	open     []*Page // by Open
	console  Messages
	requests RequestList
}

// maxKept bounds the messages and the requests that are kept of an engine.
const maxKept = 10_000

// kitOf returns the kit of an engine of this package.
func kitOf(t testing.TB, e *engine.Engine) *kit {
	t.Helper()
	k, ok := kits.Load(e)
	if !ok {
		t.Fatal("enginetest: the engine is closed, or was not made by New or Cassette")
	}
	return k.(*kit)
}

// live is the engine's OnLivePage: a page that an Open waits for is the test's until it is closed.
func (k *kit) live(url string, tab *browser.Page) (used bool) {
	p := k.claim(url)
	if p == nil {
		return false
	}
	p.arrived <- tab
	<-p.released
	k.drop(p)
	return true
}

// visited is the engine's OnPage.
func (k *kit) visited(r engine.PageReport) {
	k.reports.add(r)
	k.note(messagesOf(r.URL, r.Console), requestsOf(r.URL, r.Requests))
}

func (k *kit) note(console Messages, requests RequestList) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.console = lastOf(append(k.console, console...))
	k.requests = lastOf(append(k.requests, requests...))
}

func lastOf[T any](list []T) []T { return list[max(0, len(list)-maxKept):] }

// claim returns the page that a visit is for, nil for none.
func (k *kit) claim(url string) *Page {
	k.mu.Lock()
	defer k.mu.Unlock()
	p := k.expected
	if p == nil || weburl.Key(p.url) != weburl.Key(url) {
		return nil
	}
	k.expected, k.open = nil, append(k.open, p)
	return p
}

func (k *kit) expect(p *Page) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.expected = p
}

func (k *kit) drop(p *Page) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for i, o := range k.open {
		if o == p {
			k.open = append(k.open[:i:i], k.open[i+1:]...)
			return
		}
	}
}

func (k *kit) pages() []*Page {
	k.mu.Lock()
	defer k.mu.Unlock()
	return append([]*Page(nil), k.open...)
}

// pageOf returns the page of a test that began with a tab; nil for none.
func pageOf(tab *browser.Page) (found *Page) {
	kits.Range(func(_, k any) bool {
		for _, p := range k.(*kit).pages() {
			if p.first == tab {
				found = p
			}
		}
		return found == nil
	})
	return found
}
