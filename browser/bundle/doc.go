// Package bundle carries what browsers need to a machine without a network, as one file. It may change without notice.
//
// So it does with what sessions and text recognition need, and with Go modules.
//
// Start from [Pack] and [Install]. A bundle is a tar archive, compressed by Zstandard: a manifest with the size, the SHA-256 and the origin
// of each file, an SBOM in CycloneDX form, then the files in the order of their names, and last a hash of it all. Times, owners and modes
// are always the same, so that two packs of the same files are the same bytes. It has regular files only. Its parts, each a folder of the
// cache folder:
//
//	driver, node, browser, consent   npm packages whose hashes are pinned in this program
//	fonts, sandbox, ocr              of Debian packages: fonts, bubblewrap and tesseract, these two with their libraries
//	base                             of Debian packages: the C library and the few programs that an empty container lacks
//	filters                          filter lists that the caller names
//	modules                          the Go modules of a go.sum file, as a proxy in a folder
//
// What has no known origin stays out: the driver's own browser, fonts that belong to no package. Manifest.Missing names it.
//
// The hashes prove that a bundle is whole, not who made it: compare the SHA-256 of the file, which Pack returns, by another way.
//
//	manifest.go   Manifest: parts, entries, and what is refused
//	pack.go       Pack: the parts in order, the file
//	parts.go      the parts of the cache folder, fonts and filter lists
//	programs.go   programs with their libraries: sandbox, text recognition, base
//	elf.go        which libraries a program loads, and where they are
//	debian.go     which Debian package a file is of
//	modules.go    the Go modules of a go.sum file
//	sbom.go       the SBOM
//	install.go    Install: verified, then put into place
//	extract.go    reading a bundle, within bounds
//	seal.go       the hash at the end
package bundle
