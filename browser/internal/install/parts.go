package install

import (
	"context"
	"fmt"
	"path/filepath"
	"runtime"
)

// Part is something that the cache folder may hold and another machine can use: an npm package with a pinned hash, unpacked into a
// folder of its own.
type Part struct {
	Name      string // "driver", "node", "browser" or "consent"
	Version   string
	Package   string // its name on npm
	Integrity string // "sha512-…" of the tarball; "": it isn't pinned
	License   string // an SPDX expression
	Folder    string // in the cache
	Proof     string // a file in Folder that is there when the part is
}

// Parts lists what this system's cache folder may hold.
func Parts() []Part {
	node := nodePackage()
	parts := []Part{
		part("driver", driverPackage, "Apache-2.0", driverFolder, "package/lib/coreBundle.js"),
		part("node", node, "MIT", "node-"+node.version, filepath.ToSlash(nodeFile())),
		part("consent", consentPackage, "MPL-2.0", filepath.Base(consentDir("")), consentScript),
	}
	if runtime.GOOS == "linux" && runtime.GOARCH == "amd64" {
		parts = append(parts, part("browser", chromiumPackage, "MIT AND BSD-3-Clause", "chromium-"+chromiumPackage.version, "headless_shell"))
	}
	return parts
}

func part(name string, p npmPackage, license, folder, proof string) Part {
	return Part{Name: name, Version: p.version, Package: p.name, Integrity: p.integrity, License: license, Folder: folder, Proof: proof}
}

// Unpinned are the folders in the cache of what the driver's own installer has downloaded, which comes without a known hash.
var Unpinned = []string{"shell", "full"}

// Cache is the absolute path of the cache folder; "" is the default.
func Cache(wanted string) (string, error) { return cacheDir(wanted) }

// Lock keeps other installations out of the cache folder, which it makes, and waits for theirs; r.Probe is not needed. The remains of
// interrupted ones, in folders whose names begin with Unfinished, are removed. The caller unlocks.
func Lock(ctx context.Context, r Request) (cache string, unlock func(), err error) {
	in, err := newInstaller(r)
	if err != nil {
		return "", nil, err
	}
	unlock, err = in.lock(ctx)
	return in.cache, unlock, err
}

// Unfinished begins the names of folders in the cache that Lock removes.
const Unfinished = temporaryPrefix

// FetchParts downloads those of the Parts that the cache doesn't hold. r.Probe is not needed.
func FetchParts(ctx context.Context, r Request) error {
	in, err := newInstaller(r)
	if err != nil {
		return err
	}
	unlock, err := in.lock(ctx)
	if err != nil {
		return fmt.Errorf("fetch the parts of a browser: %w", err)
	}
	err = in.fetchParts(ctx)
	unlock()
	if err != nil {
		return fmt.Errorf("fetch the parts of a browser: %w", err)
	}
	return Consent(ctx, r)
}

// fetchParts begins with Node.js, which unpacks the browser and checks the driver.
func (in *installer) fetchParts(ctx context.Context) error {
	defer in.downloads.close()
	in.records = readRecords(filepath.Join(in.cache, "checked.json"))
	own := filepath.Join(in.cache, "node-"+in.s.node.version)
	node := filepath.Join(own, nodeFile())
	if !exists(node) {
		if err := in.downloadNode(ctx, own); err != nil {
			return err
		}
	}
	driver := filepath.Join(in.cache, driverFolder)
	if !exists(filepath.Join(driver, "package")) {
		if err := in.downloadDriver(ctx, driver, node); err != nil {
			return err
		}
	}
	in.records.save(in.log)
	s := &search{in}
	if exists(s.npmChromium().path) || runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		return nil
	}
	_, err := s.fromNpm(ctx, &Installation{Node: node})
	return err
}
