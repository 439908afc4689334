package browser

import (
	"fmt"
	"regexp"
	"runtime"
	"strconv"
	"strings"
)

// A mobile page is a Pixel 8: the device scale factor, and the number of its touch points.
const (
	mobileScale   = 2.625
	mobileTouches = 5
)

// identity is how a page looks to a site. Agent, client hints, navigator and languages are made from the same facts, so that they agree.
type identity struct {
	userAgent string
	languages []string
	platform  string         // navigator.platform; "" leaves the real one
	metadata  map[string]any // client hints
	screen    Viewport
}

// chromeVersion finds the version that an agent claims.
var chromeVersion = regexp.MustCompile(`Chrome/(\d+(?:\.\d+)*)`)

// identify makes the identity of a page in a browser of the given version.
func identify(o PageOptions, version string) identity {
	id := identity{languages: o.Languages, screen: screenFor(o)}
	o.UserAgent = agentOf(o)
	id.userAgent = o.UserAgent
	if id.userAgent == "" {
		id.userAgent = defaultAgent(o.Mobile, major(version))
	}
	id.platform = navigatorPlatform(id.userAgent)
	id.metadata = clientHints(id.userAgent, version, o.UserAgent != "")
	return id
}

// agentOf is the agent of the options, "" for the default.
func agentOf(o PageOptions) string {
	for name, value := range o.Headers {
		if strings.EqualFold(name, "User-Agent") {
			return value
		}
	}
	return o.UserAgent
}

// override is the parameter set of Emulation.setUserAgentOverride.
func (id identity) override() map[string]any {
	params := map[string]any{
		"userAgent":         id.userAgent,
		"acceptLanguage":    strings.Join(id.languages, ","),
		"userAgentMetadata": id.metadata,
	}
	if id.platform != "" {
		params["platform"] = id.platform
	}
	return params
}

// acceptLanguage is the header in Chrome's form: "de-DE,de;q=0.9,fr;q=0.8".
func (id identity) acceptLanguage() string {
	parts := make([]string, len(id.languages))
	for i, language := range id.languages {
		parts[i] = language
		if i > 0 {
			parts[i] += fmt.Sprintf(";q=0.%d", max(10-i, 1))
		}
	}
	return strings.Join(parts, ",")
}

// screenFor returns a screen that is never smaller than the window.
func screenFor(o PageOptions) Viewport {
	if o.Mobile {
		return o.Viewport
	}
	return Viewport{Width: max(1920, o.Viewport.Width), Height: max(1080, o.Viewport.Height)}
}

func major(version string) string {
	m, _, _ := strings.Cut(version, ".")
	return m
}

// defaultAgent is the agent of today's Chrome, which names only the major version.
func defaultAgent(mobile bool, major string) string {
	system, suffix := "X11; Linux x86_64", ""
	switch {
	case mobile:
		system, suffix = "Linux; Android 10; K", " Mobile"
	case runtime.GOOS == "darwin":
		system = "Macintosh; Intel Mac OS X 10_15_7"
	case runtime.GOOS == "windows":
		system = "Windows NT 10.0; Win64; x64"
	}
	return fmt.Sprintf("Mozilla/5.0 (%s) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/%s.0.0.0%s Safari/537.36", system, major, suffix)
}

func navigatorPlatform(agent string) string {
	switch {
	case strings.Contains(agent, "Android"):
		return "Linux armv81"
	case strings.Contains(agent, "iPhone"):
		return "iPhone"
	case strings.Contains(agent, "iPad"):
		return "iPad"
	case strings.Contains(agent, "Mac OS X"):
		return "MacIntel"
	case strings.Contains(agent, "Windows"):
		return "Win32"
	case strings.Contains(agent, "Linux"):
		return "Linux x86_64"
	}
	return ""
}

// clientHints says in the newer form what the agent says in the old one. An agent that isn't Chrome's gets no brands, as such
// browsers send none.
func clientHints(agent, version string, custom bool) map[string]any {
	system, systemVersion, model := hintSystem(agent)
	mobile := strings.Contains(agent, "Mobile")
	hints := map[string]any{
		"platform": system, "platformVersion": systemVersion, "architecture": "x86", "bitness": "64", "model": model,
		"mobile": mobile, "wow64": false, "brands": []any{}, "fullVersionList": []any{}, "fullVersion": "",
	}
	if mobile {
		hints["architecture"], hints["bitness"] = "", ""
	} else if strings.HasPrefix(system, "mac") && runtime.GOARCH == "arm64" {
		hints["architecture"] = "arm"
	}
	claimed := chromeVersion.FindStringSubmatch(agent)
	if claimed == nil {
		return hints
	}
	if custom && major(claimed[1]) != major(version) {
		version = claimed[1]
	}
	hints["fullVersion"] = version
	hints["brands"] = brands(major(version), major(version), "")
	hints["fullVersionList"] = brands(major(version), version, ".0.0.0")
	return hints
}

func hintSystem(agent string) (system, version, model string) {
	switch {
	case strings.Contains(agent, "Android"):
		return "Android", "15.0.0", "Pixel 8"
	case strings.Contains(agent, "iPhone"), strings.Contains(agent, "iPad"):
		return "iOS", "18.0.0", ""
	case strings.Contains(agent, "Mac OS X"):
		return "macOS", "15.0.0", ""
	case strings.Contains(agent, "Windows"):
		return "Windows", "19.0.0", ""
	}
	return "Linux", "", ""
}

// brands is Chrome's brand list: two real names and an invented one, whose name, version and place change with the major version.
func brands(major, version, suffix string) []any {
	seed, _ := strconv.Atoi(major)
	signs := []string{" ", "(", ":", "-", ".", "/", ")", ";", "=", "?", "_"}
	invented := "Not" + signs[seed%len(signs)] + "A" + signs[(seed+1)%len(signs)] + "Brand"
	orders := [6][3]int{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}}
	order := orders[seed%len(orders)]
	list := make([]any, 3)
	list[order[0]] = map[string]any{"brand": invented, "version": []string{"8", "99", "24"}[seed%3] + suffix}
	list[order[1]] = map[string]any{"brand": "Chromium", "version": version}
	list[order[2]] = map[string]any{"brand": "Google Chrome", "version": version}
	return list
}
