package jobs

import (
	"context"
	"errors"
	"math"
	"strconv"
)

const (
	defaultLimit = 100
	maxLimit     = 1000
	listBytes    = 16 << 20 // of Params on one page
	lookAt       = 1000     // jobs in one transaction
)

// Get gives a job's record; [ErrNotFound] also when it has expired.
func (j *Jobs) Get(ctx context.Context, id string) (r Record, err error) {
	err = j.view(ctx, func(tx Tx) error {
		n, h, err := j.find(tx, id)
		if err != nil {
			return err
		}
		r, err = j.record(tx, n, h)
		return err
	})
	if err != nil {
		return Record{}, err
	}
	return r, nil
}

// Query says which jobs are wanted. The zero value asks for the newest of all.
type Query struct {
	// Owner of the jobs; nil: any.
	Owner *string
	// Kind and State; empty: any.
	Kind  string
	State State
	// Before continues a list: what the last call returned as next.
	Before string
	// Limit of records. Defaults to 100; more than 1000 is 1000.
	Limit int
}

func (q Query) wants(h head) bool {
	return (q.Owner == nil || *q.Owner == h.Owner) && (q.Kind == "" || q.Kind == h.Kind) && (q.State == "" || q.State == h.State)
}

// List gives jobs in the reverse order of their creation, and the Before of the next
// page; empty: there is none. A page has fewer than Limit records when their Params
// together have more than 16 MiB. Jobs that are created meanwhile neither repeat nor
// hide any. Rows that can't be read are an error, beside the records that can.
func (j *Jobs) List(ctx context.Context, q Query) (records []Record, next string, err error) {
	p := page{jobs: j, query: q, limit: min(q.Limit, maxLimit)}
	if q.Limit <= 0 {
		p.limit = defaultLimit
	}
	if q.Before != "" {
		if p.below, err = strconv.ParseUint(q.Before, 36, 64); err != nil {
			return nil, "", &FieldError{"cursor", short(q.Before), "what an earlier call returned"}
		}
	} else {
		p.below = math.MaxUint64
	}
	for !p.done {
		if err := j.view(ctx, p.read); err != nil {
			return nil, "", err
		}
	}
	if p.more {
		next = strconv.FormatUint(p.last, 36)
	}
	return p.records, next, errors.Join(p.damage...)
}

// page is a list under way: it looks at some jobs per transaction, so that none is long.
type page struct {
	jobs  *Jobs
	query Query
	limit int

	below   uint64 // what to look at next
	last    uint64 // that this page has dealt with
	size    int
	records []Record
	damage  []error
	more    bool // there are further jobs that the query wants
	done    bool
}

func (p *page) read(tx Tx) error {
	bucket := bucketHeads
	if p.query.State == Scraping {
		bucket = bucketRunning
	}
	looked := 0
	for k := range tx.ScanBack(bucket, key(p.below)) {
		if looked++; looked > lookAt {
			return nil
		}
		if len(k) != 8 {
			p.damage = append(p.damage, &DamagedError{bucket})
			continue
		}
		p.below = key64(k)
		if p.full(tx, p.below) {
			break
		}
	}
	p.done = true
	return nil
}

// full takes a job in if it is wanted, and reports whether there is no room for it.
func (p *page) full(tx Tx, n uint64) bool {
	h, err := p.jobs.head(tx, n)
	if err == nil && !p.query.wants(h) || errors.Is(err, ErrNotFound) {
		p.last = n
		return false
	}
	if p.more = len(p.records) == p.limit || p.size >= listBytes; p.more {
		return true
	}
	p.last = n
	var r Record
	if err == nil {
		r, err = p.jobs.record(tx, n, h)
	}
	if err != nil {
		p.damage = append(p.damage, err)
		return false
	}
	p.size += len(r.Params)
	p.records = append(p.records, r)
	return false
}

// Unfinished gives all jobs that haven't ended, oldest first, for the resume. Rows that
// can't be read are an error, beside the records that can.
func (j *Jobs) Unfinished(ctx context.Context) (records []Record, err error) {
	var damage []error
	err = j.view(ctx, func(tx Tx) error {
		for k := range tx.Scan(bucketRunning, nil) {
			if len(k) != 8 {
				damage = append(damage, &DamagedError{bucketRunning})
				continue
			}
			r, err := j.recordOf(tx, key64(k))
			if err != nil {
				damage = append(damage, err)
				continue
			}
			records = append(records, r)
		}
		return nil
	})
	return records, errors.Join(append(damage, err)...)
}
