// Package instance runs one driver with its one browser, from the start to the death of either. It may change without notice.
//
// Start from Start. It knows no pages: their calls run by Spawn, so that Close waits for them.
//
//	instance.go  Request, Instance, Start: death, killing, end
//	connect.go   starting a browser, or connecting to one that runs elsewhere
//	windows.go   judging what the tabs request that pages open
//	pulse.go     the heartbeat, and killing a browser that is half dead
//	delays.go    how long its processes waited for a processor
//	memory.go    how much memory driver and browser hold
//	inside.go    what runs in a session's sandbox
package instance
