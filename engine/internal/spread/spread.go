// Package spread is what an engine needs of the machines that its crawls and batches are spread over: the interfaces between it and package
// [github.com/winnow-go/winnow/engine/cluster], which implements [Cluster]. It may change without notice, and has no other use.
package spread

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/winnow-go/winnow/crawl"
)

var (
	// ErrUnknown: there is no such job.
	ErrUnknown = errors.New("spread: no such job")
	// ErrRemoved: there was a job with that ID.
	ErrRemoved = errors.New("spread: a job with this ID was removed")
	// ErrGone: the page, or its job, is not this machine's any more.
	ErrGone = errors.New("spread: another machine has it")
)

// MaxEntry bounds an entry of [Part].Append and [Outcome].Entries, in bytes.
const MaxEntry = 256 << 10

// Cluster is one machine of those that share jobs. It is used by one engine, which closes it. Safe for concurrent use.
type Cluster interface {
	// Serve begins to work on pages, as many at once as that. It is called once.
	Serve(w Worker, pages int) error
	// Start makes a job that begins with some URLs. One that is there stays as it is. After an error, which leaves open whether the job was
	// made, it may be called again with the same. [ErrRemoved].
	Start(ctx context.Context, job Job, seeds []crawl.Found) error
	// Status returns how a job stands. [ErrUnknown].
	Status(ctx context.Context, id string) (Status, error)
	// Pending counts the pages of a job that are to be fetched, and those that are being fetched, on all machines. [ErrUnknown].
	Pending(ctx context.Context, id string) (queued, active int, err error)
	// Events returns up to limit events of a job after a number; none: there are no more now. [ErrUnknown].
	Events(ctx context.Context, id string, after uint64, limit int) ([]Event, error)
	// Cancel ends a job as it is. [ErrUnknown].
	Cancel(ctx context.Context, id string) error
	// Leave ends the work and gives what the machine had to the others; ctx bounds that.
	Leave(ctx context.Context) error
}

// Job is one that is spread.
type Job struct {
	ID string
	// Limit of pages; see [crawl.Options].
	Limit int
	// Delay between two requests to one host.
	Delay time.Duration
	// Active bounds the pages that are fetched at once, on all machines together. 0: none.
	Active int
	// Keep is how long it is kept after its end.
	Keep time.Duration
	// Whole: one machine does all of it, which begins with no URLs; another one does when that is gone. It is begun on the one that has
	// started it, where that can be. Its [Worker].Visit takes none of the pages that are worked on at once, and any time.
	Whole bool
	// Data is the engine's, at most 256 KiB.
	Data json.RawMessage
}

// Status of a job.
type Status struct {
	Job
	// Ended: no event follows. Cancelled: it was ended by Cancel.
	Ended, Cancelled bool
	// At is when it has ended.
	At time.Time
	// Events is the number of the last one.
	Events uint64
}

// Event of a job: an entry that a page has left, or [Part].Append.
type Event struct {
	// Number from 1, without gaps.
	Number uint64
	// Shard that it comes from. Those of one shard are in the order in which they were written.
	Shard int
	Data  []byte
}

// Worker does the work on pages. Safe for concurrent use.
type Worker interface {
	// Visit makes what a page comes to. It returns soon after ctx has ended.
	Visit(ctx context.Context, part Part, item crawl.Item) Outcome
	// Last is called when nothing of a part is left to do, and may queue more; it reports whether it did. It is called again after that.
	Last(ctx context.Context, part Part) (more bool, err error)
	// Forget removes what Visit has kept of a job in the store of a shard, when the job is removed. It may be called again.
	Forget(db crawl.DB, job string) error
}

// Outcome of a page.
type Outcome struct {
	// Page as its shard keeps it.
	Page crawl.Page
	// Entries that become events of the job when the page ends, in this order.
	Entries [][]byte
	// RetryAt, if it isn't zero, has the page fetched again instead, not before that; Cause says why.
	RetryAt time.Time
	Cause   string
	// Back gives the page back, as if its turn had not come.
	Back bool
	// Ended, if not nil, is called once the page has ended.
	Ended func()
}

// Part is a job on one shard, as long as this machine has it. Hosts belong to shards: all of a host is in one. Safe for concurrent use.
type Part interface {
	Job() Job
	// Key is the same for the same part, and comparable.
	Key() any
	// Over reports whether the job has ended, or another machine has the shard.
	Over() bool
	// DB is the store of the shard, of which the job has what is under its ID. What it writes survives the machine. It waits while the
	// cluster can't be reached.
	DB() crawl.DB
	// Frontier and Pace of the job's hosts on the shard.
	Frontier() *crawl.Frontier
	Pace() *crawl.Pace
	// Own reports whether a URL belongs to the shard.
	Own(url string) bool
	// Put queues URLs, on the shards that they belong to.
	Put(ctx context.Context, found []crawl.Found) error
	// Claim claims the address that an item was led to, on the shard that it belongs to; see [crawl.Frontier].Claim.
	Claim(ctx context.Context, item crawl.Item, url, key string) (own bool, err error)
	// Append adds an entry in a transaction on DB.
	Append(tx crawl.Tx, entry []byte) error
	// Share keeps a text that all parts of the job get which are opened after that. Shared returns it; "": there is none.
	Share(ctx context.Context, text string) error
	Shared() string
}
