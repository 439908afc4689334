package formats

import (
	"context"
	"testing"
)

// ask returns what a question about a page is answered with, which must be no error.
func ask[T any](t testing.TB, question func(context.Context) (T, error)) T {
	t.Helper()
	answer, err := question(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return answer
}
