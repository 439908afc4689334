package jobs

import (
	"context"
	"fmt"

	"github.com/winnow-go/winnow/cache"
)

func Example() {
	ctx := context.Background()
	state := cache.NewMap() // or cache.OpenFile, and the jobs outlive the process
	defer state.Close()
	jobs, err := Open(store{state}, Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer jobs.Close()

	job, _, err := jobs.Create(ctx, New{Kind: "crawl", URL: "https://example.com"})
	if err != nil {
		fmt.Println(err)
		return
	}
	go func() { // the worker
		_, _ = jobs.Append(ctx, job.ID, Event{Type: EventPage, Ref: 1})
		_, _ = jobs.Finish(ctx, job.ID, Completed, "", "")
	}()
	for event, err := range jobs.Events(ctx, job.ID, 0) {
		fmt.Println(event.Seq, event.Type, err)
	}
	job, err = jobs.Wait(ctx, job.ID)
	fmt.Println(job.State, err)
	// Output:
	// 1 started <nil>
	// 2 page <nil>
	// 3 completed <nil>
	// completed <nil>
}
