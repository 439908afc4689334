package serving

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"
)

// Main runs the server as a program of this name, with the arguments of its command line, until the first SIGINT or SIGTERM; a second one
// ends the program at once. It returns the exit status; what went wrong is on stderr, in one line.
func Main(name string, args []string) (status int) {
	ctx := untilSignalled(name)
	if err := Run(ctx, name, args, os.Stdout, os.Stderr); err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintf(os.Stderr, "%s: %s\n", name, oneLine(err))
		return 1
	}
	return 0
}

// untilSignalled ends with the first signal; a second one ends the program at once. Its goroutine lives as long as the program.
func untilSignalled(name string) context.Context {
	ctx, stop := context.WithCancel(context.Background())
	signals := make(chan os.Signal, 2) // none is lost while the other is looked at
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go obey(signals, stop, func() {
		fmt.Fprintln(os.Stderr, name+": ended at once, by a second signal")
		os.Exit(1)
	})
	return ctx
}

// echo is the time in which further signals are the first one again: timeout(1) and others send it to the program and to its group.
const echo = 250 * time.Millisecond

// obey calls stop with the first signal and end with the second.
func obey(signals <-chan os.Signal, stop, end func()) {
	<-signals
	stop()
	for over := time.After(echo); ; {
		select {
		case <-signals:
		case <-over:
			<-signals
			end()
			return
		}
	}
}

// oneLine keeps an error's many causes in one line, as a shell's user expects.
func oneLine(err error) string { return strings.Join(strings.Fields(err.Error()), " ") }

// Run serves until ctx ends, which is no error. The first line of stdout ends with the server's URL; stderr gets the log. name is the
// program's, for its help; flag.ErrHelp is returned once that is printed.
func Run(ctx context.Context, name string, args []string, stdout, stderr io.Writer) error {
	s, err := parse(name, args, stderr)
	if err != nil {
		return err
	}
	if s.newKey != "" {
		return printKey(s.newKey, stdout, stderr)
	}
	srv, err := newServer(s, stderr)
	if err != nil {
		return err
	}
	srv.greet(stdout)
	return srv.serve(ctx)
}
