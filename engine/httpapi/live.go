package httpapi

// LivePath is where the handler of [New] mounts the live view of the engine's sessions. Set LiveViewOptions.BaseURL of the engine to
// [Options.BaseURL] with this behind it, and the addresses of sessions work. Requests there need no key, as the addresses can't be
// guessed and die with their session, and aren't logged, as readers of the log could use them.
const LivePath = "/live/"
