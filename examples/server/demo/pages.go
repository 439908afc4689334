package demo

import (
	"bytes"
	"embed"
	"encoding/json"
	"html/template"
	"io/fs"
	"net/http"
	"path"
	"strings"
)

//go:embed shop blog app cafe files lab
var folders embed.FS

// pages are those of one host's folder. Each .html file but layout.html is a page, which fills the parts of the layout. One that ends in
// .view.html needs data, and is shown by the host's handler alone; other files are served as they are.
type pages struct {
	dir   string
	pages map[string]*template.Template // by name, without .html
}

var helpers = template.FuncMap{
	// data writes structured data into a script element.
	"data": func(v any) (template.HTML, error) {
		text, err := json.MarshalIndent(v, "", "  ")
		return template.HTML(`<script type="application/ld+json">` + string(text) + `</script>`), err // json escapes <, > and &
	},
}

// open reads a host's folder. Its files are embedded, so that a fault in them is one of this package.
func open(dir string) *pages {
	p := &pages{dir: dir, pages: map[string]*template.Template{}}
	layout := template.Must(template.New("layout.html").Funcs(helpers).ParseFS(folders, dir+"/layout.html"))
	names, err := fs.Glob(folders, dir+"/*.html")
	if err != nil {
		panic(err)
	}
	for _, name := range names {
		if base := path.Base(name); base != "layout.html" {
			p.pages[strings.TrimSuffix(base, ".html")] = template.Must(template.Must(layout.Clone()).ParseFS(folders, name))
		}
	}
	return p
}

// show answers with a page.
func (p *pages) show(w http.ResponseWriter, status int, name string, data any) {
	var b bytes.Buffer
	if err := p.pages[name].Execute(&b, data); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write(b.Bytes()) // a reader that went away is its own affair
}

// serve answers with the page or file of the path, or with the view "missing".
func (p *pages) serve(w http.ResponseWriter, r *http.Request) {
	name := strings.Trim(r.URL.Path, "/")
	if r.URL.Path == "/" {
		name = "index"
	}
	if _, ok := p.pages[name]; ok && path.Ext(name) == "" && (name != "index" || r.URL.Path == "/") {
		p.show(w, http.StatusOK, name, r)
		return
	}
	file := path.Join(p.dir, path.Clean("/"+name))
	if data, err := folders.ReadFile(file); err == nil && path.Ext(file) != ".html" {
		send(w, typeOf(file), data)
		return
	}
	p.show(w, http.StatusNotFound, "missing.view", r)
}

// types of the files that are served; the system's table may differ from machine to machine.
var types = map[string]string{
	".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".svg": "image/svg+xml", ".txt": "text/plain; charset=utf-8",
	".xml": "application/xml", ".json": "application/json", ".csv": "text/csv; charset=utf-8",
	".webm": "video/webm",
}

func typeOf(name string) string {
	if t, ok := types[path.Ext(name)]; ok {
		return t
	}
	return "application/octet-stream"
}

func send(w http.ResponseWriter, mediaType string, data []byte) {
	w.Header().Set("Content-Type", mediaType)
	_, _ = w.Write(data) // a reader that went away is its own affair
}
