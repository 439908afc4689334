package jobs

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"testing"
)

func TestWebhook_validateNamesTheField(t *testing.T) {
	with := func(change func(*Webhook)) Webhook {
		w := Webhook{URL: "https://hook.example/a?b=c"}
		change(&w)
		return w
	}
	address := func(u string) Webhook { return with(func(w *Webhook) { w.URL = u }) }
	header := func(name, value string) Webhook {
		return with(func(w *Webhook) { w.Headers = map[string]string{name: value} })
	}
	events := func(e ...string) Webhook { return with(func(w *Webhook) { w.Events = e }) }
	many := map[string]string{}
	for i := range 101 {
		many[fmt.Sprintf("X-%d", i)] = ""
	}
	for _, c := range []struct {
		hook  Webhook
		field string // empty: valid
	}{
		{address("https://hook.example"), ""},
		{address("http://127.0.0.1:8080/a"), ""},
		{address("http://user:word@[::1]/"), ""},
		{address(""), "webhook.url"},
		{address("hook.example/a"), "webhook.url"},
		{address("ftp://hook.example"), "webhook.url"},
		{address("http:hook.example"), "webhook.url"},
		{address("http://"), "webhook.url"},
		{address("http://:80"), "webhook.url"},
		{address("https://hook.example/%zz"), "webhook.url"},
		{address("https://hook.example/\xff"), "webhook.url"},
		{address("https://hook.example/" + strings.Repeat("a", 16<<10)), "webhook.url"},
		{header("Authorization", "Bearer x"), ""},
		{header("content-type", "application/json"), ""},
		{header("X-Winnow-Signature", "sha256=00"), "webhook.headers.X-Winnow-Signature"},
		{header("x-winnow-signature", "sha256=00"), "webhook.headers.x-winnow-signature"},
		{header("Host", "a"), "webhook.headers.Host"},
		{header("transfer-encoding", "chunked"), "webhook.headers.transfer-encoding"},
		{header("Content-Length", "1"), "webhook.headers.Content-Length"},
		{header("Proxy-Authorization", "a"), "webhook.headers.Proxy-Authorization"},
		{header("", "a"), "webhook.headers."},
		{header("a b", "a"), "webhook.headers.a b"},
		{header("X", "a\r\nY: b"), "webhook.headers.X"},
		{header("X", "\xff"), "webhook.headers.X"},
		{header("X", strings.Repeat("a", 64<<10)), "webhook.headers"},
		{with(func(w *Webhook) { w.Headers = map[string]string{"X-A": "1", "x-a": "2"} }), "webhook.headers.x-a"},
		{with(func(w *Webhook) { w.Headers = many }), "webhook.headers"},
		{with(func(w *Webhook) { w.Metadata = map[string]string{"": "", "k": "<ä>"} }), ""},
		{with(func(w *Webhook) { w.Metadata = map[string]string{"k": "\xff"} }), "webhook.metadata"},
		{with(func(w *Webhook) { w.Metadata = map[string]string{"k": strings.Repeat("a", 64<<10)} }), "webhook.metadata"},
		{events(), ""},
		{events("started", "page", "completed", "failed"), ""},
		{events("crawl.page", "_scrape.failed", ".completed"), ""},
		{events(""), "webhook.events"},
		{events("page", "pages"), "webhook.events"},
		{events("age"), "webhook.events"},
		{events("stopped"), "webhook.events"},
		{events("page.started.x"), "webhook.events"},
		{events(strings.Repeat("a", 99) + ".page"), "webhook.events"},
		{events(strings.Split(strings.Repeat("page ", 16)+"page", " ")...), "webhook.events"},
		{with(func(w *Webhook) { w.Secret = strings.Repeat("s", 1024) }), ""},
		{with(func(w *Webhook) { w.Secret = strings.Repeat("s", 1025) }), "webhook.secret"},
	} {
		err := c.hook.Validate()
		e, ok := errors.AsType[*FieldError](err)
		if c.field == "" && err != nil || c.field != "" && (!ok || e.Field != c.field) {
			t.Errorf("%.200v: got %v, want an error about %q", c.hook, err, c.field)
		}
	}
}

