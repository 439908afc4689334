package robots

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/temoto/robotstxt"
)

// The library fails a whole file for one bad line, takes the prefix of a robot's name for the name, compiles a regular
// expression per wildcard rule, and measures rules by those. It is right about which group a Crawl-delay
// is for, how groups merge, when "*" steps in, and sitemaps. So it is given a text of our own that
// holds only these, in a form that it can't misread, and no rule depends on it:
//
//	user-agent: winnow/      the slash ends the name, so that no name is another's prefix
//	crawl-delay: 2.5         at most one in a group: the library's cost is agents times delays
//	disallow: /              stands for all rules of the group; it makes the group exist
//	sitemap: https://…

const (
	maxSitemaps   = 1000
	maxCrawlDelay = 24 * time.Hour
	tokenEnd      = "/"
)

// cleanText collects the text for the library.
type cleanText struct {
	b     strings.Builder
	named bool // the group has user-agent lines
	ended bool // the next user-agent line begins another group
	delay string
}

func (c *cleanText) add(d directive) {
	switch d.kind {
	case userAgent:
		c.agent(tokenOfLine(d.value))
	case allow, disallow:
		c.ended = true
	case crawlDelay:
		if seconds, ok := readDelay(d.value); ok {
			c.delay, c.ended = seconds, true
		}
	case sitemap:
		if address, ok := readSitemap(d.value); ok {
			c.write("sitemap", address)
		}
	}
}

func (c *cleanText) agent(token string) {
	if c.ended {
		c.endGroup()
	}
	c.named = c.named || token != ""
	if token == anyone {
		c.write("user-agent", anyone)
	} else if token != "" {
		c.write("user-agent", token+tokenEnd)
	}
}

func (c *cleanText) endGroup() {
	if c.named {
		if c.delay != "" {
			c.write("crawl-delay", c.delay)
		}
		c.write("disallow", "/")
	}
	c.named, c.ended, c.delay = false, false, ""
}

func (c *cleanText) write(name, value string) {
	c.b.WriteString(name)
	c.b.WriteString(": ")
	c.b.WriteString(value)
	c.b.WriteByte('\n')
}

func (c *cleanText) finish() []byte {
	c.endGroup()
	return []byte(c.b.String())
}

// readDelay returns a number of seconds in the plainest form, if the value is one above zero.
func readDelay(value string) (string, bool) {
	seconds, err := strconv.ParseFloat(value, 64)
	if err != nil || math.IsNaN(seconds) || seconds <= 0 {
		return "", false
	}
	seconds = min(seconds, maxCrawlDelay.Seconds())
	return strconv.FormatFloat(seconds, 'f', -1, 64), true
}

func readSitemap(value string) (string, bool) {
	if !utf8.ValidString(value) || strings.ContainsFunc(value, func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f }) {
		return "", false
	}
	scheme, rest, ok := strings.Cut(value, "://")
	if !ok || rest == "" || !strings.EqualFold(scheme, "http") && !strings.EqualFold(scheme, "https") {
		return "", false
	}
	return strings.ReplaceAll(strings.ReplaceAll(value, " ", "%20"), "\t", "%20"), true
}

// extras is what a file says beside its rules, as the library reads it. The zero value says nothing.
type extras struct {
	data     *robotstxt.RobotsData
	sitemaps []string
}

// readExtras hands the clean text over. An error would cost delays and sitemaps, never a rule.
func readExtras(clean []byte) extras {
	data, err := robotstxt.FromBytes(clean)
	if err != nil {
		return extras{}
	}
	return extras{data: data, sitemaps: distinct(data.Sitemaps)}
}

func distinct(addresses []string) []string {
	var out []string
	seen := map[string]bool{}
	for _, a := range addresses {
		if len(out) == maxSitemaps {
			break
		}
		if !seen[a] {
			seen[a] = true
			out = append(out, a)
		}
	}
	return slices.Clip(out)
}

func (e extras) crawlDelay(token string) (time.Duration, bool) {
	if e.data == nil {
		return 0, false
	}
	delay := e.data.FindGroup(token + tokenEnd).CrawlDelay
	return delay, delay > 0
}
