package browser

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"
)

func TestOptions_whatCannotBeUsedIsNamed(t *testing.T) {
	pin := "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="
	tests := []struct {
		name  string
		o     Options
		field string
	}{
		{"headless", Options{Headless: "old"}, "Headless"},
		{"pin that is no hash", Options{Pin: "abc"}, "Pin"},
		{"pin that is a list", Options{Pin: pin + "," + pin}, "Pin"},
		{"guard with credentials", Options{GuardURL: "http://a:b@127.0.0.1:1"}, "GuardURL"},
		{"pages", Options{MaxPages: -1}, "MaxPages"},
		{"contexts", Options{MaxContexts: -1}, "MaxContexts"},
		{"age", Options{MaxAge: -time.Second}, "MaxAge"},
		{"memory", Options{MaxMemory: -1}, "MaxMemory"},
		{"connect to a file", Options{ConnectURL: "file:///x"}, "ConnectURL"},
		{"connect without host", Options{ConnectURL: "ws:"}, "ConnectURL"},
		{"connect with a pin", Options{ConnectURL: "ws://h/", Pin: pin}, "Pin"},
		{"connect with args", Options{ConnectURL: "ws://h/", Args: []string{"--lang=de"}}, "Args"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var bad *OptionError
			if err := test.o.Validate(); !errors.As(err, &bad) || bad.Field != test.field {
				t.Errorf("got %v, want an OptionError of %s", err, test.field)
			}
			pool := NewPool(test.o)
			defer pool.Close()
			if _, err := pool.Open(context.Background(), PageOptions{}); !errors.As(err, &bad) {
				t.Errorf("open: got %v, want the same error", err)
			}
		})
	}
	for _, good := range []Options{{}, {Headless: "shell", Pin: pin, MaxPages: 3, GuardURL: "http://127.0.0.1:1"}, {ConnectURL: "wss://user:secret@h/?token=x"}} {
		if err := good.Validate(); err != nil {
			t.Error(err)
		}
	}
}

func TestOptions_secretsOfTheConnectURLAreNotInErrors(t *testing.T) {
	err := Options{ConnectURL: "ftp://user:secret@h/?token=secret"}.Validate()
	if err == nil || strings.Contains(err.Error(), "secret") {
		t.Errorf("got %v", err)
	}
}
