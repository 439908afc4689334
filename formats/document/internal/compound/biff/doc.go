// Package biff reads the workbooks of Excel 5 to 2003 (MS-XLS: BIFF5 and BIFF8): their sheets and the values of the cells,
// with the number formats that show them.
//
// It opens no container, formats no numbers and computes no formulas: their stored results are read. Records that say
// more than there is are read as far as they go. Start from Read.
//
//	biff.go      Read, Book, Sheet: the records of the workbook
//	sheet.go     Content: the cells of a sheet, merged ones, links
//	strings.go   the table of shared strings; texts that go on in the next record
//	record.go    records
package biff
