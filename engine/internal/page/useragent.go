package page

import (
	"fmt"
	"runtime"
)

// chromeVersion is what plain HTTP says it is while no browser has been started.
// It is the version that the pinned driver was made for.
const chromeVersion = "148.0.0.0"

// userAgent is sent by plain HTTP: the caller's, or the one the engine's browser
// would send, so that a site answers both alike.
func (g *Getter) Agent() string {
	if g.UserAgent != "" {
		return g.UserAgent
	}
	version := chromeVersion
	if major, ok := majorVersion(g.Pool.Version()); ok {
		version = major + ".0.0.0" // Chrome's reduced user agent
	}
	return fmt.Sprintf("Mozilla/5.0 (%s) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/%s Safari/537.36", platform(), version)
}

func majorVersion(version string) (string, bool) {
	for i, r := range version {
		if r == '.' && i > 0 {
			return version[:i], true
		}
		if r < '0' || r > '9' {
			break
		}
	}
	return "", false
}

func platform() string {
	switch runtime.GOOS {
	case "windows":
		return "Windows NT 10.0; Win64; x64"
	case "darwin":
		return "Macintosh; Intel Mac OS X 10_15_7"
	}
	return "X11; Linux x86_64"
}
