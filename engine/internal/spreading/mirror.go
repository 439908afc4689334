package spreading

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"time"

	"github.com/winnow-go/winnow/engine/internal/entries"
	"github.com/winnow-go/winnow/engine/internal/jobs"
	"github.com/winnow-go/winnow/engine/internal/spread"
	"github.com/winnow-go/winnow/engine/internal/work"
)

// The buckets of mirrors.
const (
	bucketRead   = "spread/read"   // job → position
	bucketPieces = "spread/pieces" // job, zero byte, shard, number of the event → a piece of a message that isn't whole yet
)

// position is how far a mirror has read.
type position struct {
	Event uint64 `json:"event"`
	// Fatal is why the job has failed, if it comes to nothing.
	Fatal *jobs.Reason `json:"fatal,omitempty"`
	// End of a job that moves.
	End *entries.End `json:"end,omitempty"`
	// Queued and Active pages were left when the job ended, or so far, of one that moves.
	Queued int `json:"queued,omitempty"`
	Active int `json:"active,omitempty"`
}

// The times between two looks at a job that has nothing new.
const (
	minLook = 50 * time.Millisecond
	maxLook = time.Second
)

// eventsAtOnce are read.
const eventsAtOnce = 500

// mirror is one that is followed.
type mirror struct {
	*work.Mirror
	s        *Spreading
	job      *work.Job
	at       position
	follower *follower
}

// Follow implements [work.Elsewhere].
func (s *Spreading) Follow(ctx context.Context, job *work.Job) error {
	m := &mirror{s: s, job: job, follower: s.follow(job.Record.ID)}
	defer s.left(m.follower, job.Record.ID)
	m.Mirror = job.Mirror()
	var err error
	if m.at, err = readPosition(job.DB(), job.Record.ID); err != nil {
		return err
	}
	for look := minLook; ; look = min(2*look, maxLook) {
		before := m.at.Event
		over, err := m.read(ctx)
		switch {
		case ctx.Err() != nil:
			return nil
		case over:
			return err
		case err != nil:
			job.Logger().Warn("the events of a job of the cluster can't be read", "error", err)
		}
		if m.follower.advance(m.at.Event); m.at.Event != before {
			look = minLook
		}
		if m.follower.await(ctx, look) {
			look = minLook
		}
	}
}

// read takes in what there is, and ends the mirror where the job has.
func (m *mirror) read(ctx context.Context) (over bool, err error) {
	id := m.job.Record.ID
	status, err := m.s.cluster.Status(ctx, id)
	if errors.Is(err, spread.ErrUnknown) {
		return true, m.End(ctx, m.job.Now(), jobs.Failed, "", "the cluster has the job no longer")
	}
	if err != nil {
		return false, err
	}
	for m.at.Event < status.Events {
		list, err := m.s.cluster.Events(ctx, id, m.at.Event, eventsAtOnce)
		if err != nil || len(list) == 0 {
			return false, err
		}
		if err := m.take(ctx, list); err != nil {
			return false, err
		}
	}
	if !status.Ended {
		return false, nil
	}
	return m.over(ctx, status)
}

// take takes events in, in one transaction.
func (m *mirror) take(ctx context.Context, list []spread.Event) error {
	var next position
	err := m.Update(func(t *work.Turn) error {
		next = m.at
		for _, e := range list {
			if err := m.takeOne(ctx, t, &next, e); err != nil {
				return err
			}
		}
		return next.write(t.Tx, m.job.Record.ID)
	})
	if err == nil {
		m.at = next
	}
	return err
}

