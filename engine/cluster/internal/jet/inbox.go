package jet

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/winnow-go/winnow/engine/cluster/internal/links"
)

// Inbox is the stream of the messages for a shard. One that is full refuses more.
type Inbox struct {
	c     *Cluster
	shard int

	mu     sync.Mutex
	stream jetstream.Stream // nil: not looked up yet

	reading sync.Mutex // guards what follows
	reader  jetstream.Consumer
	next    uint64 // what the reader reads next is at or after this
	count   uint64 // messages that the reader was given
	idle    int    // reads that came to nothing since then
	window  int    // messages that are read at once, 0: as many as are wanted
}

var _ links.Log = (*Inbox)(nil)

func (i *Inbox) name() string { return fmt.Sprintf("%s-inbox-%d", i.c.o.Name, i.shard) }

func (i *Inbox) subject() string { return fmt.Sprintf("winnow.%s.inbox.%d", i.c.o.Name, i.shard) }

// find returns the stream, which is made when it is missing.
func (i *Inbox) find(ctx context.Context) (jetstream.Stream, error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.stream != nil {
		return i.stream, nil
	}
	js := i.c.o.JetStream
	s, err := js.Stream(ctx, i.name())
	if errors.Is(err, jetstream.ErrStreamNotFound) {
		s, err = js.CreateStream(ctx, jetstream.StreamConfig{
			Name: i.name(), Subjects: []string{i.subject()}, Storage: jetstream.FileStorage, Replicas: i.c.o.Replicas,
			MaxBytes: i.c.o.InboxBytes, Discard: jetstream.DiscardNew,
		})
		if errors.Is(err, jetstream.ErrStreamNameAlreadyInUse) { // another was faster
			s, err = js.Stream(ctx, i.name())
		}
	}
	if err != nil {
		return nil, fmt.Errorf("cluster: inbox %s: %w", i.name(), err)
	}
	i.stream = s
	return s, nil
}

// Append implements links.Log.
func (i *Inbox) Append(ctx context.Context, id string, data []byte) error {
	ctx, cancel := i.c.waiting(ctx)
	defer cancel()
	if _, err := i.find(ctx); err != nil {
		return err
	}
	m := nats.NewMsg(i.subject())
	m.Data = data
	_, err := i.c.o.JetStream.PublishMsg(ctx, m, jetstream.WithMsgID(id), jetstream.WithRetryAttempts(0))
	if isFull(err) {
		return fmt.Errorf("%w: %w", links.ErrFull, err)
	}
	return err
}

// storeFailed is the server's code for a message that a stream has no room for.
const storeFailed = 10077

func isFull(err error) bool {
	refused, ok := errors.AsType[*jetstream.APIError](err)
	return ok && refused.ErrorCode == storeFailed
}

const (
	idle       = time.Second // that Read waits for a first message
	checkAfter = 4           // reads that come to nothing, it is compared with the stream
)

var errMissed = errors.New("cluster: a message of an inbox was lost on its way to the reader")

// Read implements links.Log. It waits a little for the first message. After an error it reads half as many messages at once, and then
// slowly more: the server cuts off those that don't take what they wanted as fast as it comes, with all that they do.
func (i *Inbox) Read(ctx context.Context, after uint64, limit int) ([]links.Message, error) {
	i.reading.Lock()
	defer i.reading.Unlock()
	n := min(limit, cmp.Or(i.window, limit))
	list, err := i.read(ctx, after, n)
	switch {
	case err != nil:
		i.reader = nil // the next one reads from where it says
		i.window = max(1, n/2)
	case len(list) == n:
		i.window = n + max(1, n/8)
	}
	return list, err
}

func (i *Inbox) read(ctx context.Context, after uint64, limit int) (list []links.Message, err error) {
	if err := i.seek(ctx, after); err != nil {
		return nil, err
	}
	waiting, cancel := context.WithTimeout(ctx, idle)
	defer cancel()
	first, err := i.reader.Next(jetstream.FetchContext(waiting))
	if err != nil {
		if ctx.Err() == nil && (errors.Is(err, nats.ErrTimeout) || errors.Is(err, context.DeadlineExceeded)) {
			return nil, i.check(ctx)
		}
		return nil, err
	}
	if list, err = i.add(list, first); err != nil || limit == 1 {
		return list, err
	}
	more, err := i.reader.FetchNoWait(limit - 1)
	if err != nil {
		return nil, err
	}
	for m := range more.Messages() {
		if list, err = i.add(list, m); err != nil {
			return nil, err
		}
	}
	return list, more.Error()
}

// check compares, now and then, what the reader has read with what there is: a message that came too late for a read is given to no other
// one, and where no further message follows, nothing else shows that.
func (i *Inbox) check(ctx context.Context) error {
	if i.idle++; i.idle%checkAfter != 0 {
		return nil
	}
	if last, err := i.Last(ctx); err != nil || last < i.next {
		return err
	}
	return errMissed
}

func (i *Inbox) add(list []links.Message, m jetstream.Msg) ([]links.Message, error) {
	about, err := m.Metadata()
	if err != nil {
		return nil, err
	}
	if i.count++; about.Sequence.Consumer != i.count { // the server doesn't repeat what was lost on the way
		return nil, fmt.Errorf("cluster: inbox %s: message %d of the reader came as %d", i.name(), about.Sequence.Consumer, i.count)
	}
	i.next, i.idle = about.Sequence.Stream+1, 0
	return append(list, links.Message{Sequence: about.Sequence.Stream, Data: m.Data()}), nil
}

// seek has a reader that reads after a sequence. It is no ordered consumer, which tries for ever to get back to a connection that was
// closed.
func (i *Inbox) seek(ctx context.Context, after uint64) error {
	if i.reader != nil && i.next == after+1 {
		return nil
	}
	ctx, cancel := i.c.waiting(ctx)
	defer cancel()
	if _, err := i.find(ctx); err != nil {
		return err
	}
	reader, err := i.c.o.JetStream.CreateConsumer(ctx, i.name(), jetstream.ConsumerConfig{
		DeliverPolicy: jetstream.DeliverByStartSequencePolicy, OptStartSeq: after + 1, AckPolicy: jetstream.AckNonePolicy,
		InactiveThreshold: time.Minute, MemoryStorage: true,
	})
	if err != nil {
		return err
	}
	i.reader, i.next, i.count, i.idle = reader, after+1, 0, 0
	return nil
}

// Last implements links.Log.
func (i *Inbox) Last(ctx context.Context) (uint64, error) {
	ctx, cancel := i.c.waiting(ctx)
	defer cancel()
	s, err := i.find(ctx)
	if err != nil {
		return 0, err
	}
	info, err := s.Info(ctx)
	if err != nil {
		return 0, err
	}
	return info.State.LastSeq, nil
}

// Trim implements links.Log.
func (i *Inbox) Trim(ctx context.Context, through uint64) error {
	ctx, cancel := i.c.waiting(ctx)
	defer cancel()
	s, err := i.find(ctx)
	if err != nil {
		return err
	}
	return s.Purge(ctx, jetstream.WithPurgeSequence(through+1))
}
