// Package fetchtest is a small web site on loopback for tests. It may change without notice.
// It has pages of all kinds, and every way in which a server can misbehave. It is started by New and ends with the
// test. It uses the standard library only.
//
// Where things are:
//
//	site.go     the site: New, URL, TLSURL, Hits, Requests
//	routes.go   the list of routes
//	pages.go    pages: article, table, js, spa, links, images, meta, deep; JSON, XML, text, PDF, PNG
//	trouble.go  redirects, cookies, status codes, silence, endless and broken bodies
//	coding.go   content-encodings and bombs, written by hand where the standard library has no encoder
//	charset.go  text in other encodings, declared, undeclared and wrongly declared
//	closed.go   an address where nothing listens
//	cert.go     certificates that only a test trusts
//	proxy.go    a proxy on loopback that speaks CONNECT and SOCKS5, and
//	forward.go  plain requests, names of its own and ports that it refuses
//	program.go  a proxy of the operating system: tinyproxy
package fetchtest
