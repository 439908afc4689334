// Package process knows the processes of the system: those of browsers, which are not this program's own children, above all. It may
// change without notice.
//
// Start from All, which reads the process table. It starts nothing, and knows no browser.
//
//	table.go    Process, All, Tree: the process table
//	memory.go   Memory: how much processes hold together
//	group_*.go  process groups: killing one, whether one lives, commands that end with their children
//	shell.go    Quote: words of shell scripts
//	sweep.go    Sweep: clearing up after programs that ended without closing their browsers
package process
