package cluster_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/winnow-go/winnow/cache"
	"github.com/winnow-go/winnow/crawl"
	"github.com/winnow-go/winnow/engine"
	"github.com/winnow-go/winnow/engine/cluster"
)

// One of several engines that crawl together. It needs a NATS server, so it isn't run.
func ExampleJoin() {
	ctx := context.Background()
	connection, err := nats.Connect("nats://127.0.0.1:4222", nats.MaxReconnects(-1))
	if err != nil {
		log.Fatal(err)
	}
	defer connection.Close()
	js, err := jetstream.New(connection)
	if err != nil {
		log.Fatal(err)
	}
	member, err := cluster.Join(ctx, cluster.Options{
		JetStream: js,
		Name:      "crawls",
		Local: func(shard int) (cluster.Store, error) {
			return cache.OpenFile(fmt.Sprintf("shard-%d.db", shard), cache.FileOptions{Kind: "shard"})
		},
	})
	if err != nil {
		log.Fatal(err)
	}
	e, err := engine.New(engine.Options{Cluster: member, Dir: "engine"})
	if err != nil {
		log.Fatal(errors.Join(err, member.Close()))
	}
	defer e.Close() // gives its hosts to the others
	job, err := e.StartCrawl(ctx, "https://example.com/", engine.CrawlOptions{AllowSubdomains: true})
	if err != nil {
		log.Fatal(err)
	}
	for doc, err := range job.Documents(ctx, 0) { // those of all engines; the same from each, by its id
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(doc.Metadata.URL)
	}
}

// One of several programs that crawl together. It needs a NATS server, so it isn't run.
func ExampleOpen() {
	ctx := context.Background()
	connection, err := nats.Connect("nats://127.0.0.1:4222", nats.MaxReconnects(-1))
	if err != nil {
		log.Fatal(err)
	}
	defer connection.Close()
	js, err := jetstream.New(connection)
	if err != nil {
		log.Fatal(err)
	}
	member, err := cluster.Open(ctx, cluster.Options{
		JetStream: js,
		Name:      "crawls",
		Local: func(shard int) (cluster.Store, error) {
			return cache.OpenFile(fmt.Sprintf("shard-%d.db", shard), cache.FileOptions{Kind: "shard"})
		},
		Visit: func(_ context.Context, _ cluster.Job, item crawl.Item) cluster.Outcome {
			return cluster.Outcome{ // what was fetched, and the URLs that it leads to
				Page:   crawl.Page{Result: []byte("a page"), Found: []crawl.Found{{URL: "https://example.org/", Hops: item.Hops + 1}}},
				Events: [][]byte{[]byte(item.URL)},
			}
		},
	})
	if err != nil {
		log.Fatal(err)
	}
	defer member.Leave(ctx)
	job := cluster.Job{ID: "example", Limit: 1000, Delay: time.Second}
	if err := member.Start(ctx, job, []crawl.Found{{URL: "https://example.com/"}}); err != nil {
		log.Fatal(err)
	}
	events, err := member.Events(ctx, job.ID, 0, 100) // from any member
	fmt.Println(len(events), err)
}
