package pdf

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/model"

	"github.com/winnow-go/winnow/formats/document/internal/pdf/pdftest"
	"github.com/winnow-go/winnow/formats/document/internal/pdf/reader"
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
	plain := string(pdftest.Text("The harbour at low water"))
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
	packed := pdftest.Rewritten(t, pdftest.Text("The harbour at low water", "In two lines"), nil)
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

func TestRead_encrypted(t *testing.T) {
	pdftest.DisableConfigDir()
	for name, conf := range map[string]func(user, owner string) *model.Configuration{
		"AES-256": func(u, o string) *model.Configuration { return model.NewAESConfiguration(u, o, 256) },
		"AES-128": func(u, o string) *model.Configuration { return model.NewAESConfiguration(u, o, 128) },
		"RC4-128": func(u, o string) *model.Configuration { return model.NewRC4Configuration(u, o, 128) },
		"RC4-40":  func(u, o string) *model.Configuration { return model.NewRC4Configuration(u, o, 40) },
	} {
		t.Run(name, func(t *testing.T) {
			open := pdftest.Rewritten(t, pdftest.Text("Nobody may read this"), conf("", "owner"))
			closed := pdftest.Rewritten(t, pdftest.Text("Nobody may read this"), conf("user", "owner"))
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
	if _, err := Read(t.Context(), body, Options{}); !reader.IsPassword(err) {
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
