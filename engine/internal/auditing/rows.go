package auditing

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"math"
	"slices"
	"time"

	"github.com/winnow-go/winnow/engine/internal/jobs"
	"github.com/winnow-go/winnow/engine/internal/work"
)

// The buckets. Each key begins with the job and a zero byte.
const (
	jobBucket      = "audits.jobs"      // nothing more → totals
	templateBucket = "audits.templates" // digest → template
	openBucket     = "audits.open"      // digest, sequence → work.Correction: pages got by HTTP since the template's last agreeing comparison
	againBucket    = "audits.again"     // sequence → work.Correction: pages to be got again
)

// totals are what is counted of a whole job.
type totals struct {
	HTTP    int `json:"http,omitempty"` // pages by how they were got
	Browser int `json:"browser,omitempty"`
	Cache   int `json:"cache,omitempty"`
	Other   int `json:"other,omitempty"`

	Oldest time.Time `json:"oldest,omitzero"` // when the oldest page from the cache was stored

	Corrected int               `json:"corrected,omitempty"`
	Kept      map[string]string `json:"kept,omitempty"`   // the first pages that could not be got again → why
	Checks    int               `json:"checks,omitempty"` // audits of pages that were done, queued so far
	Last      bool              `json:"last,omitempty"`   // the last of them have been
}

// template is what is counted of a template in a job.
type template struct {
	Pattern    string `json:"pattern"`
	HTTP       int    `json:"http,omitempty"`
	Audits     int    `json:"audits,omitempty"` // pages got both ways though HTTP seemed enough
	Overturned int    `json:"overturned,omitempty"`
	Words      int    `json:"words,omitempty"`  // of the pages of audits that agreed
	Missed     int    `json:"missed,omitempty"` // by HTTP, of those
	Open       int    `json:"open,omitempty"`   // rows in openBucket
	Same       int    `json:"same,omitempty"`   // corrections in a row that showed no more
	Dynamic    bool   `json:"dynamic,omitempty"`

	Risk float64 `json:"risk,omitempty"` // by evidence alone, of the last page that HTTP gave
}

func keyOf(job string, parts ...[]byte) []byte {
	return append([]byte(job+"\x00"), bytes.Join(parts, nil)...)
}

// lastNumber is above all sequence numbers.
var lastNumber = number(math.MaxUint64)

func number(n uint64) []byte { return binary.BigEndian.AppendUint64(nil, n) }

var errDamaged = errors.New("a row of a job's audits is damaged")

// read reads a row into v; where there is none v stays as it is.
func read(tx jobs.Tx, bucket string, key []byte, v any) error {
	row := tx.Get(bucket, key)
	if row == nil {
		return nil
	}
	return decode(row, v)
}

func decode(row []byte, v any) error {
	if json.Unmarshal(row, v) != nil {
		return errDamaged
	}
	return nil
}

func write(tx jobs.Tx, bucket string, key []byte, v any) error {
	data, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return tx.Put(bucket, key, data)
}

// rows are the keys and values under a prefix, at most max of them.
func rows(tx jobs.Tx, bucket string, prefix []byte, max int) (keys, values [][]byte) {
	for k, v := range tx.Scan(bucket, prefix) {
		if !bytes.HasPrefix(k, prefix) || len(keys) == max {
			break
		}
		keys, values = append(keys, bytes.Clone(k)), append(values, bytes.Clone(v))
	}
	return keys, values
}

// newest are the keys and values under a prefix that end with a number of until or less, the last one first, at most max of them.
func newest(tx jobs.Tx, bucket string, prefix, until []byte, max int) (keys, values [][]byte) {
	for k, v := range tx.ScanBack(bucket, slices.Concat(prefix, until, []byte{0})) {
		if !bytes.HasPrefix(k, prefix) || len(keys) == max {
			break
		}
		keys, values = append(keys, bytes.Clone(k)), append(values, bytes.Clone(v))
	}
	return keys, values
}

// Drop forgets what is kept of a job.
func Drop(db work.DB, job string) error {
	var errs []error
	for _, bucket := range []string{jobBucket, templateBucket, openBucket, againBucket} {
		errs = append(errs, work.DropRows(db, bucket, job))
	}
	return errors.Join(errs...)
}
