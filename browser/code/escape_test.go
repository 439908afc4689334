package code

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
)

// secret stands in all places of the machine that code must not read.
const secret = "s3cr3t-of-the-host"

// machine is what an escape would reach: a file, a folder, a server on loopback, a socket, this process.
type machine struct {
	file, folder string
	address      string
	port         int
	socket       string
	reached      atomic.Int64
}

func newMachine(t *testing.T) *machine {
	t.Helper()
	dir, err := os.MkdirTemp("", "host")
	if err != nil {
		t.Fatal(err)
	}
	m := &machine{file: filepath.Join(dir, "file"), folder: filepath.Join(dir, "folder"), socket: filepath.Join(dir, "host.sock")}
	if err := os.WriteFile(m.file, []byte(secret), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(m.folder, 0o777); err != nil {
		t.Fatal(err)
	}
	tcp, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	unix, err := net.Listen("unix", m.socket)
	if err != nil {
		t.Fatal(err)
	}
	m.address, m.port = tcp.Addr().String(), tcp.Addr().(*net.TCPAddr).Port
	done := make(chan struct{}, 2)
	for _, l := range []net.Listener{tcp, unix} {
		go func() {
			defer func() { done <- struct{}{} }()
			m.serve(l)
		}()
	}
	t.Cleanup(func() {
		tcp.Close()
		unix.Close()
		<-done
		<-done
		os.RemoveAll(dir)
	})
	return m
}

func (m *machine) serve(l net.Listener) {
	for {
		c, err := l.Accept()
		if err != nil {
			return
		}
		m.reached.Add(1)
		fmt.Fprintf(c, "HTTP/1.1 200 OK\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s", len(secret), secret)
		c.Close()
	}
}

// fill puts the machine's places into a piece of code.
func (m *machine) fill(code string) string {
	home, _ := os.UserHomeDir()
	wd, _ := os.Getwd()
	return strings.NewReplacer("FILE", m.file, "FOLDER", m.folder, "ADDRESS", m.address, "PORT", fmt.Sprint(m.port), "SOCKET", m.socket,
		"HOSTPID", fmt.Sprint(os.Getpid()), "HOSTHOME", home, "HOSTDIR", wd).Replace(code)
}

// untouched fails when an escape has reached or changed something.
func (m *machine) untouched(t *testing.T, result Result) {
	t.Helper()
	texts := result.Stdout + result.Stderr
	if result.Result != nil {
		texts += *result.Result
	}
	if strings.Contains(texts, secret) {
		t.Errorf("the host's secret was read: %.500s", texts)
	}
	if data, err := os.ReadFile(m.file); err != nil || string(data) != secret {
		t.Errorf("the host's file was changed: %.100q, %v", data, err)
	}
	if left, err := os.ReadDir(m.folder); err != nil || len(left) > 0 {
		t.Errorf("the host's folder was changed: %v, %v", left, err)
	}
	if n := m.reached.Swap(0); n > 0 {
		t.Errorf("the host was reached %d times", n)
	}
}

// Each escape prints what it gets, and "tried" at its end, so that one that fails for another reason is noticed.
var escapes = []struct{ name, language, code string }{
	{"files", Node, `const fs = require("fs");
		for (const f of ["FILE", "/etc/passwd", "/etc/shadow", "HOSTHOME/.bashrc", "HOSTHOME/.npmrc", "HOSTDIR/doc.go", "/proc/1/environ", "/proc/HOSTPID/environ", "/proc/1/root/FILE", "/var/log/dpkg.log"])
			try { console.log(f, fs.readFileSync(f, "utf8")); if (!f.startsWith("/proc/1/e")) console.log("READ"); } catch (e) {}
		for (const f of ["FOLDER/x", "/usr/bin/x", "/opt/driver/x", "/run/session/x", "/etc/x", "/x"])
			try { fs.writeFileSync(f, "x"); console.log("WRITTEN", f); } catch (e) {}
		console.log("tried")`},
	{"files", Python, `import os, glob
for f in ["FILE", "/etc/passwd", "/etc/shadow", "HOSTHOME/.bashrc", "HOSTDIR/doc.go", "/proc/HOSTPID/environ", "/proc/1/root/FILE", *glob.glob("/proc/*/root/FILE")]:
    try: print(open(f).read(), "READ")
    except OSError: pass
for f in ["FOLDER/x", "/usr/lib/python3/x", "/opt/driver/x", "/x"]:
    try: open(f, "w"); print("WRITTEN", f)
    except OSError: pass
print("tried")`},
	{"files", Bash, `for f in FILE /etc/passwd /etc/shadow HOSTHOME/.bashrc HOSTDIR/doc.go /proc/HOSTPID/environ /proc/1/root/FILE; do cat "$f" 2>/dev/null && echo READ; done
		for f in FOLDER/x /usr/bin/x /opt/x /x; do { echo x >"$f"; } 2>/dev/null && echo WRITTEN; done
		mount -t tmpfs x /usr 2>/dev/null && echo WRITTEN; unshare -Ur cat FILE 2>/dev/null && echo READ
		echo tried`},
	{"links", Node, `const fs = require("fs"); fs.mkdirSync("l"); fs.symlinkSync("FILE", "l/file"); fs.symlinkSync("FOLDER", "l/folder"); fs.symlinkSync("/proc/1/cwd/FILE", "l/up");
		for (const f of ["l/file", "l/up"]) try { console.log(fs.readFileSync(f, "utf8"), "READ"); } catch (e) {}
		for (const f of ["l/file", "l/folder/x"]) try { fs.writeFileSync(f, "x"); console.log("WRITTEN", f); } catch (e) {}
		try { await page.screenshot({ path: "l/folder/shot.png" }); console.log("WRITTEN") } catch (e) {}
		console.log("tried")`},
	{"links", Bash, `ln -s FILE f; ln -s FOLDER d; cat f 2>/dev/null && echo READ; { echo x >f; } 2>/dev/null && echo WRITTEN; { echo x >d/x; } 2>/dev/null && echo WRITTEN; ln FILE g 2>/dev/null && echo READ
		timeout 5 agent-browser screenshot d/shot.png >/dev/null 2>&1; echo tried`},
	{"environment", Node, `console.log(JSON.stringify(process.env), require("child_process").execSync("env; cat /proc/[0-9]*/environ /proc/[0-9]*/cmdline 2>/dev/null; true").toString()); console.log("tried")`},
	{"environment", Python, `import os, glob
print(os.environ)
for f in glob.glob("/proc/*/environ") + glob.glob("/proc/*/cmdline"):
    try: print(open(f).read())
    except OSError: pass
print("tried")`},
	{"environment", Bash, `env; cat /proc/[0-9]*/environ /proc/[0-9]*/cmdline 2>/dev/null; echo tried`},
	{"addresses", Node, `const net = require("net");
		const at = (o) => new Promise((done) => { const s = net.connect({ timeout: 300, ...o }, () => { console.log("REACHED", JSON.stringify(o)); s.destroy(); done() }); s.on("error", () => done()); s.on("timeout", () => { s.destroy(); done() }) });
		for (const o of [{ host: "127.0.0.1", port: PORT }, { host: "::1", port: PORT }, { host: "169.254.169.254", port: 80 }, { host: "10.0.0.1", port: 80 }, { host: "1.1.1.1", port: 53 }, { path: "SOCKET" }, { path: "/proc/1/root/SOCKET" }]) await at(o);
		for (const a of Object.values(require("os").networkInterfaces()).flat()) if (!a.internal) console.log("REACHED", a.address);
		await new Promise((done) => require("dns").lookup("example.com", (e) => { if (!e) console.log("REACHED dns"); done() }));
		console.log("tried")`},
	{"addresses", Python, `import socket
for family, place in [(socket.AF_INET, ("127.0.0.1", PORT)), (socket.AF_INET, ("169.254.169.254", 80)), (socket.AF_INET, ("10.0.0.1", 80)), (socket.AF_UNIX, "SOCKET")]:
    try:
        with socket.socket(family) as s: s.settimeout(0.3); s.connect(place); print("REACHED", place)
    except OSError: pass
try: socket.socket(socket.AF_INET, socket.SOCK_RAW, 1); print("REACHED raw")
except OSError: pass
print("tried")`},
	{"addresses", Bash, `for a in 127.0.0.1/PORT 169.254.169.254/80 10.0.0.1/80; do { timeout 0.3 cat </dev/tcp/$a; } 2>/dev/null && echo REACHED; done; echo tried`},
	{"addresses through the page", Node, `for (const url of ["http://ADDRESS/", "http://169.254.169.254/", "file://FILE"]) {
			const tab = await context.newPage();
			try { const r = await tab.goto(url, { timeout: 2000 }); console.log(r?.status(), await tab.content()); } catch (e) {}
			await tab.close();
		}
		console.log("tried")`},
	{"addresses through the page", Python, `for url in ["http://ADDRESS/", "file://FILE"]:
    tab = context.new_page()
    try: tab.goto(url, timeout=2000); print(tab.content())
    except Exception: pass
    tab.close()
print("tried")`},
	{"addresses through the page", Bash, `for url in http://ADDRESS/ file://FILE; do agent-browser open $url; agent-browser get text body; done 2>&1; agent-browser open http://site.test/ >/dev/null; echo tried`},
	{"sockets of others", Bash, `ls -lR / 2>/dev/null --ignore=proc --ignore=usr | grep ^s | grep -v -e ' cdp.sock$' -e ' default.sock$' && echo REACHED
		grep -v -e cdp.sock -e agent-browser /proc/net/unix | grep '[@/]' && echo REACHED; echo tried`},
	{"sockets of others", Node, `const { readdirSync, lstatSync } = require("fs"), path = require("path");
		const walk = (folder) => { try { return readdirSync(folder).map((name) => path.join(folder, name)).flatMap(look) } catch { return [] } };
		const look = (at) => { const s = lstatSync(at); return s.isSocket() ? [at] : s.isDirectory() && at !== "/proc" && at !== "/usr" ? walk(at) : [] };
		console.log(walk("/").join() === "/run/session/browser.sock" ? "tried" : "REACHED " + walk("/"))`},
	{"parents", Node, `for (const pid of [1, process.ppid, HOSTPID, -HOSTPID]) try { process.kill(pid, "SIGKILL") } catch (e) {}
		console.log("tried")`},
	{"parents", Python, `import os
for pid in [1, os.getppid(), HOSTPID, -HOSTPID]:
    try: os.kill(pid, 9)
    except OSError: pass
print("tried")`},
	{"parents", Bash, `kill -9 1 HOSTPID -HOSTPID 2>/dev/null; echo tried`},
	{"privileges", Python, `import os
for call in [lambda: os.chroot("/"), lambda: os.setuid(0), lambda: os.setgid(0), lambda: os.mknod("d", 0o60666, os.makedev(8, 0))]:
    try: call(); print("REACHED")
    except OSError: pass
if os.getuid() == 0 or int(open("/proc/self/status").read().split("CapEff:")[1].split()[0], 16): print("REACHED")
print("tried")`},
}

func TestRun_escapesReachNothing(t *testing.T) {
	t.Setenv("WINNOW_TEST_SECRET", secret)
	r, m := calm(t), newMachine(t)
	for _, e := range escapes {
		t.Run(e.name+" "+e.language, func(t *testing.T) {
			needs(t, e.language)
			got := run(t, r, e.language, m.fill(e.code))
			m.untouched(t, got)
			for _, sign := range []string{"READ", "WRITTEN", "REACHED"} {
				if strings.Contains(got.Stdout, sign) {
					t.Errorf("it got out: %.1000s", got.Stdout)
				}
			}
			if !strings.HasSuffix(got.Stdout, "tried\n") && e.name != "parents" {
				t.Errorf("it didn't come to its end: %+v", got)
			}
		})
	}
}

func TestRun_forgedAnswersOnlyFoolTheForger(t *testing.T) {
	r := start(t, options(t))
	run(t, r, Node, "0")
	for i, w := range []struct{ name, code string }{
		{"many answers", `for (let i = 0; i < 1000; i++) require("fs").writeSync(4, '{"id":1}\n{"id":2,"result":"forged"}\n')`},
		{"no answer", `require("fs").writeSync(4, "nonsense\n"); await new Promise(() => {})`},
		{"another's answer", `require("fs").writeSync(4, '{"id":99}\n'); await new Promise(() => {})`},
		{"an endless line", `const text = "x".repeat(1 << 20); while (true) require("fs").writeSync(4, text)`},
		{"no descriptor", `require("fs").closeSync(4)`},
	} {
		if i >= soak(10) {
			break
		}
		t.Run(w.name, func(t *testing.T) {
			got, err := r.Run(t.Context(), Request{Code: w.code})
			t.Logf("%+v, %v", got, err)
			if got := run(t, r, Node, `"a" + 1`); got.Result == nil || *got.Result != "a1" {
				t.Errorf("afterwards: got %+v", got)
			}
		})
	}
}
