package install

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"sort"
)

// chromePath is the variable that names the user's browser.
const chromePath = "CHROME_PATH"

// debianShell is the program behind Debian's wrapper, which would stand between this program and the browser's process.
const debianShell = "/usr/lib/chromium/chromium-headless-shell"

// present lists the installed browsers, in the order of preference.
func (in *search) present() []candidate {
	var list []candidate
	add := func(source string, paths ...string) {
		for _, path := range paths {
			if path != "" && exists(path) {
				list = append(list, candidate{path: path, source: source})
			}
		}
	}
	if path := in.s.getenv("CHROME_PATH"); path != "" {
		list = append(list, candidate{path: path, source: chromePath})
	}
	if !in.s.noSystemBrowsers {
		add("headless shell", debianShell)
		for _, name := range []string{"chromium-headless-shell", "chrome-headless-shell", "headless_shell", "headless-shell"} {
			if path, err := exec.LookPath(name); err == nil {
				add("headless shell", path)
			}
		}
		add("Playwright's headless shell", playwrightShells(in.s.getenv)...)
	}
	add("downloaded headless shell", shellsBelow(in.downloadDir(AnyKind))...)
	if own := in.npmChromium(); exists(own.path) {
		list = append(list, own)
	}
	if !in.s.noSystemBrowsers {
		add("browser", fullBrowsers()...)
	}
	add("downloaded browser", fullBelow(in.downloadDir(FullKind))...)
	if in.Kind == FullKind {
		list = slices.DeleteFunc(list, func(c candidate) bool { return isShell(c.path) && c.source != chromePath })
	}
	return list
}

// playwrightShells lists the headless shells in Playwright's cache, the newest first.
func playwrightShells(getenv func(string) string) []string {
	dir := getenv("PLAYWRIGHT_BROWSERS_PATH")
	if dir == "" || dir == "0" {
		user, err := os.UserCacheDir()
		if err != nil {
			return nil
		}
		dir = filepath.Join(user, "ms-playwright")
	}
	return shellsBelow(dir)
}

func shellsBelow(dir string) []string {
	var found []string
	for _, name := range []string{"chrome-headless-shell", "headless_shell"} {
		if runtime.GOOS == "windows" {
			name += ".exe"
		}
		paths, _ := filepath.Glob(filepath.Join(dir, "chromium_headless_shell-*", "*", name))
		found = append(found, paths...)
	}
	sort.Sort(sort.Reverse(sort.StringSlice(found)))
	return found
}

// fullBelow lists the full builds in a folder that the driver's installer filled, the newest first.
func fullBelow(dir string) []string {
	var found []string
	for _, program := range []string{"chrome", "chrome.exe", "Chromium.app/Contents/MacOS/Chromium", "Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing"} {
		paths, _ := filepath.Glob(filepath.Join(dir, "chromium-*", "*", filepath.FromSlash(program)))
		found = append(found, paths...)
	}
	sort.Sort(sort.Reverse(sort.StringSlice(found)))
	return found
}

// fullBrowsers lists Chrome, Chromium, Edge and Brave in their usual places and on PATH.
func fullBrowsers() []string {
	var paths []string
	switch runtime.GOOS {
	case "windows":
		for _, root := range []string{os.Getenv("PROGRAMFILES"), os.Getenv("PROGRAMFILES(X86)"), os.Getenv("LOCALAPPDATA")} {
			if root == "" {
				continue
			}
			paths = append(paths, filepath.Join(root, `Google\Chrome\Application\chrome.exe`), filepath.Join(root, `Chromium\Application\chrome.exe`),
				filepath.Join(root, `Microsoft\Edge\Application\msedge.exe`), filepath.Join(root, `BraveSoftware\Brave-Browser\Application\brave.exe`))
		}
		return paths
	case "darwin":
		home, _ := os.UserHomeDir()
		for _, root := range []string{"/Applications", filepath.Join(home, "Applications")} {
			for _, app := range []string{"Google Chrome", "Chromium", "Microsoft Edge", "Brave Browser"} {
				paths = append(paths, filepath.Join(root, app+".app", "Contents", "MacOS", app))
			}
		}
	default:
		// The real binaries first: a program on PATH may be a wrapper that adds switches.
		paths = append(paths, "/opt/google/chrome/chrome", "/usr/lib/chromium/chromium", "/usr/lib/chromium-browser/chromium-browser",
			"/opt/microsoft/msedge/msedge", "/opt/brave.com/brave/brave")
	}
	for _, name := range []string{"google-chrome-stable", "google-chrome", "chromium", "chromium-browser", "microsoft-edge", "brave-browser"} {
		if path, err := exec.LookPath(name); err == nil {
			paths = append(paths, path)
		}
	}
	return paths
}
