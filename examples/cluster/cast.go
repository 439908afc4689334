package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"sync"
	"time"
)

// process is a worker's.
type process struct {
	name   string
	cmd    *exec.Cmd
	in     io.WriteCloser
	ended  chan struct{} // closed when it is gone
	result error         // then

	mu   sync.Mutex
	last report
	sum  chan *total
}

// startWorker starts this program as a worker.
func startWorker(s settings) (*process, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(s)
	if err != nil {
		return nil, err
	}
	p := &process{name: s.Name, cmd: exec.Command(self, "worker", string(text)), ended: make(chan struct{}), sum: make(chan *total, 1)}
	p.cmd.Stderr = os.Stderr
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	go p.follow(out)
	return p, nil
}

// follow reads what the worker reports, until it is gone.
func (p *process) follow(out io.Reader) {
	defer close(p.ended)
	for lines := bufio.NewScanner(out); lines.Scan(); {
		var r report
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			continue // its last line, in the middle of which it was killed
		}
		if r.Total != nil {
			p.sum <- r.Total
			continue
		}
		p.mu.Lock()
		p.last = r
		p.mu.Unlock()
	}
	p.result = p.cmd.Wait()
}

func (p *process) report() report {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.last
}

func (p *process) order(line string) error {
	_, err := fmt.Fprintln(p.in, line)
	return err
}

// patience is how long a worker may take to leave, also where it has just been started on a busy machine.
const patience = 3 * time.Minute

// leave has the worker give its shards to the others, and waits until it is gone.
func (p *process) leave() error {
	if err := p.in.Close(); err != nil {
		return err
	}
	select {
	case <-p.ended:
		return p.result
	case <-time.After(patience):
		p.kill()
		return fmt.Errorf("%s did not end in %s", p.name, patience)
	}
}

// kill ends the worker without a word.
func (p *process) kill() {
	_ = p.cmd.Process.Kill() // it may be gone
	<-p.ended
}

// cast are the workers that are there.
type cast struct {
	count int // that ever came
	list  []*process
}

func (c *cast) join(s settings) (*process, error) {
	c.count++
	s.Name = fmt.Sprint("w", c.count)
	p, err := startWorker(s)
	if err == nil {
		c.list = append(c.list, p)
	}
	return p, err
}

// lost removes the workers that have ended from the list.
func (c *cast) lost() (gone []*process) {
	c.list = slices.DeleteFunc(c.list, func(p *process) bool {
		select {
		case <-p.ended:
			gone = append(gone, p)
			return true
		default:
			return false
		}
	})
	return gone
}

// take removes a worker from the list; nil: there is none of the name.
func (c *cast) take(name string) *process {
	i := slices.IndexFunc(c.list, func(p *process) bool { return p.name == name })
	if i < 0 {
		return nil
	}
	p := c.list[i]
	c.list = slices.Delete(c.list, i, i+1)
	return p
}
