package pdf

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/pdfcpu/pdfcpu/pkg/api"
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/model"
)

// readText is the text of a file in one line per block.
func readText(t *testing.T, body []byte, o Options) string {
	t.Helper()
	doc, err := Read(t.Context(), body, o)
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(allText(doc))
}

func TestRead_opensWhatReadersRefuse(t *testing.T) {
	plain := string(textFile("The harbour at low water"))
	cut := func(at string) string { return plain[:strings.LastIndex(plain, at)] }
	for name, body := range map[string]string{
		"as it should be":             plain,
		"PDF 2.0":                     strings.Replace(plain, "%PDF-1.4", "%PDF-2.0", 1),
		"a space behind the version":  strings.Replace(plain, "%PDF-1.4\n", "%PDF-1.4 \n", 1),
		"no line end behind it":       strings.Replace(plain, "%PDF-1.4\n", "%PDF-1.4\x00", 1),
		"leading junk":                "HTTP/1.1 200 OK\r\nContent-Type: application/pdf\r\n\r\n" + plain,
		"trailing junk":               plain + strings.Repeat("<!-- served by nobody -->\n", 50),
		"no end":                      cut("%%EOF"),
		"no startxref":                cut("startxref"),
		"no cross-reference":          cut("xref\n0"),
		"cut off in the last objects": cut("endobj"),
		"startxref beside the mark":   strings.Replace(plain, "startxref\n", "startxref\n1", 1),
		"offsets wrong by some bytes": strings.Replace(plain, "%PDF-1.4\n", "%PDF-1.4\n%more\n", 1),
		"a wrong stream length":       strings.Replace(plain, "/Length 5", "/Length 9", 1),
		"no page tree":                strings.Replace(plain, "/Kids[", "/Cats[", 1),
		"no catalog":                  strings.Replace(strings.Replace(plain, "/Catalog", "/Dogalog", 1), "/Root", "/Ruut", 1),
		"carriage returns for ends":   strings.ReplaceAll(cut("xref\n0"), "\n", "\r"),
	} {
		t.Run(name, func(t *testing.T) {
			if got := readText(t, []byte(body), Options{}); got != "The harbour at low water" {
				t.Errorf("got %q", got)
			}
		})
	}
}

func TestRead_objectStreams(t *testing.T) {
	packed := rewritten(t, textFile("The harbour at low water", "In two lines"), nil)
	if !bytes.Contains(packed, []byte("/ObjStm")) || bytes.Contains(packed, []byte("\nxref")) {
		t.Fatal("the file has no object streams")
	}
	if got := readText(t, packed, Options{}); got != "The harbour at low water In two lines" {
		t.Errorf("got %q", got)
	}
	t.Run("without a cross-reference", func(t *testing.T) {
		broken := packed[:bytes.LastIndex(packed, []byte("startxref"))]
		if got := readText(t, broken, Options{}); got != "The harbour at low water In two lines" {
			t.Errorf("got %q", got)
		}
	})
}

