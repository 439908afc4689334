package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// stage is where it takes place.
type stage struct {
	settings
	out  io.Writer
	web  http.Handler // the site
	js   jetstream.JetStream
	cast cast
	line string // that was printed last
}

// play starts all, follows it to the end of the job, and ends all.
func (s *stage) play(ctx context.Context, workers int, in io.Reader) error {
	host, err := startServer(filepath.Join(s.Folder, "nats"))
	if err != nil {
		return err
	}
	defer func() {
		host.Shutdown()
		host.WaitForShutdown()
	}()
	s.Server = host.ClientURL()
	web, err := s.serveSite()
	if err != nil {
		return err
	}
	defer web.Close()
	c, err := nats.Connect(s.Server, nats.Timeout(slowest))
	if err != nil {
		return err
	}
	defer c.Close()
	if s.js, err = jetstream.New(c); err != nil {
		return err
	}
	return errors.Join(s.crawl(ctx, workers, in), s.leave())
}

func startServer(folder string) (*server.Server, error) {
	s, err := server.NewServer(&server.Options{
		Host: "127.0.0.1", Port: server.RANDOM_PORT, JetStream: true, StoreDir: folder, NoSigs: true, NoLog: true,
	})
	if err != nil {
		return nil, err
	}
	s.Start()
	if !s.ReadyForConnections(time.Minute) {
		s.Shutdown()
		return nil, errors.New("the NATS server does not start")
	}
	return s, nil
}

func (s *stage) serveSite() (*http.Server, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	s.Site = l.Addr().String()
	web := &http.Server{Handler: s.web}
	go func() { _ = web.Serve(l) }()
	return web, nil
}

// crawl begins with some workers, and does what the lines of the input want, until the job has ended.
func (s *stage) crawl(ctx context.Context, workers int, in io.Reader) error {
	for range workers {
		if err := s.obey("join"); err != nil {
			return err
		}
	}
	ctx, end := context.WithCancel(ctx)
	defer end()
	orders, tick := linesOf(ctx, in), time.NewTicker(every)
	defer tick.Stop()
	for !s.ended() {
		select {
		case <-ctx.Done():
			return nil
		case line := <-orders:
			if err := s.obey(line); err != nil {
				return err
			}
			if line == "quit" {
				return nil
			}
		case <-tick.C:
			s.show(ctx)
			if err := s.miss(); err != nil {
				return err
			}
		}
	}
	return s.sum(ctx)
}

// linesOf are the lines of an input. The goroutine that reads them ends with the next line after ctx has ended, or with the program.
func linesOf(ctx context.Context, in io.Reader) <-chan string {
	to := make(chan string)
	go func() {
		for lines := bufio.NewScanner(in); lines.Scan(); {
			select {
			case to <- strings.TrimSpace(lines.Text()):
			case <-ctx.Done():
				return
			}
		}
	}()
	return to
}

// obey does what a line wants.
func (s *stage) obey(line string) error {
	what, name, _ := strings.Cut(line, " ")
	switch what {
	case "join":
		p, err := s.cast.join(s.settings)
		if err == nil {
			fmt.Fprintf(s.out, "%s joins, as process %d\n", p.name, p.cmd.Process.Pid)
		}
		return err
	case "leave", "kill":
		return s.remove(what, name)
	case "", "quit":
		return nil
	}
	fmt.Fprintf(s.out, "%q is no order: want join, leave NAME, kill NAME or quit\n", line)
	return nil
}

func (s *stage) remove(how, name string) error {
	if len(s.cast.list) == 1 {
		fmt.Fprintln(s.out, "the last worker stays")
		return nil
	}
	p := s.cast.take(name)
	if p == nil {
		fmt.Fprintf(s.out, "no worker has the name %q\n", name)
		return nil
	}
	defer fmt.Fprintf(s.out, "%s is gone\n", name)
	if how == "kill" {
		p.kill()
		return nil
	}
	return p.leave()
}

// miss takes workers that have ended by themselves off the list. Without any the job would never end.
func (s *stage) miss() error {
	for _, p := range s.cast.lost() {
		fmt.Fprintf(s.out, "%s has ended: %v\n", p.name, p.result)
	}
	if len(s.cast.list) == 0 {
		return errors.New("no worker is left")
	}
	return nil
}

// ended reports whether a worker says that the job has ended.
func (s *stage) ended() bool {
	return slices.ContainsFunc(s.cast.list, func(p *process) bool { return p.report().Ended })
}

// show prints how it stands, where that has changed.
func (s *stage) show(ctx context.Context) {
	var parts []string
	for _, p := range s.cast.list {
		r := p.report()
		parts = append(parts, fmt.Sprintf("%s: %d pages, %d shards", p.name, r.Pages, r.Shards))
	}
	line := strings.Join(parts, " | ") + fmt.Sprintf(" | %d messages wait", s.lag(ctx))
	if line != s.line {
		fmt.Fprintln(s.out, line)
	}
	s.line = line
}

// lag is how many messages with links their shards have not taken in yet.
func (s *stage) lag(ctx context.Context) (n uint64) {
	list := s.js.ListStreams(ctx)
	for info := range list.Info() {
		if strings.Contains(info.Config.Name, "-inbox-") {
			n += info.State.Msgs
		}
	}
	return n
}

// sum has a worker count the documents of the job.
func (s *stage) sum(ctx context.Context) error {
	p := s.cast.list[0]
	if err := p.order("count"); err != nil {
		return err
	}
	select {
	case t := <-p.sum:
		s.print(t)
		return nil
	case <-p.ended:
		return errors.Join(fmt.Errorf("%s ended before it had counted", p.name), p.result)
	case <-ctx.Done():
		return nil
	}
}

func (s *stage) print(t *total) {
	fmt.Fprintf(s.out, "%d pages of %d, %d of them twice\n", t.Pages, s.Pages, t.Twice)
}

// leave ends all workers.
func (s *stage) leave() (errs error) {
	for _, p := range s.cast.list {
		errs = errors.Join(errs, p.leave())
	}
	return errs
}
