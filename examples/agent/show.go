package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/winnow-go/winnow/actions"
	"github.com/winnow-go/winnow/engine"
)

// follow prints the steps as they are made. When ctx ends, the job is canceled.
func follow(ctx context.Context, job *engine.AgentJob, stderr io.Writer) error {
	for event, err := range job.Events(ctx, 0) {
		if err != nil {
			if ctx.Err() != nil {
				err = errors.Join(err, job.Cancel(context.WithoutCancel(ctx)))
			}
			return err
		}
		if event.Type != "action" {
			continue
		}
		var step engine.ModelStep
		if err := json.Unmarshal(event.Data, &step); err != nil {
			return err
		}
		fmt.Fprintln(stderr, line(step))
	}
	return nil
}

// line is a step in short.
func line(s engine.ModelStep) string {
	number := "  "
	switch {
	case s.Part > 0:
		number = fmt.Sprintf("  %d.%d", s.Number, s.Part)
	case s.Number > 0:
		number = fmt.Sprintf("%d", s.Number)
	}
	what := s.Did
	if s.Error != "" {
		what = "failed: " + s.Error
	}
	return fmt.Sprintf("%-5s %-9s %s", number, s.Tool, short(what, 90))
}

func short(s string, limit int) string {
	r := []rune(strings.Join(strings.Fields(s), " "))
	if len(r) > limit {
		return string(r[:limit]) + "…"
	}
	return string(r)
}

// show prints the result, and its cost.
func show(ctx context.Context, job *engine.AgentJob, stdout, stderr io.Writer) error {
	data, err := job.Result(ctx)
	if err != nil {
		return err
	}
	var pretty bytes.Buffer
	if err := json.Indent(&pretty, data, "", "  "); err != nil {
		return err
	}
	fmt.Fprintln(stdout, pretty.String())
	status, err := job.Status(ctx)
	if err != nil {
		return err
	}
	if status.Warning != "" {
		fmt.Fprintln(stderr, "warning:", status.Warning)
	}
	fmt.Fprintf(stderr, "%d credits, %d model calls, %d tokens\n", status.CreditsUsed, status.Usage.Calls, status.Usage.Tokens())
	return nil
}

// replay repeats the work on pages, and prints what they show then.
func replay(ctx context.Context, e *engine.Engine, job *engine.AgentJob, stdout io.Writer) error {
	steps, err := job.Trace(ctx)
	if err != nil {
		return err
	}
	for _, s := range steps {
		if s.Tool != "interact" || len(s.Actions) == 0 || s.Incomplete {
			continue
		}
		if len(s.Actions) > actions.MaxActions {
			fmt.Fprintf(stdout, "%d actions are more than one scrape allows; they are not repeated\n", len(s.Actions))
			continue
		}
		doc, err := e.Scrape(ctx, s.URL, engine.ScrapeOptions{Actions: s.Actions})
		if err != nil {
			return err
		}
		fmt.Fprintf(stdout, "\n%d actions on %s, without the model:\n%s\n", len(s.Actions), s.URL, doc.Markdown)
	}
	return nil
}
