//go:build linux

package engine

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// manyRequests is a page as shops have it: scripts, styles and data from many hosts, none of which a list knows, and some work of its own.
func manyRequests() map[string]http.Handler {
	var page strings.Builder
	page.WriteString("<main><h1>Wares</h1>" + strings.Repeat("<p>Some words about a thing that is for sale.</p>", 200) + "</main>")
	hosts := map[string]http.Handler{}
	for i := range 10 {
		host := fmt.Sprintf("part%d.example", i)
		for n := range 6 {
			fmt.Fprintf(&page, "<script src=https://%s/assets/chunk-%d.js?v=3></script><link rel=stylesheet href=https://%s/theme/%d.css>", host, n, host, n)
		}
		hosts[host] = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if strings.HasSuffix(r.URL.Path, ".css") {
				w.Header().Set("Content-Type", "text/css")
				fmt.Fprint(w, strings.Repeat(".a { color: red }\n", 500))
				return
			}
			w.Header().Set("Content-Type", "text/javascript")
			fmt.Fprint(w, "for (let i = 0, p; i < 60; i++) { p = document.createElement('p'); p.textContent = 'Ware ' + i; document.querySelector('main').append(p) }")
		})
	}
	hosts["shop.example"] = htmlPage(page.String())
	return hosts
}

// BenchmarkBlockAds compares the processor time of pages of 120 requests, this process and the browser's together: without lists, with
// lists that the browser holds requests for, and with lists that the proxy judges by.
// WINNOW_LISTS is a folder of lists in the EasyList syntax, such as those of Debian's webext-ublock-origin-firefox.
func BenchmarkBlockAds(b *testing.B) {
	lists, _ := filepath.Glob(filepath.Join(os.Getenv("WINNOW_LISTS"), "easy*.txt"))
	if len(lists) == 0 {
		b.Skip("this system: WINNOW_LISTS is not set, or has no easy*.txt")
	}
	names, engines, took := []string{"without", "with", "proxy"}, map[string]*Engine{}, map[string]time.Duration{}
	scrape := func(name string) {
		for n := range 5 {
			address := fmt.Sprintf("https://shop.example/%d", n)
			if _, err := engines[name].Scrape(b.Context(), address, ScrapeOptions{Render: RenderAlways, MaxAge: fresh, SkipTLSVerification: new(true)}); err != nil {
				b.Fatal(err)
			}
		}
	}
	for _, name := range names {
		engines[name] = hostEngine(b, manyRequests(), ownBrowser, func(o *Options) {
			if name != "without" {
				o.FilterLists, o.FilterInProxy = lists, name == "proxy"
			}
		})
		scrape(name) // starts the browser and reads the lists
	}
	for b.Loop() {
		for _, name := range names {
			before := processorTime(b, engines[name])
			scrape(name)
			spent := processorTime(b, engines[name]) - before
			took[name] += spent
			b.Logf("%s: %v a page", name, spent/5)
		}
	}
	b.ReportMetric(float64(took["without"].Milliseconds())/float64(5*b.N), "ms-without/page")
	b.ReportMetric(took["with"].Seconds()/took["without"].Seconds(), "x-with")
	b.ReportMetric(took["proxy"].Seconds()/took["without"].Seconds(), "x-proxy")
}

// processorTime is what this process, the engine's browser and its driver have used, with children that have ended.
func processorTime(b *testing.B, e *Engine) (sum time.Duration) {
	b.Helper()
	pids := []int{os.Getpid()}
	for _, kind := range browserProcesses(e) {
		pids = append(pids, kind...)
	}
	for _, pid := range pids {
		data, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "stat"))
		if err != nil {
			continue // it has ended meanwhile
		}
		_, rest, _ := strings.Cut(string(data), ") ")
		fields := strings.Fields(rest)
		used := fields[11:min(15, len(fields))]
		if pid == os.Getpid() {
			used = used[:2] // its children are the browsers of both engines
		}
		for _, ticks := range used {
			n, _ := strconv.Atoi(ticks)
			sum += time.Duration(n) * 10 * time.Millisecond
		}
	}
	return sum
}
