// Package ending decides whether a job on many shards is over: no shard has anything to fetch, and nothing is on its way between them.
// No moment can be seen at once on several machines, so it takes two rounds, with a look at the inboxes in between.
//
// A round gets from each shard of the job a [Report], which the shard makes in a transaction of its store, so that a member that has lost
// the shard can't make it. A shard that has nothing to fetch in both reports, and has accepted nothing in between, had nothing to fetch at
// any moment between them; so at the moment between the rounds no shard had. A page is completed after its links are in the inboxes that
// they are for. So all links of completed pages were in the inboxes when these were looked at; and the second reports say that what was
// there then has been taken in, and has led to nothing new.
//
// Links that come later are from members that work on a page which another one has completed; those of the completed page were counted.
package ending

import "slices"

// Report is how a job stands on a shard, in one transaction.
type Report struct {
	// Accepted grows whenever something is there to be fetched that was not.
	Accepted uint64
	// Idle: nothing is queued, waits for a retry or is being fetched.
	Idle bool
	// Taken is the sequence of the last message of the inbox whose links are claimed.
	Taken uint64
	// Outbox is the number of the last entry of the shard's outbox.
	Outbox uint64
}

// Rounds of a job's shards. In each map all the shards have to be.
type Rounds struct {
	// Shards that links were sent to, as known after the first round: one is noted there before the first link is sent to it.
	Shards []int
	First  map[int]Report
	// Inboxes are the sequences of their last messages, as they are after the first round and before the second.
	Inboxes map[int]uint64
	Second  map[int]Report
}

// Over reports whether the job is over; otherwise it names a shard because of which it isn't.
func (r Rounds) Over() (over bool, because int) {
	for _, s := range slices.Sorted(slices.Values(r.Shards)) {
		first, ok1 := r.First[s]
		last, ok2 := r.Inboxes[s]
		second, ok3 := r.Second[s]
		switch {
		case !ok1 || !ok2 || !ok3,
			!first.Idle || !second.Idle,
			first.Accepted != second.Accepted,
			second.Taken < last:
			return false, s
		}
	}
	return true, -1
}
