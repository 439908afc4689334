package browser

import (
	"runtime"
	"strings"
)

// deadProxy is where an un-proxied request goes: the discard port, on which no server listens.
const deadProxy = "http://127.0.0.1:9"

// blinkSettings has documents that declare no charset, and whose bytes say nothing to Chromium, read as UTF-8, which it never guesses.
// Where the host's country was used to another one (.jp, .ru, .cz and so on), that goes first. The last switch of this name wins, so the
// settings that the driver gives to headless browsers are repeated: a mouse that hovers.
const blinkSettings = "--blink-settings=defaultTextEncodingName=UTF-8," +
	"primaryHoverType=2,availableHoverTypes=2,primaryPointerType=4,availablePointerTypes=4"

// heapFlags have a renderer collect garbage as soon as there are a few megabytes. By default it does so only after some 300: a warm tab
// held every page that it had shown, 5 MB each, and taking new memory costs more processor time than collecting. A page that fills its
// heap takes as long as before.
const heapFlags = "--js-flags=--initial-old-space-size=2,--max-semi-space-size=4"

// ownArgs are the arguments that every browser gets. Both WebRTC switches are needed: the full build obeys one, the headless shell
// the other. With the resolver rule a name that reaches the browser's own resolver isn't found: the proxy resolves.
var ownArgs = [...]string{
	"--webrtc-ip-handling-policy=disable_non_proxied_udp",
	"--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
	"--disable-quic",
	"--dns-prefetch-disable",
	"--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
	"--disable-background-networking",
	"--disable-component-update",
	"--disable-sync",
	"--disable-domain-reliability",
	"--disable-client-side-phishing-detection",
	"--no-first-run",
	"--no-default-browser-check",
	"--no-pings",
	"--disable-blink-features=AutomationControlled",
	blinkSettings,
	heapFlags,
}

// refusedArgs are switches that would open a way past the guard or weaken the sandbox, each with the reason that the error gives.
var refusedArgs = map[string]string{
	"proxy-server":                             "it would replace the guard's proxy",
	"proxy-bypass-list":                        "it would let hosts past the guard's proxy",
	"proxy-pac-url":                            "it would replace the guard's proxy",
	"proxy-auto-detect":                        "it would replace the guard's proxy",
	"no-proxy-server":                          "it would switch the guard's proxy off",
	"winhttp-proxy-resolver":                   "it would replace the guard's proxy",
	"host-rules":                               "it would redirect names",
	"host-resolver-rules":                      "it would redirect names",
	"host-resolver-retry-attempts":             "it would change name resolution",
	"enable-quic":                              "QUIC goes past the proxy",
	"origin-to-force-quic-on":                  "QUIC goes past the proxy",
	"webrtc-ip-handling-policy":                "WebRTC would go past the proxy",
	"force-webrtc-ip-handling-policy":          "WebRTC would go past the proxy",
	"ignore-certificate-errors":                "it would accept any certificate for every page; use PageOptions.SkipTLSVerify",
	"ignore-certificate-errors-spki-list":      "it would accept certificates for every page",
	"allow-insecure-localhost":                 "it would accept certificates for every page",
	"ignore-urlfetcher-cert-requests":          "it would weaken certificates",
	"unsafely-treat-insecure-origin-as-secure": "it would weaken origins",
	"no-sandbox":                               "it would switch the sandbox off; use Options.NoSandbox",
	"disable-setuid-sandbox":                   "it would weaken the sandbox; use Options.NoSandbox",
	"disable-namespace-sandbox":                "it would weaken the sandbox; use Options.NoSandbox",
	"disable-seccomp-filter-sandbox":           "it would weaken the sandbox",
	"disable-gpu-sandbox":                      "it would weaken the sandbox",
	"allow-sandbox-debugging":                  "it would weaken the sandbox",
	"single-process":                           "it would switch the sandbox off",
	"no-zygote":                                "it would weaken the sandbox",
	"no-zygote-sandbox":                        "it would weaken the sandbox",
	"disable-web-security":                     "it would switch the same-origin policy off",
	"disable-site-isolation-trials":            "it would mix sites in one process",
	"disable-features":                         "it would replace the driver's own list",
	"enable-features":                          "it could switch protections off",
	"allow-file-access-from-files":             "it would open local files",
	"remote-debugging-port":                    "it would let any local program drive the browser",
	"remote-debugging-address":                 "it would let others drive the browser",
	"remote-debugging-pipe":                    "the driver sets it",
	"remote-allow-origins":                     "it would let pages drive the browser",
	"user-data-dir":                            "each browser has its own folder",
	"load-extension":                           "extensions see every page",
	"renderer-cmd-prefix":                      "it would run another program",
	"utility-cmd-prefix":                       "it would run another program",
	"gpu-launcher":                             "it would run another program",
	"browser-subprocess-path":                  "it would run another program",
	"ppapi-plugin-launcher":                    "it would run another program",
}

// checkArgs refuses arguments that weaken proxy, resolver, certificates or sandbox, and what isn't a switch at all.
func checkArgs(args []string) error {
	for _, arg := range args {
		if !strings.HasPrefix(arg, "-") {
			return &ArgError{Arg: arg, Reason: "not a switch"}
		}
		name, _, _ := strings.Cut(strings.TrimLeft(arg, "-"), "=")
		if reason, bad := refusedArgs[strings.ToLower(strings.TrimSpace(name))]; bad {
			return &ArgError{Arg: arg, Reason: reason}
		}
	}
	return nil
}

// identityArgs give what no page's identity reaches, such as shared workers, that of usual pages.
func identityArgs(usual PageOptions, version string) []string {
	usual.languages()
	id := identify(usual, version)
	args := []string{"--accept-lang=" + strings.Join(id.languages, ",")}
	if version != "" {
		args = append(args, "--user-agent="+id.userAgent)
	}
	return args
}

// browserArgs are the arguments of one launch.
func browserArgs(extra []string, pin string) []string {
	args := append([]string(nil), ownArgs[:]...)
	if runtime.GOOS == "linux" {
		// Containers give /dev/shm 64 MB, too little for large pages.
		args = append(args, "--disable-dev-shm-usage")
	}
	if pin != "" {
		args = append(args, "--ignore-certificate-errors-spki-list="+pin)
	}
	return append(args, extra...)
}
