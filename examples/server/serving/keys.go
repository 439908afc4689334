package serving

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/winnow-go/winnow/engine/httpapi"
)

// readKeys reads the file of keys; without one there are no keys.
func readKeys(name string) ([]httpapi.Key, error) {
	if name == "" {
		return nil, nil
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("-keys: %w", err)
	}
	defer f.Close()
	keys, err := httpapi.ReadKeys(f)
	if err == nil && len(keys) == 0 {
		err = errors.New("it has no key, so every request would be refused; make one with -new-key")
	}
	if err != nil {
		return nil, fmt.Errorf("-keys %s: %w", name, err)
	}
	return keys, nil
}

// printKey makes a key. Only the line for the file goes to stdout, so that it can be appended.
func printKey(team string, stdout, stderr io.Writer) error {
	secret := "winnow-" + rand.Text()
	if _, err := httpapi.NewKey(secret, team); err != nil {
		return fmt.Errorf("-new-key: %w", err)
	}
	if _, err := fmt.Fprintln(stdout, httpapi.HashSecret(secret), team); err != nil {
		return err
	}
	_, err := fmt.Fprintln(stderr, "key, shown once:", secret)
	return err
}