// takeOne takes an event in, or keeps it until the rest of its message comes.
func (m *mirror) takeOne(ctx context.Context, t *work.Turn, at *position, e spread.Event) error {
	at.Event = e.Number
	id := m.job.Record.ID
	ends, whole := entries.Ends(e.Data)
	if !ends {
		return t.Tx.Put(bucketPieces, pieceKey(id, e.Shard, e.Number), e.Data)
	}
	var pieces [][]byte
	if !whole {
		pieces = piecesIn(t.Tx, id, e.Shard)
		if err := dropPieces(t.Tx, id, e.Shard); err != nil {
			return err
		}
	}
	message, err := entries.Join(append(pieces, e.Data)...)
	if err != nil {
		return err
	}
	at.note(message)
	return t.Take(ctx, message)
}

// note notes what a message says of the job itself.
func (p *position) note(m entries.Message) {
	if m.Page != nil && m.Page.Fatal {
		p.Fatal = &jobs.Reason{Code: m.Page.Code, Error: m.Page.Error}
	}
	if m.Left != nil {
		p.Queued, p.Active = m.Left.Queued, m.Left.Active
	}
	if m.End != nil {
		p.End = m.End
	}
}

// over ends the mirror of a job that has ended, as its events say.
func (m *mirror) over(ctx context.Context, status spread.Status) (bool, error) {
	if !status.Whole {
		if err := m.noteLeft(ctx); err != nil {
			return false, err
		}
	}
	done, err := m.Done(ctx)
	if err != nil {
		return false, err
	}
	state, reason := jobs.Completed, jobs.Reason{}
	switch {
	case m.at.End != nil:
		state, reason = jobs.State(m.at.End.State), jobs.Reason{Code: m.at.End.Code, Error: m.at.End.Error}
	case status.Cancelled:
		state, reason = jobs.Cancelled, jobs.Reason{Code: m.s.o.Cancelled, Error: work.TextCancelled}
	case m.at.Fatal != nil && done == 0:
		state, reason = jobs.Failed, *m.at.Fatal
	case status.Whole:
		state, reason = jobs.Failed, jobs.Reason{Error: "the job's end was not kept"}
	}
	return true, m.End(ctx, status.At, state, reason.Code, reason.Error)
}

// noteLeft keeps how many pages of a job were left when it ended.
func (m *mirror) noteLeft(ctx context.Context) error {
	queued, active, err := m.s.cluster.Pending(ctx, m.job.Record.ID)
	if err != nil {
		return err
	}
	next := m.at
	next.Queued, next.Active = queued, active
	return m.job.DB().Update(func(tx jobs.Tx) error { return next.write(tx, m.job.Record.ID) })
}

func readPosition(db work.DB, job string) (at position, err error) {
	err = db.View(func(tx jobs.Tx) error {
		if row := tx.Get(bucketRead, []byte(job)); row != nil {
			return json.Unmarshal(row, &at)
		}
		return nil
	})
	return at, err
}

func (p position) write(tx jobs.Tx, job string) error {
	data, err := json.Marshal(p)
	if err != nil {
		return err
	}
	return tx.Put(bucketRead, []byte(job), data)
}

func pieceKey(job string, shard int, number uint64) []byte {
	return binary.BigEndian.AppendUint64(piecesOf(job, shard), number)
}

func piecesOf(job string, shard int) []byte {
	return binary.BigEndian.AppendUint16(append([]byte(job), 0), uint16(shard))
}

// piecesIn are those that have come of a shard's message.
func piecesIn(tx jobs.Tx, job string, shard int) (list [][]byte) {
	prefix := piecesOf(job, shard)
	for key, piece := range tx.Scan(bucketPieces, prefix) {
		if !bytes.HasPrefix(key, prefix) {
			break
		}
		list = append(list, bytes.Clone(piece))
	}
	return list
}

func dropPieces(tx jobs.Tx, job string, shard int) error {
	var gone [][]byte
	prefix := piecesOf(job, shard)
	for key := range tx.Scan(bucketPieces, prefix) {
		if !bytes.HasPrefix(key, prefix) {
			break
		}
		gone = append(gone, bytes.Clone(key))
	}
	for _, key := range gone {
		if err := tx.Delete(bucketPieces, key); err != nil {
			return err
		}
	}
	return nil
}
