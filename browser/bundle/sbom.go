package bundle

import (
	"cmp"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/google/uuid"
)

// The SBOM, in the JSON form of CycloneDX 1.6.
type (
	bom struct {
		Format       string       `json:"bomFormat"`
		Version      string       `json:"specVersion"`
		Serial       string       `json:"serialNumber"`
		Revision     int          `json:"version"`
		Metadata     bomMetadata  `json:"metadata"`
		Components   []component  `json:"components"`
		Dependencies []dependency `json:"dependencies"`
	}
	bomMetadata struct {
		Component component `json:"component"`
	}
	component struct {
		Type     string      `json:"type"`
		Ref      string      `json:"bom-ref"`
		Name     string      `json:"name"`
		Version  string      `json:"version,omitempty"`
		PURL     string      `json:"purl,omitempty"`
		CPE      string      `json:"cpe,omitempty"`
		Hashes   []bomHash   `json:"hashes,omitempty"`
		Licenses []bomChoice `json:"licenses,omitempty"`
	}
	bomHash struct {
		Algorithm string `json:"alg"`
		Content   string `json:"content"`
	}
	bomChoice struct {
		Expression string `json:"expression"`
	}
	dependency struct {
		Ref       string   `json:"ref"`
		DependsOn []string `json:"dependsOn,omitempty"`
	}
)

// addSBOM makes the SBOM of what has been collected. It has no time, and its number is made of what it lists.
func (p *packing) addSBOM() error {
	list := p.components()
	whole := component{Type: "application", Ref: "bundle", Name: "winnow-bundle"}
	all := bom{Format: "CycloneDX", Version: "1.6", Revision: 1, Metadata: bomMetadata{whole}, Components: list}
	refs := dependency{Ref: whole.Ref}
	for _, c := range list {
		refs.DependsOn = append(refs.DependsOn, c.Ref)
	}
	all.Dependencies = []dependency{refs}
	listed, err := json.Marshal([]any{p.manifest, all})
	if err != nil {
		return err
	}
	digest := sha256.Sum256(listed)
	number := uuid.UUID(digest[:16])
	number[6], number[8] = number[6]&0x0f|0x80, number[8]&0x3f|0x80 // version 8, of the maker's own content
	all.Serial = "urn:uuid:" + number.String()
	text, err := json.MarshalIndent(all, "", "\t")
	if err != nil {
		return err
	}
	sum := sha256.Sum256(text)
	p.manifest.SBOM = Entry{Path: sbomName, Size: int64(len(text)), SHA256: hex.EncodeToString(sum[:]), Origin: ownOrigin}
	p.sources[sbomName] = source{text: text}
	return nil
}

// components are the packages that files come from: of npm, with the browser that one of them carries, of Debian, Go modules, and lists.
func (p *packing) components() (list []component) {
	for _, part := range p.manifest.Parts {
		list = append(list, npmComponents(part)...)
	}
	for _, d := range p.packages {
		if p.uses(d.origin()) {
			list = append(list, ref(component{
				Type: "library", Name: d.name, Version: d.version,
				PURL: fmt.Sprintf("pkg:deb/debian/%s@%s?arch=%s", d.name, url.PathEscape(d.version), d.architecture),
			}))
		}
	}
	for _, m := range p.modules {
		list = append(list, ref(component{Type: "library", Name: m.path, Version: m.version, PURL: "pkg:golang/" + m.path + "@" + m.version}))
	}
	for _, e := range p.manifest.Entries {
		if strings.HasPrefix(e.Path, "filters/") {
			list = append(list, component{Type: "file", Ref: e.Path, Name: e.Path, Hashes: []bomHash{{"SHA-256", e.SHA256}}})
		}
	}
	slices.SortFunc(list, func(a, b component) int { return strings.Compare(a.Ref, b.Ref) })
	return list
}

func (p *packing) uses(origin string) bool {
	return slices.ContainsFunc(p.manifest.Entries, func(e Entry) bool { return e.Origin == origin })
}

func ref(c component) component {
	c.Ref = cmp.Or(c.PURL, c.Name)
	return c
}

// npmComponents are an npm package, and of the browser's also Chromium itself, by the name under which its vulnerabilities are published.
func npmComponents(part Part) []component {
	name, isNpm := strings.CutPrefix(part.Origin, "npm ")
	if !isNpm {
		return nil
	}
	name = strings.TrimSuffix(name, "@"+part.Version)
	c := component{
		Type: "library", Name: name, Version: part.Version,
		PURL: "pkg:npm/" + strings.Replace(name, "@", "%40", 1) + "@" + part.Version, Licenses: []bomChoice{{part.License}},
	}
	if sum, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(part.Integrity, "sha512-")); err == nil {
		c.Hashes = []bomHash{{"SHA-512", hex.EncodeToString(sum)}}
	}
	if part.Name != "browser" {
		return []component{ref(c)}
	}
	major, _, _ := strings.Cut(part.Version, ".")
	return []component{ref(c), {
		Type: "application", Ref: "chromium", Name: "Chromium", Version: cmp.Or(part.Program, major),
		CPE: "cpe:2.3:a:google:chrome:" + cmp.Or(part.Program, major) + ":*:*:*:*:*:*:*", Licenses: []bomChoice{{"BSD-3-Clause"}},
	}}
}
