// Package cluster spreads the jobs of engines over several machines, on NATS JetStream. It may change without notice. Only programs that
// import it link NATS. Crawls and batches are on all machines at once; an extraction or an agent is on one, and moves when that dies.
//
// [Join] gives an engine its part in a cluster:
//
//	member, err := cluster.Join(ctx, cluster.Options{JetStream: js, Name: "crawls", Local: openShard})
//	…
//	e, err := engine.New(engine.Options{Cluster: member})
//
// A job that is started with one of the engines is on all of them; "Clusters" in the documentation of package engine has what holds then.
// [Open] is the core of it without an engine: a [Member] crawls what its Visit function fetches.
//
// Not built yet are: webhooks that another engine goes on with when the one that took the job is gone for good; the pace of a host that a
// redirect leads to, if it is of another shard; a list of all jobs; and monitors, each of which belongs to the folder of the engine that
// made it.
//
// The design:
//
// A cluster has a fixed number of shards, and every host belongs to one of them, with its pages, its pace and its queue. A shard is a store
// ([github.com/winnow-go/winnow/crawl/natsdb]) whose transactions are in a stream before they count, and which takes them only from the
// member that opened it last. That is the one thing that keeps two members apart, and it needs no clock. Leases in a key-value store keep
// them apart as a rule, share the shards evenly, and find out who is dead. A member that is there and can't serve its shards, as on a very
// slow connection, gives them to the others for a while.
//
// A link to a host of another shard goes to the inbox of that shard, a stream, before the page that has it is completed. So a member may
// die at any moment: what it had not completed is fetched again, its links are sent again, and a link that is there twice is claimed
// once. An inbox that is full holds up those that send to it; taking links in waits for no page, so it has room again.
//
// An address that a page is led to by redirects is claimed for it, where it belongs to another shard at that one, before the page is
// completed: so what is there is in the job once.
//
// Each job has a home, one of the shards, whose owner gives out the limit in chunks, takes the entries that pages wrote for the job in the
// transactions in which they ended, as events with numbers without gaps, and decides in two rounds that the job is over. All of that is in
// the store of the home, so the next owner goes on where the last one was.
//
// A page of an engine leaves its document and events, in pieces of 256 KiB at most, as such entries. Each engine that looks at the job
// makes a mirror of it from the events, in its own store, and answers from there.
//
// An extraction or an agent is one item of a job, on a shard of the member that took it, where that has one. What it keeps on the way is in
// the store of that shard, so the next owner of the shard goes on from there.
//
// A page is completed once. It may be fetched more than once: where a member dies or loses its shard in the middle of it.
//
// Where things are:
//
//	join.go      Join: Engines, the member of an engine
//	options.go   Options, Job, Status, Outcome, Event
//	member.go    Member: Open, Start, Status, Events, Cancel, Remove, Leave, Close
//	run.go       what a member does all the time
//	visit.go     its workers
//	part.go      what an engine has of a job on a shard
//
// and in rooms: internal/node is a member without what connects it, and has the simulation; shards, lease, links, limits, outbox and ending
// are its parts; jet connects it.
package cluster
