package mcp

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/winnow-go/winnow/browser"
	"github.com/winnow-go/winnow/engine"
	"github.com/winnow-go/winnow/engine/httpapi"
	"github.com/winnow-go/winnow/llm/llmtest"
)

// peer is the service's own MCP server, in front of the same engine.
func peer(t *testing.T, hosts map[string]http.Handler, changes ...func(*engine.Options)) *client {
	t.Helper()
	program, err := exec.LookPath("firecrawl-mcp")
	if err != nil {
		t.Skip("this system: the npm package firecrawl-mcp is not installed")
	}
	server := httptest.NewServer(httpapi.New(newEngine(t, hosts, changes...), httpapi.Options{Anonymous: true}))
	t.Cleanup(server.Close)
	command := exec.CommandContext(t.Context(), program)
	command.Env = append(os.Environ(), "FIRECRAWL_API_URL="+server.URL, "FIRECRAWL_API_KEY=none")
	return connected(t, &sdk.CommandTransport{Command: command})
}

// TestPeer_takesTheSameTasks logs what the tasks take with npm's firecrawl-mcp, whose figures the package comment has beside winnow's.
func TestPeer_takesTheSameTasks(t *testing.T) {
	if os.Getenv("WINNOW_SOAK") == "" {
		t.Skip("WINNOW_SOAK=1 runs the tasks with another server too")
	}
	var price atomic.Int64
	hosts := map[string]http.Handler{
		"shop.example": html(catalogue()), "docs.example": docs(80), "tariff.example": html(tariff()), "lamp.example": priced(&price),
		"club.example": club(), "evil.example": html(evil()),
		"book.example": http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/pdf")
			_, _ = w.Write(pdf(200, 10))
		}),
		"list.example": pagedList(),
	}
	for i := range 3 {
		hosts[fmt.Sprintf("shop%d.example", i)] = product(i)
	}
	model := llmtest.NewServer(t, llmtest.Func(readsTariffs))
	c := peer(t, hosts, func(o *engine.Options) {
		o.Model, o.Render, o.Browser.Install = model.Model(), engine.RenderAuto, browser.InstallNever
	})
	list, err := c.session.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	data, err := json.Marshal(list)
	t.Logf("tools/list: %d tools, %d bytes, %v", len(list.Tools), len(data), err)
	page := func(url string) string {
		return c.any("firecrawl_scrape", `{"url":"`+url+`","formats":["markdown"],"onlyMainContent":false}`)
	}
	for _, task := range []struct {
		name, want string
		do         func() string
	}{
		{"a price on 500 kB", "Price of LX-1733: 43.50 euros", func() string { return page("https://shop.example/") }},
		{"a chapter of a 200-page PDF", "sack 3499 of", func() string { return page("https://book.example/grain.pdf") }},
		{"three products compared", "It costs 39 euros", func() string {
			return page("https://shop0.example/") + page("https://shop1.example/") + page("https://shop2.example/")
		}},
		{"a paged list", "miller of the town 2555", func() (text string) {
			for p := range 10 {
				text += c.any("firecrawl_scrape", fmt.Sprintf(`{"url":"https://list.example/list/%d","formats":["markdown"],"onlyMainContent":false}`, p))
			}
			return text
		}},
		{"an answer from a docs crawl", "it is 163 by default", func() string { return crawlByPeer(c) }},
		{"a table by schema", "Zone 12", func() string {
			return c.any("firecrawl_scrape", `{"url":"https://tariff.example/","formats":["json"],"jsonOptions":{"prompt":"the price of each zone","schema":`+
				tariffSchema+`}}`)
		}},
		{"a change that is watched for", "39 euros", func() string { return watchByPeer(c, &price) }},
		{"a page that instructs", "The lamp costs 49 euros", func() string { return page("https://evil.example/") }},
		{"log in and read", "The code of the door is 4711", func() string {
			page("https://club.example/")
			return c.any("firecrawl_interact", `{"url":"https://club.example/","timeout":120,"code":`+quote(`await page.fill('[name=name]','ada'); `+
				`await page.fill('[name=password]','oats'); await page.click('button'); await page.waitForSelector('a'); await page.innerText('body')`)+`}`)
		}},
		{"fill a form", "Ordered: 3 sacks of Rye, express on", func() string {
			page("https://club.example/order")
			return c.any("firecrawl_interact", `{"url":"https://club.example/order","timeout":120,"code":`+quote(`await page.selectOption('select','Rye'); `+
				`await page.fill('[name=sacks]','3'); await page.check('[name=express]'); await page.click('button'); await page.innerText('body')`)+`}`)
		}},
	} {
		c.used, c.calls = 0, nil
		c.try("firecrawl_credit_usage", `{}`) // it must answer, also after a task that failed
		c.used, c.calls = 0, nil
		text := task.do()
		found := strings.Contains(text, task.want)
		t.Logf("%-28s %7d tokens in %d calls, found: %t", task.name, c.used, len(c.calls), found)
		if !found {
			t.Errorf("%s: %q is not found in %.3000s", task.name, task.want, text)
		}
	}
}

// any calls a tool, which may fail.
func (c *client) any(tool, arguments string) string {
	c.t.Helper()
	return textIn(c.try(tool, arguments))
}

func crawlByPeer(c *client) (text string) {
	c.t.Helper()
	began := c.any("firecrawl_crawl", `{"url":"https://docs.example/","sitemap":"skip","limit":100}`)
	id := uuidIn.FindString(began)
	if id == "" || strings.Contains(began, "completed") {
		return began
	}
	for range 1000 {
		if text = c.any("firecrawl_check_crawl_status", `{"id":"`+strings.Fields(id + " ?")[0]+`"}`); strings.Contains(text, "completed") {
			return text
		}
		c.used = 0 // a client that waits long enough looks once
	}
	return text
}

func watchByPeer(c *client, price *atomic.Int64) (text string) {
	c.t.Helper()
	made := c.any("firecrawl_monitor_create", `{"body":{"name":"lamp","schedule":{"text":"every 90 minutes"},"targets":[`+
		`{"type":"scrape","urls":["https://lamp.example/"]}]}}`)
	id := uuidIn.FindString(made)
	if id == "" {
		return made
	}
	for i := range 2 {
		price.Store(int64(39 * i))
		check := uuidIn.FindString(c.any("firecrawl_monitor_run", `{"id":"`+id+`"}`))
		for range 1000 {
			before := c.used
			if text = c.any("firecrawl_monitor_check", `{"id":"`+id+`","checkId":"`+check+`"}`); !strings.Contains(text, `"running"`) {
				break
			}
			c.used = before
		}
	}
	return text
}

var uuidIn = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f-]{21}`)
