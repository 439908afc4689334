// Package archive reads the files of a zip archive one after another, bounded in number, size and ratio.
//
// It knows no kind of file: package document reads what it returns. Nothing is written, and names lead nowhere: they are
// texts. Start from Files.
package archive
