// Package profile keeps browser state (cookies, localStorage, IndexedDB) between pages, by owner and name. It may change without notice.
//
// One writer at a time holds a profile, in this process or another; readers may be
// many, and see what was saved last. Begin with [Open] and [Store.Acquire].
//
//   - store.go — [Store]: where profiles are kept; [Hold]: one in use
//   - file.go — the file of a profile: its name, its lock, its replacement
//   - state.go — whether saved state is whole
package profile
