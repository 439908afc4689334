package folding

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"

	"github.com/winnow-go/winnow/crawl"
)

// The buckets. Each key begins with the job and a zero.
const (
	bucketHosts  = "folding.hosts"  // host → host
	bucketGroups = "folding.groups" // hash of a group → group
	bucketLeft   = "folding.left"   // hashes of host, group and key → left
)

// Bounds of what is kept.
const (
	maxRules   = 64     // of a host
	maxMembers = 24     // of a group; further addresses are fetched and not compared
	maxLeft    = 20_000 // left out of a host, to be fetched after all where a rule is undone
	maxHosts   = 10_000 // with rules, of a job
)

// host is what is known of the rules on one.
type host struct {
	Rules map[Rule]*standing `json:"rules"`
	// Undone counts the rules that were, Back how many of them have nothing left out any more.
	Undone int `json:"undone,omitempty"`
	Back   int `json:"back,omitempty"`
	Kept   int `json:"kept,omitempty"` // rows in bucketLeft, about
}

// group are the addresses that any rules make one page.
type group struct {
	Members []member `json:"members"`
	Failed  int      `json:"failed,omitempty"` // members that gave no page, and that others were left out for
}

// member is an address that is fetched, or was.
type member struct {
	Key string `json:"key"`
	// Sum of its page; "": it isn't there yet.
	Sum string `json:"sum,omitempty"`
	// Same: its page was another's.
	Same bool `json:"same,omitempty"`
}

// left is an address that was left out.
type left struct {
	Found crawl.Found `json:"found"`
	Rules []Rule      `json:"rules"`            // that must hold for it
	By    uint64      `json:"by"`               // the item whose page it was found on, or that it was itself
	Held  uint64      `json:"holder,omitempty"` // the item that has its key
}

func (l left) retaken(reason string) crawl.Retaken {
	return crawl.Retaken{Found: l.Found, Reason: reason, Holder: l.Held}
}

// hash stands for a text in a key.
func hash(text string, bytes int) []byte {
	sum := sha256.Sum256([]byte(text))
	return sum[:bytes]
}

func (b *Book) row(parts ...[]byte) []byte {
	return append(append([]byte(b.job), 0), bytes.Join(parts, nil)...)
}

func (b *Book) leftOf(host string) []byte { return b.row(hash(host, 8)) }

func (b *Book) leftRow(host, key string) []byte {
	return append(append(b.leftOf(host), hash(Group(key), 16)...), hash(key, 16)...)
}

// get reads a row into v, which stays as it is where there is none. A row that can't be read is none: its addresses are fetched again.
func get(tx crawl.Tx, bucket string, key []byte, v any) bool {
	row := tx.Get(bucket, key)
	return row != nil && json.Unmarshal(row, v) == nil
}

func put(tx crawl.Tx, bucket string, key []byte, v any) error {
	row, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return tx.Put(bucket, key, row)
}

// handledAtOnce is how many rows are handled in one transaction.
const handledAtOnce = 1000

// Drop forgets what was learnt in a job.
func Drop(db crawl.DB, job string) error {
	for _, bucket := range []string{bucketHosts, bucketGroups, bucketLeft} {
		if err := crawl.DropRows(db, bucket, append([]byte(job), 0)); err != nil {
			return err
		}
	}
	return nil
}
