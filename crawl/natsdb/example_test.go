package natsdb_test

import (
	"context"
	"fmt"
	"log"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/winnow-go/winnow/cache"
	"github.com/winnow-go/winnow/crawl"
	"github.com/winnow-go/winnow/crawl/natsdb"
)

// A frontier whose transactions are on a NATS server before they count. It needs the server, so it isn't run.
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
	local, err := cache.OpenFile("shard-7.db", cache.FileOptions{Kind: "shard"})
	if err != nil {
		log.Fatal(err)
	}
	defer local.Close()
	db, err := natsdb.Open(ctx, natsdb.Options{JetStream: js, Name: "shard-7", Local: local})
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	frontier, err := crawl.Open(db, "job", crawl.Options{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(frontier.Put(ctx, []crawl.Found{{URL: "https://example.com/"}}))
}
