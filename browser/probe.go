package browser

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"time"

	"github.com/winnow-go/winnow/browser/internal/install"
	"github.com/winnow-go/winnow/browser/internal/instance"
	"github.com/winnow-go/winnow/browser/internal/launch"
)

// probeWait bounds the test of one browser.
const probeWait = 45 * time.Second

// probePage writes the answer to a sum into its body, and draws letters beside a character that no font has: a script whose letters
// look like that character is not drawn.
const probePage = `<!doctype html><title>probe</title><p id=a></p><script>
const box = (text) => {
	const c = document.createElement("canvas"); c.width = c.height = 40;
	const g = c.getContext("2d", { willReadFrequently: true }); g.font = "32px sans-serif"; g.fillText(text, 2, 32);
	return Array.from(g.getImageData(0, 0, 40, 40).data).join();
};
const blank = box(" "), none = box("\uffff"), unknown = box("\u{10ffff}");
const drawn = (letters) => new Set(letters.map(box).filter((b) => b !== blank && b !== none && b !== unknown)).size === letters.length;
const missing = [];
if (!drawn(["A", "g", "ß"])) missing.push("Latin");
if (!drawn(["中", "文", "日"])) missing.push("CJK");
document.getElementById("a").textContent = "sum " + (40 + 2) + " missing " + missing.join(",") + ".";
</script>`

// probe starts a browser for real, loads a page and reads what its script wrote.
func probe(ctx context.Context, inst *install.Installation) (install.ProbeResult, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, probeWait, fmt.Errorf("no answer within %s", probeWait))
	defer cancel()
	root := os.Geteuid() == 0
	kind := launch.Own
	if root {
		kind = launch.None
	}
	result, err := probeOnce(ctx, inst, kind)
	if err == nil || root || !strings.Contains(strings.ToLower(err.Error()), "sandbox") {
		return result, err
	}
	// The test page is trusted, so it may run without the sandbox; the pool still won't.
	if result, err = probeOnce(ctx, inst, launch.None); err == nil {
		result.Warning = "Chromium's sandbox does not start on this system: allow unprivileged user namespaces, " +
			"or set the option NoSandbox where every page is trusted"
	}
	return result, err
}

func probeOnce(ctx context.Context, inst *install.Installation, kind launch.Isolation) (install.ProbeResult, error) {
	log := slog.New(slog.DiscardHandler)
	started, err := instance.Start(ctx, instance.Request{
		Installation: inst, Proxy: deadProxy, Args: browserArgs(nil, ""), Isolation: kind, Log: log,
	})
	if err != nil {
		return install.ProbeResult{}, err
	}
	pool, gen := NewPool(Options{}), &generation{Instance: started}
	pool.browsers.adopt(gen)
	defer pool.Close()
	options, err := PageOptions{}.resolve()
	if err != nil {
		return install.ProbeResult{}, err
	}
	page, err := pool.openOn(ctx, gen, options)
	if err != nil {
		return install.ProbeResult{}, err
	}
	if _, err := page.Goto(ctx, "data:text/html;charset=utf-8,"+escapeData(probePage)); err != nil {
		return install.ProbeResult{}, err
	}
	html, err := page.Content(ctx)
	if err != nil {
		return install.ProbeResult{}, err
	}
	_, answer, found := strings.Cut(html, `<p id="a">sum 42 missing `)
	if !found {
		return install.ProbeResult{}, errors.New("no script ran in the test page")
	}
	answer, _, _ = strings.Cut(answer, ".")
	result := install.ProbeResult{Version: gen.Version}
	if answer != "" {
		result.MissingScripts = strings.Split(answer, ",")
	}
	return result, nil
}

// escapeData makes text safe in a data: address.
func escapeData(s string) string {
	return strings.NewReplacer("%", "%25", "#", "%23", "\n", "%0A", "\t", "%09", `"`, "%22", "+", "%2B").Replace(s)
}
