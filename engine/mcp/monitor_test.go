package mcp

import (
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
)

// priced is a page whose price changes.
func priced(price *atomic.Int64) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		body := "<title>Lamp</title><h1>Lamp</h1><p>A lamp of brass, made by hand in a small workshop.</p><p>It costs 49 euros.</p>"
		if price.Load() == 39 {
			body = strings.Replace(body, "49", "39", 1)
		}
		html(body)(w, r)
	}
}

func TestMonitor_findsChanges(t *testing.T) {
	var price atomic.Int64
	e := newEngine(t, map[string]http.Handler{"shop.example": priced(&price)})
	c := connect(t, e, Options{})
	text := c.call("monitor", `{"do":"create","urls":["https://shop.example/"],"schedule":"every 90 minutes"}`)
	id := after(text, "monitor ", ":")
	run := `{"do":"run","monitor":"` + id + `"}`
	if text := c.call("monitor", run); !strings.Contains(text, "first check") {
		t.Errorf("got %s", text)
	}
	price.Store(39)
	if text := c.call("monitor", run); !strings.Contains(text, "changed https://shop.example/") || !strings.Contains(text, "+It costs 39 euros.") {
		t.Errorf("got %s", text)
	}
	changes := c.call("monitor", `{"do":"changes","monitor":"`+id+`"}`)
	if !strings.Contains(changes, "1 changes after number 0.") || !strings.Contains(changes, "39 euros") {
		t.Errorf("got %s", changes)
	}
	if text := c.call("monitor", `{"do":"changes","monitor":"`+id+`","from":1}`); !strings.Contains(text, "0 changes after number 1.") {
		t.Errorf("got %s", text)
	}
	other := connect(t, e, Options{Owner: "bea"})
	other.refused("monitor", run, "error NOT_FOUND")
	if text := other.call("monitor", `{"do":"list"}`); !strings.Contains(text, "0 monitors.") {
		t.Errorf("got %s", text)
	}
	monitorIsKept(t, c, id)
}

func monitorIsKept(t *testing.T, c *client, id string) {
	t.Helper()
	if text := c.call("monitor", `{"do":"update","monitor":"`+id+`","name":"Lamps","options":{"status":"paused","winnow":{"interval":3600000}}}`); !strings.Contains(text, `"Lamps", paused`) {
		t.Errorf("got %s", text)
	}
	text := c.call("monitor", `{"do":"get","monitor":"`+id+`"}`)
	check := after(text, "check ", " ")
	if !strings.Contains(text, "1 changed") {
		t.Errorf("got %s", text)
	}
	if text := c.call("monitor", `{"do":"check","monitor":"`+id+`","check":"`+check+`"}`); !strings.Contains(text, "changed https://shop.example/") {
		t.Errorf("got %s", text)
	}
	if text := c.call("monitor", `{"do":"noise","monitor":"`+id+`"}`); !strings.Contains(text, "rules of what is passed over") {
		t.Errorf("got %s", text)
	}
	c.refused("monitor", `{"do":"restore","monitor":"`+id+`","rule":"none"}`, "error ")
	if text := c.call("monitor", `{"do":"list"}`); !strings.Contains(text, "Lamps (paused)") {
		t.Errorf("got %s", text)
	}
	c.call("monitor", `{"do":"delete","monitor":"`+id+`"}`)
	c.refused("monitor", `{"do":"get","monitor":"`+id+`"}`, "error NOT_FOUND")
}
