package archive

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// warcio is the JavaScript library that reads our files, in the version that is tested with.
const warcio = "warcio@2.4.11"

// patience is for a tool on a machine that has other work.
const patience = 3 * time.Minute

// toolMissing skips a test; with WINNOW_REQUIRE_TOOLS, as in CI, it fails.
func toolMissing(t *testing.T, what ...any) {
	t.Helper()
	if os.Getenv("WINNOW_REQUIRE_TOOLS") != "" {
		t.Fatal(what...)
	}
	t.Skip(what...)
}

// run runs a tool in a folder and returns what it prints.
func run(t *testing.T, dir, name string, args ...string) (string, error) {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		toolMissing(t, name+" is missing")
	}
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, path, args...)
	var complaints bytes.Buffer
	cmd.Dir, cmd.Stderr, cmd.WaitDelay = dir, &complaints, 10*time.Second
	out, err := cmd.Output()
	if err != nil {
		err = fmt.Errorf("%s: %w\n%s%s", name, err, out, complaints.Bytes())
	}
	return string(out), err
}

// warcioHome installs warcio and returns the folder with its node_modules, which is kept in the user's cache: a folder there is whole, as it
// is moved to its place once npm has ended.
func warcioHome(t *testing.T) string {
	t.Helper()
	cache, err := os.UserCacheDir()
	if err != nil {
		toolMissing(t, "no cache folder for warcio: ", err)
	}
	home := filepath.Join(cache, "winnow", "clients", strings.ReplaceAll(warcio, "@", "-"))
	if _, err := os.Stat(home); err == nil {
		return home
	}
	if err := os.MkdirAll(filepath.Dir(home), 0o755); err != nil {
		t.Fatal(err)
	}
	work, err := os.MkdirTemp(filepath.Dir(home), "installing-")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(work)
	if err := os.WriteFile(filepath.Join(work, "package.json"), []byte(`{"private":true}`), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := run(t, work, "npm", "install", "--ignore-scripts", "--no-audit", "--no-fund", "--no-package-lock", "--prefer-offline",
		"--loglevel=error", "--save-exact", warcio); err != nil {
		toolMissing(t, "npm can't install ", warcio, " (no network?): ", err)
	}
	if err := os.Rename(work, home); err != nil { // another test run may have been faster
		if _, missing := os.Stat(home); missing != nil {
			t.Fatal(err)
		}
	}
	return home
}

// readByWarcio prints a line of JSON for each record, once warcio has checked its block and payload against their digests.
const readByWarcio = `
import {WARCParser} from "warcio";
import fs from "node:fs";
const text = (record) => new TextDecoder().decode(record.payload);
for await (const record of new WARCParser(fs.createReadStream(process.argv[2]))) {
	const payload = await record.readFully(true);
	console.log(JSON.stringify({type: record.warcType, url: record.warcTargetURI, refers: record.warcRefersToTargetURI, date: record.warcDate,
		status: record.httpHeaders?.statusCode, media: record.httpHeaders?.headers.get("content-type"), body: new TextDecoder().decode(payload || new Uint8Array())}));
}
`

type warcioRecord struct{ Type, URL, Refers, Date, Media, Body string }

func TestTools_warcioReadsOurs(t *testing.T) {
	home := warcioHome(t)
	for _, plain := range []bool{false, true} {
		o := options()
		o.Plain = plain
		file := filepath.Join(t.TempDir(), "test.warc")
		binary := page("https://a.example/ü?x", strings.Repeat("ünicode ", 5000))
		if err := os.WriteFile(file, writtenFile(t, o, page("https://a.example/", "home"), page("https://a.example/2", "home"), binary), 0o644); err != nil {
			t.Fatal(err)
		}
		script := filepath.Join(home, fmt.Sprintf("read-%d.mjs", os.Getpid()))
		if err := os.WriteFile(script, []byte(readByWarcio), 0o644); err != nil {
			t.Fatal(err)
		}
		defer os.Remove(script)
		out, err := run(t, home, "node", script, file)
		if err != nil {
			t.Fatal(err)
		}
		got := parseWarcio(t, out)
		var types []string
		for _, rec := range got {
			types = append(types, rec.Type)
		}
		if want := strings.Fields("warcinfo response request revisit request response request"); !slices.Equal(types, want) {
			t.Fatalf("%q, want %q", types, want)
		}
		if got[1].Body != "home" || got[1].URL != "https://a.example/" || got[1].Media != "text/html; charset=utf-8" || got[1].Date != stamp(moment) ||
			got[3].Refers != got[1].URL || got[5].Body != strings.Repeat("ünicode ", 5000) {
			t.Errorf("plain %t: %+v", plain, got)
		}
	}
}

func parseWarcio(t *testing.T, out string) (records []warcioRecord) {
	t.Helper()
	for line := range strings.Lines(out) {
		var rec warcioRecord
		if err := json.Unmarshal([]byte(line), &rec); err != nil {
			t.Fatalf("%v in %q", err, line)
		}
		records = append(records, rec)
	}
	return records
}

// A site that wget has recorded is read whole: each page as it was served, and what wget has found twice as a revisit.
func TestTools_wgetIsRead(t *testing.T) {
	if _, err := exec.LookPath("wget"); err != nil {
		toolMissing(t, "wget is missing")
	}
	bodies := map[string]string{"/": `<a href="/2">second</a>`, "/2": strings.Repeat("the second page. ", 5000), "/3": strings.Repeat("the second page. ", 5000)}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = io.WriteString(w, bodies[r.URL.Path])
	}))
	defer server.Close()
	for _, flag := range []string{"--warc-cdx", "--no-warc-compression"} {
		dir := t.TempDir()
		if _, err := run(t, dir, "wget", "-q", "--no-proxy", "--tries=1", flag, "--warc-file=site", "-O", "/dev/null",
			server.URL+"/", server.URL+"/2", server.URL+"/3"); err != nil {
			t.Fatal(err)
		}
		files, _ := filepath.Glob(filepath.Join(dir, "site.warc*"))
		checkWget(t, files[0], server.URL, bodies)
	}
}

func checkWget(t *testing.T, file, base string, bodies map[string]string) {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	records, damage := readAll(t, f)
	if len(damage) > 0 {
		t.Errorf("damage: %v", damage)
	}
	found := map[string]bool{}
	for _, rec := range records {
		if rec.Type() != Response {
			continue
		}
		m, body := messageOf(t, rec)
		path := strings.TrimPrefix(rec.URL(), base)
		if body != bodies[path] || m.Status() != 200 {
			t.Errorf("%s: status %d, %.60q, want %.60q", rec.URL(), m.Status(), body, bodies[path])
		}
		found[path] = true
	}
	if len(found) != len(bodies) {
		t.Errorf("found %v in %s", found, file)
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		t.Fatal(err)
	}
	entries, err := MakeIndex(f, file, func(err error) { t.Error(err) })
	if err != nil || len(entries) < len(bodies) {
		t.Errorf("%d entries, %v", len(entries), err)
	}
}