// rewritten has pdfcpu write a file with object streams, encrypted if conf says so.
func rewritten(t *testing.T, body []byte, conf *model.Configuration) []byte {
	t.Helper()
	disableConfigDir()
	var out bytes.Buffer
	var err error
	if conf == nil {
		conf = model.NewDefaultConfiguration()
		conf.WriteObjectStream, conf.WriteXRefStream = true, true
		err = api.Optimize(bytes.NewReader(body), &out, conf)
	} else {
		err = api.Encrypt(bytes.NewReader(body), &out, conf)
	}
	if err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestRead_encrypted(t *testing.T) {
	disableConfigDir()
	for name, conf := range map[string]func(user, owner string) *model.Configuration{
		"AES-256": func(u, o string) *model.Configuration { return model.NewAESConfiguration(u, o, 256) },
		"AES-128": func(u, o string) *model.Configuration { return model.NewAESConfiguration(u, o, 128) },
		"RC4-128": func(u, o string) *model.Configuration { return model.NewRC4Configuration(u, o, 128) },
		"RC4-40":  func(u, o string) *model.Configuration { return model.NewRC4Configuration(u, o, 40) },
	} {
		t.Run(name, func(t *testing.T) {
			open := rewritten(t, textFile("Nobody may read this"), conf("", "owner"))
			closed := rewritten(t, textFile("Nobody may read this"), conf("user", "owner"))
			for _, c := range []struct {
				what     string
				body     []byte
				password string
			}{{"no password", open, ""}, {"a password that isn't needed", open, "other"}, {"user", closed, "user"}, {"owner", closed, "owner"}} {
				if got := readText(t, c.body, Options{Password: c.password}); got != "Nobody may read this" {
					t.Errorf("%s: got %q", c.what, got)
				}
			}
			for _, password := range []string{"", "wrong"} {
				_, err := Read(t.Context(), closed, Options{Password: password})
				e, ok := errors.AsType[*PasswordError](err)
				if !ok || e.Given != (password != "") {
					t.Errorf("password %q: got %v", password, err)
				}
			}
		})
	}
}

func TestRead_passwordFileOfTheCorpus(t *testing.T) {
	corpusFiles(t, "pdf")
	body, err := os.ReadFile(filepath.Join(os.Getenv("WINNOW_CORPUS"), "pdf", "libreoffice-writer-password.pdf"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Read(t.Context(), body, Options{}); !isPassword(err) {
		t.Errorf("without password: got %v", err)
	}
	for _, password := range []string{"openpassword", "permissionpassword"} {
		if got := readText(t, body, Options{Password: password}); len(got) < 20 {
			t.Errorf("with %q: got %q", password, got)
		}
	}
}

func TestRead_leavesTheHomeAlone(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("XDG_CONFIG_HOME", home)
	_, _ = Read(t.Context(), []byte("%PDF-1.4\n1 0 obj\n<</Type/Catalog>>\nendobj\n"), Options{})
	files, err := os.ReadDir(home)
	if err != nil || len(files) > 0 {
		t.Errorf("got %v, %v", files, err)
	}
}

// pdfcpu stamps what it writes with the time, and with an ID that is made of it.
var stamps = regexp.MustCompile(`/(CreationDate|ModDate)\([^)]*\)|/ID\s*\[[^\]]*\]`)

// rewrite takes the steps of pdfcpu's own package api, without importing it.
func TestRewrite_writesWhatPdfcpusOwnCommandsWrite(t *testing.T) {
	disableConfigDir()
	packed := rewritten(t, threePages(), nil)
	for name, c := range map[string]struct {
		body      []byte
		encrypted bool
		command   func(io.ReadSeeker, io.Writer, *model.Configuration) error
	}{
		"optimize":                 {threePages(), false, api.Optimize},
		"optimize, object streams": {packed, false, api.Optimize},
		"decrypt AES-256":          {rewritten(t, threePages(), model.NewAESConfiguration("", "owner", 256)), true, api.Decrypt},
		"decrypt RC4-40":           {rewritten(t, packed, model.NewRC4Configuration("", "owner", 40)), true, api.Decrypt},
		"no PDF":                   {[]byte("%PDF-1.4\nnothing"), false, api.Optimize},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := rewrite(&budget{ctx: t.Context(), limit: 1 << 20}, c.body, "", c.encrypted)
			var want bytes.Buffer
			wantErr := c.command(bytes.NewReader(c.body), &want, rewriting(""))
			if (err == nil) != (wantErr == nil) {
				t.Fatalf("got error %v, want %v", err, wantErr)
			}
			if got := stamps.ReplaceAll(got, nil); !bytes.Equal(got, stamps.ReplaceAll(want.Bytes(), nil)) {
				t.Errorf("got\n%.2000q\nwant\n%.2000q", got, want.Bytes())
			}
		})
	}
}
