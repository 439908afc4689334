// Package archive reads and writes recorded web traffic. It may change without notice.
// It knows WARC files (1.1 is written; all versions and ARC are read), CDXJ indexes of them, WACZ files that hold both, and HAR files of
// browsers, which are read. It opens no connection, starts no goroutine and knows nothing of who records or replays.
//
// Start from [NewWriter] and [NewReader]; [MakeIndex], [NewIndex], [OpenWACZ], [WriteWACZ] and [ReadHAR] are for the files around.
//
// What is damaged is never left out silently: it is a *DamageError with its place, and reading goes on at the next record. Block
// digests are checked as blocks are read. One record needs the memory of its header and some buffers, however long it is.
//
// Where things are:
//
//	record.go     Record, its block, DamageError
//	header.go     Header, and reading one within bounds
//	read.go       Reader: from record to record
//	source.go     the file that it reads: going back, and the search for the next record
//	arc.go        records of ARC
//	http.go       Message: the HTTP message in a record
//	digest.go     Digest, in the spellings of several tools
//	write.go      Writer, Exchange
//	draft.go      records before they are written
//	dedupe.go     payloads that are stored already
//	redact.go     secrets that are not stored
//	spool.go      Spool: bodies that must be whole before they are written
//	surt.go       Key: the order of indexes
//	cdxj.go       Entry: a line of an index; WriteIndex, MakeIndex, and
//	indexing.go   entries of records
//	index.go      Index: looking up by binary search
//	wacz.go       WACZ: reading, and
//	verify.go     checking it;
//	waczwrite.go  WriteWACZ
//	har.go        ReadHAR
package archive
