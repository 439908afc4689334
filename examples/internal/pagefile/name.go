// Package pagefile has names and heads of the files that pages are written to. It may change without notice.
package pagefile

import (
	"crypto/sha256"
	"encoding/base32"
	"strings"
)

// Bounds of a file name without its extension, in bytes. File systems allow 255.
const (
	maxPlainLen = 120
	maxSlugLen  = 80
)

// Name maps every URL to a unique name, of small letters, digits and ".-_~", so
// that it can't lead anywhere and is safe where case doesn't count. An https URL whose
// host and path have nothing else is readable as it is: slashes become "_". Of any other
// URL the name is what is readable, "~" and 128 bits of its hash: "~" is in no plain
// name, so the two kinds never meet.
//
// It has no extension: a page may be written to several files.
func Name(href string) string {
	if name, ok := plainName(href); ok {
		return name
	}
	sum := sha256.Sum256([]byte(href))
	hash := base32.HexEncoding.WithPadding(base32.NoPadding).EncodeToString(sum[:16])
	return slug(href) + "~" + strings.ToLower(hash)
}

// plainName can be turned back into the URL: neither host nor path have a "_", and the
// root is the host alone.
func plainName(href string) (string, bool) {
	rest, ok := strings.CutPrefix(href, "https://")
	host, path, slash := strings.Cut(rest, "/")
	if !ok || !slash || host == "" || host[0] == '.' || len(rest) > maxPlainLen {
		return "", false
	}
	if strings.Trim(host, plainChars) != "" || strings.ContainsFunc(path, func(r rune) bool { return r != '/' && !isPlain(r) }) {
		return "", false
	}
	if path == "" {
		return host, true
	}
	return host + "_" + strings.ReplaceAll(path, "/", "_"), true
}

const plainChars = "abcdefghijklmnopqrstuvwxyz0123456789.-"

func isPlain(r rune) bool { return strings.ContainsRune(plainChars, r) }

// slug is what is readable of a URL: its plain characters, and "_" for each run of others.
func slug(href string) string {
	_, rest, ok := strings.Cut(href, "://")
	if !ok {
		rest = href
	}
	parts := strings.FieldsFunc(strings.ToLower(rest[:min(len(rest), 4*maxSlugLen)]), func(r rune) bool { return !isPlain(r) })
	s := strings.TrimLeft(strings.Join(parts, "_"), ".")
	return s[:min(len(s), maxSlugLen)]
}
