package cache_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"time"

	"github.com/winnow-go/winnow/cache"
)

// A page is kept in a file, fetched again later, and found with both versions.
func ExampleOpenBolt() {
	dir, err := os.MkdirTemp("", "cache")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	store, err := cache.OpenBolt(filepath.Join(dir, "cache.db"), cache.FileOptions{}, cache.Options{MaxAge: 30 * 24 * time.Hour})
	if err != nil {
		log.Fatal(err)
	}
	defer store.Close()

	ctx, noon := context.Background(), time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	for i, text := range []string{"<h1>Hello</h1>", "<h1>Hello again</h1>"} {
		page := cache.Entry{Key: "https://example.com/", Stored: noon.Add(time.Duration(i) * time.Hour), Meta: []byte("200"), Value: []byte(text)}
		if err := store.Put(ctx, page, nil); err != nil {
			log.Fatal(err)
		}
	}
	versions, err := store.Versions(ctx, "https://example.com/") // seen at once, written soon
	if err != nil {
		log.Fatal(err)
	}
	for _, v := range versions {
		text, err := store.Get(ctx, v)
		fmt.Printf("%s %s %s %v\n", v.Stored.Format(time.TimeOnly), v.Meta, text, err)
	}
	fmt.Println("durable:", store.Flush(ctx) == nil)
	// Output:
	// 13:00:00 200 <h1>Hello again</h1> <nil>
	// 12:00:00 200 <h1>Hello</h1> <nil>
	// durable: true
}

// Buckets of one's own, in transactions.
func ExampleDB() {
	db := cache.NewMap() // or cache.OpenFile
	defer db.Close()
	err := db.Update(func(tx cache.Tx) error {
		for _, name := range []string{"b", "a", "c"} {
			n, err := tx.Next("queue")
			if err != nil {
				return err
			}
			if err := tx.Put("queue", []byte(name), fmt.Append(nil, n)); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		log.Fatal(err)
	}
	err = db.View(func(tx cache.Tx) error {
		for k, v := range tx.Scan("queue", []byte("b")) {
			fmt.Printf("%s came as number %s\n", k, v)
		}
		return nil
	})
	if err != nil {
		log.Fatal(err)
	}
	// Output:
	// b came as number 1
	// c came as number 3
}