func TestWebhook_jsonIsAStringOrAnObject(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{`"https://h.example"`, `{"url":"https://h.example"}`},
		{` "https://h.example" `, `{"url":"https://h.example"}`},
		{`{"url":"https://h.example"}`, `{"url":"https://h.example"}`},
		{
			`{"url":"u","headers":{"a":"b"},"metadata":{"c":"d"},"events":["page"],"secret":"hush"}`,
			`{"url":"u","headers":{"a":"b"},"metadata":{"c":"d"},"events":["page"]}`,
		},
		{`{"url":"u","event":["page"]}`, ""},
		{`{"url":"u","metadata":{"c":1}}`, ""},
		{`{"url":"u"} {}`, ""},
		{`["u"]`, ""},
		{`7`, ""},
	} {
		w := Webhook{Secret: "of before"}
		err := w.UnmarshalJSON([]byte(c.in))
		if c.want == "" {
			if err == nil {
				t.Errorf("%s was accepted", c.in)
			}
			continue
		}
		got, marshalErr := json.Marshal(w)
		if err != nil || marshalErr != nil || string(got) != c.want {
			t.Errorf("%s: got %s, %v, %v; want %s", c.in, got, err, marshalErr, c.want)
		}
		if want := strings.Contains(c.in, "hush"); w.Secret != "" != want {
			t.Errorf("%s: secret %q", c.in, w.Secret)
		}
	}
	var job struct {
		Webhook *Webhook `json:"webhook"`
	}
	if err := json.Unmarshal([]byte(`{"webhook":null}`), &job); err != nil || job.Webhook != nil {
		t.Errorf("null: %+v, %v", job.Webhook, err)
	}
	if err := json.Unmarshal([]byte(`{"webhook":{"url":"u","foo":1}}`), &job); err == nil || !strings.Contains(err.Error(), "foo") {
		t.Errorf("unknown key: %v", err)
	}
}

func TestWebhook_filter(t *testing.T) {
	for _, c := range []struct {
		filter    string
		kind, typ string
		want      bool
	}{
		{"", "crawl", "page", true},
		{"", "crawl", "cancelled", false}, // never sent
		{"", "crawl", "status", false},
		{"", "crawl", "action", false},
		{"", "extract", "started", true},
		{"", "extract", "page", false},
		{"", "extract", "cancelled", false},
		{"", "agent", "action", true},
		{"", "agent", "cancelled", true},
		{"", "agent", "page", false},
		{"action", "agent", "action", true},
		{"agent.action", "agent", "completed", false},
		{"page", "crawl", "page", true},
		{"page", "batch_scrape", "page", true},
		{"page", "crawl", "completed", false},
		{"crawl.page", "crawl", "page", true},
		{"crawl.page", "batch_scrape", "page", false},
		{"_scrape.page", "batch_scrape", "page", true},
		{"_scrape.page", "crawl", "page", false},
		{".failed", "crawl", "failed", true},
		{"started page", "crawl", "page", true},
		{"started page", "crawl", "failed", false},
		{"", "crawl", "page.corrected", false},
		{"page", "crawl", "page.corrected", false},
		{"page.corrected", "crawl", "page.corrected", true},
		{"page.corrected", "crawl", "page", false},
		{"crawl.page.corrected", "crawl", "page.corrected", true},
		{"crawl.page.corrected", "batch_scrape", "page.corrected", false},
		{"page.corrected", "agent", "page.corrected", false},
	} {
		if got := matches(strings.Fields(c.filter), c.kind, c.typ); got != c.want {
			t.Errorf("filter %q, %s.%s: got %v, want %v", c.filter, c.kind, c.typ, got, c.want)
		}
	}
	if matches([]string{""}, "crawl", "page") {
		t.Error("an empty filter matches")
	}
}

func TestRedact_tellsNothingThatOnlyTheOwnerKnows(t *testing.T) {
	w := &Webhook{
		URL:     "https://agent:password@hook.example/services/T0K3N?key=k3yk3y&n=%41BCDE#frag",
		Headers: map[string]string{"Authorization": "Bearer header-token", "X-Part": "signing-"}, Secret: "signing-secret",
	}
	cause := errors.New(`dial hook.example: refused /services/T0K3N k3yk3y ABCDE password header-token signing-secret Bearer header-token`)
	for _, err := range []error{
		&url.Error{Op: "Post", URL: w.URL, Err: cause},
		fmt.Errorf("egress: %w", &url.Error{Op: "Post", URL: "https://agent:xxxxx@hook.example/services/T0K3N?key=k3yk3y&n=%41BCDE#frag", Err: errors.New("refused")}),
		fmt.Errorf("egress: %w", &url.Error{Op: "Post", URL: "https://hook.example/other/T0K3N", Err: errors.New("refused")}),
		errors.New(w.URL + ": refused"),
	} {
		got := redact(err, w)
		for _, secret := range []string{"T0K3N", "k3yk3y", "ABCDE", "41BCDE", "password", "Bearer header-token", "secret", "agent"} {
			if strings.Contains(got, secret) {
				t.Errorf("%s is told: %s", secret, got)
			}
		}
		if !strings.Contains(got, "refused") {
			t.Errorf("the cause is lost: %s", got)
		}
	}
	w = &Webhook{URL: "https://h.example", Headers: map[string]string{"A": "abcdefgh"}, Secret: "abcd"} // one in the other
	if got := redact(errors.New("got abcdefgh"), w); got != "got …" {
		t.Errorf("got %s", got)
	}
}
