package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/winnow-go/winnow/engine"
)

// follow prints each page when it is read.
func follow(ctx context.Context, job *engine.ExtractJob, to io.Writer) error {
	for ev, err := range job.Events(ctx, 0) {
		if err != nil {
			return err
		}
		var page engine.PageEvent
		if ev.Type != "page" || json.Unmarshal(ev.Data, &page) != nil {
			continue
		}
		if page.Error != "" {
			fmt.Fprintln(to, "failed:", page.URL, page.Error)
		} else {
			fmt.Fprintln(to, "read:", page.URL)
		}
	}
	return nil
}

// show prints the data, then where each value is from.
func show(ctx context.Context, job *engine.ExtractJob, stdout, stderr io.Writer) error {
	data, err := job.Result(ctx)
	if err != nil {
		return err
	}
	var b bytes.Buffer
	if err := json.Indent(&b, data, "", "  "); err != nil {
		return err
	}
	fmt.Fprintln(stdout, b.String())
	sources, err := job.Sources(ctx)
	if err != nil {
		return err
	}
	for _, pointer := range slices.Sorted(maps.Keys(sources)) {
		for _, source := range sources[pointer] {
			fmt.Fprintf(stdout, "%s  %s  %q\n", pointer, source.URL, source.Quote)
		}
	}
	status, err := job.Status(ctx)
	if err != nil {
		return err
	}
	if status.Warning != "" {
		fmt.Fprintln(stderr, "warning:", status.Warning)
	}
	fmt.Fprintf(stderr, "%d pages, %d model calls, %d tokens\n", status.Completed, status.Usage.Calls, status.Usage.Tokens())
	return nil
}
