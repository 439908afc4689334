// Package launch makes what a driver and its browser are started with: a private folder with the launchers, through which their pids are
// known, and the sandbox around them. It may change without notice.
//
// Start from NewFolder. It starts nothing but to test the launchers.
//
//	folder.go   Folder: the launchers, the pids that they note, the end
//	wrapper.go  Isolation, bubblewrap, for root
//	session.go  Session: the launchers of sessions, the files visible inside, and sockets that are taken over
package launch
