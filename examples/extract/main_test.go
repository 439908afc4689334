package main

import (
	"bytes"
	"encoding/json"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/winnow-go/winnow/llm/llmtest"
)

func TestRun_readsTheCarriedSite(t *testing.T) {
	var out, progress bytes.Buffer
	if err := run(t.Context(), nil, &out, &progress); err != nil {
		t.Fatalf("%v\n%s", err, &progress)
	}
	var got struct {
		Apples []struct {
			Name         string
			PricePerKilo float64
			Harvest      string
		}
	}
	if err := json.NewDecoder(bytes.NewReader(out.Bytes())).Decode(&got); err != nil {
		t.Fatalf("%v: %s", err, &out)
	}
	if len(got.Apples) != len(apples) {
		t.Errorf("got %+v", got)
	}
	if want := `https://orchard.example/apples/topaz  "Price: 3.50 EUR a kilo"`; !strings.Contains(out.String(), want) {
		t.Errorf("%q is not in %s", want, &out)
	}
	if !strings.Contains(progress.String(), "read: https://orchard.example/apples/elstar") || strings.Contains(progress.String(), "warning") {
		t.Errorf("progress: %s", &progress)
	}
}

// The way of a real model: flags, a schema in a file, a key that is sent to no page.
func TestRun_asksTheServerOfTheFlags(t *testing.T) {
	t.Setenv("OPENAI_API_KEY", "a-key")
	site := httptest.NewServer(handler())
	defer site.Close()
	model := llmtest.NewServer(t, llmtest.Func(answer))
	schema := filepath.Join(t.TempDir(), "form.json")
	if err := os.WriteFile(schema, []byte(appleSchema), 0o600); err != nil {
		t.Fatal(err)
	}
	var out, progress bytes.Buffer
	args := []string{"-model-url", model.URL(), "-model", "m", "-schema", schema, "-allow-private", "-prompt", "apples", site.URL + "/apples/elstar"}
	if err := run(t.Context(), args, &out, &progress); err != nil {
		t.Fatalf("%v\n%s", err, &progress)
	}
	if !strings.Contains(out.String(), `"Elstar"`) {
		t.Errorf("got %s", &out)
	}
	if asked := model.Requests(); len(asked) != 1 || asked[0].Header.Get("Authorization") != "Bearer a-key" || asked[0].Model != "m" {
		t.Errorf("asked %+v", asked)
	}
}

func TestRun_errorsAreClear(t *testing.T) {
	for _, c := range []struct{ args, want string }{
		{"-model m -limit -1 https://a.example/", "limit"},
		{"-model m -schema nowhere.json https://a.example/", "nowhere.json"},
		{"-model m ftp://a.example/", "urls"},
		{"-pigeon", "pigeon"},
	} {
		var out, progress bytes.Buffer
		if err := run(t.Context(), strings.Fields(c.args), &out, &progress); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v", c.args, err)
		}
	}
}
