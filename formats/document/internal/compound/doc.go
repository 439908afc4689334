// Package compound opens compound files (MS-CFB): the containers of old office documents, of messages and of encrypted
// packages, which hold streams in folders, as a file system does.
//
// It reads no document: its subfolders do. A damaged file gives what can be reached; what is claimed beyond the file's
// end isn't there. Nothing is ever larger than the file. Start from Open, or from Kind.
//
//	compound.go   Open, File: the tables of sectors
//	directory.go  Storage: folders and their streams
//	kind.go       Kind: what a compound file is, by the names of its streams
//	summary.go    Summary: the properties that a document has of itself (MS-OLEPS)
package compound
