package node

import (
	"context"
	"errors"
	"fmt"

	"github.com/winnow-go/winnow/crawl"
	"github.com/winnow-go/winnow/engine/cluster/internal/links"
)

// atOnce is how many messages of an inbox are read at once.
const atOnce = 64

// TakeIn claims the links of some messages of a shard's inbox, and returns how many messages they were. How far it is goes into the
// transaction that claims them; the messages are removed after that.
func (n *Node) TakeIn(ctx context.Context, number int) (taken int, err error) {
	s, err := n.shard(number)
	if err != nil {
		return 0, err
	}
	s.taking.Lock()
	defer s.taking.Unlock()
	inbox := n.o.Inbox(number)
	list, err := inbox.Read(ctx, s.taken, atOnce)
	if err != nil {
		n.health.fails(n.o.Now(), number)
		return 0, err
	}
	n.health.works(number)
	if len(list) == 0 {
		return 0, s.trim(ctx, inbox)
	}
	defer n.wake()
	for _, m := range list {
		if err := s.take(ctx, m); err != nil {
			return taken, n.note(s, err)
		}
		taken++
	}
	return taken, s.trim(ctx, inbox)
}

// trim removes the messages that are taken in, also those that the owner before had no time to remove.
func (s *shard) trim(ctx context.Context, inbox links.Log) error {
	if s.trimmed == s.taken {
		return nil
	}
	through := s.taken
	err := inbox.Trim(ctx, through)
	if err == nil {
		s.trimmed = through
	}
	return err
}

// take claims the links of a message, unless the job is over.
func (s *shard) take(ctx context.Context, m links.Message) error {
	batch, err := links.Decode(m.Data)
	if err != nil {
		return fmt.Errorf("message %d of the inbox of shard %d: %w", m.Sequence, s.number, err)
	}
	p, err := s.part(ctx, batch.Job)
	if err != nil && !errors.Is(err, ErrUnknown) {
		return err
	}
	seen := func(tx crawl.Tx) error { return putTaken(tx, m.Sequence) }
	if err != nil || p.over.Load() {
		err = s.db.Update(seen)
	} else {
		err = p.put(ctx, batch.Found, seen)
	}
	if err == nil {
		s.taken = m.Sequence
	}
	return err
}

func (p *part) put(ctx context.Context, found []crawl.Found, alongside func(crawl.Tx) error) error {
	done, err := p.reserve(ctx, len(found))
	if err != nil {
		return err
	}
	defer done()
	err = p.f.Take(ctx, found, alongside)
	p.idle.Store(false)
	return err
}
