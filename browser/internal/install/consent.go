package install

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
)

// consentPackage has rules for the banners of hundreds of sites. It is used unchanged, and read at run time only.
var consentPackage = npmPackage{
	name: "@duckduckgo/autoconsent", version: "16.23.0", size: 1_300_000,
	integrity: "sha512-NTmDhASFf5pUsSwg2TyT9R75GYUcuYZXPyBnRcYgJgozg6RLeXXP9uH8ADxA364yQ2gJBMu83AN/D24Y4nkPKg==",
}

// consentScript is the file of the package that is run in a page, and the most that is read of it.
const (
	consentScript  = "dist/autoconsent.standalone.js"
	maxConsentSize = 4 << 20
)

// Consent downloads the npm package @duckduckgo/autoconsent, whose rules ConsentRules then returns, into the cache folder. It does
// nothing when it is there.
func Consent(ctx context.Context, r Request) error {
	in, err := newInstaller(r)
	if err != nil {
		return err
	}
	target := consentDir(in.cache)
	if exists(filepath.Join(target, consentScript)) {
		return nil
	}
	unlock, err := in.lock(ctx)
	if err != nil {
		return fmt.Errorf("install the consent rules: %w", err)
	}
	defer unlock()
	defer in.downloads.close()
	keep := func(name string) bool { return name == consentScript || name == "LICENSE" }
	err = in.downloads.unpackTo(ctx, "consent", consentPackage, target, keep, func(dir string) error {
		_, err := os.Stat(filepath.Join(dir, consentScript))
		return err
	})
	if err != nil {
		return fmt.Errorf("install the consent rules: %w", err)
	}
	return nil
}

func consentDir(cache string) string { return filepath.Join(cache, "consent-"+consentPackage.version) }

// ConsentRules reads the rules where they are installed: in the cache, else in a node_modules folder here or above; "" without.
func ConsentRules(cache string) string {
	files := []string{filepath.Join(consentDir(cache), consentScript)}
	if wd, err := os.Getwd(); err == nil {
		for dir := wd; ; dir = filepath.Dir(dir) {
			files = append(files, filepath.Join(dir, "node_modules", consentPackage.name, consentScript))
			if dir == filepath.Dir(dir) {
				break
			}
		}
	}
	for _, file := range files {
		info, err := os.Stat(file)
		if err != nil || info.Size() > maxConsentSize {
			continue
		}
		if rules, err := os.ReadFile(file); err == nil {
			return string(rules)
		}
	}
	return ""
}
