// Package sample reads samples of web pages whose main content is known.
// It compares a text with the known one. It is for development: the benchmark and the training of main content use
// it, the library does not.
//
// A sample is a folder as WCXB (Web Content eXtraction Benchmark) has them, with html/ID.html.gz and ground-truth/ID.json for each page.
//
//	read.go   Read: the pages of a folder
//	score.go  Score: precision, recall and F1 of words; Tokens
package sample
