package crawling

import (
	"context"

	"github.com/winnow-go/winnow/crawl"
	"github.com/winnow-go/winnow/crawl/scope"
	"github.com/winnow-go/winnow/engine/internal/work"
	"github.com/winnow-go/winnow/fetch/weburl"
)

// settle decides what a fetched page is to the crawl, and where it leads.
func (c *crawler) settle(ctx context.Context, item crawl.Item, v Visit, out work.Outcome) work.Outcome {
	if err := c.moved(ctx, item, v.URL); err != nil {
		return work.Outcome{Failed: err}
	}
	denied, err := c.leftOut(ctx, item, v.URL)
	if err != nil {
		return work.Outcome{Failed: err}
	}
	if denied != nil {
		out = silent(out, denied...)
	}
	if c.o.Links && (denied == nil || isSeed(item)) { // links of a seed that is no page of the crawl count all the same
		found, others := c.partitionLinks(ctx, item, v)
		out.Found, out.Denied = found, append(out.Denied, others...)
	}
	folded := c.fold(ctx, item, v, out)
	evidence := !folded.Silent || out.Silent
	return c.place(ctx, item.ID, c.learnt(ctx, item, v, folded, evidence)) // last: others are left out for what is taken here
}

// ledAway is what a page comes to that was led out of the crawl, or to where another page of it is.
func (c *crawler) ledAway(ctx context.Context, item crawl.Item, out work.Outcome) work.Outcome {
	if !out.Silent {
		return out // of a host that doesn't give its robots.txt
	}
	return c.learnt(ctx, item, Visit{}, out, true)
}

// leftOut returns why a page that was fetched is none of the crawl: it led elsewhere, or
// to a page that another has, or it is a seed that the patterns leave out. Nil: it is one.
func (c *crawler) leftOut(ctx context.Context, item crawl.Item, final string) ([]crawl.Denied, error) {
	judge := c.scope.Load()
	if isSeed(item) {
		if v := judge.Judge(scope.Link{URL: final}); v.Reason != "" {
			return []crawl.Denied{{Reason: string(v.Reason), URL: final}}, nil
		}
	} else if v := judge.JudgeRedirect(item.URL, final); v.Reason != "" {
		return []crawl.Denied{{Reason: string(v.Reason), URL: item.URL}}, nil
	}
	if final != item.URL && !c.allows(ctx, final) {
		return []crawl.Denied{{Reason: string(scope.RobotsTxt), URL: final}}, nil
	}
	key := judge.Key(final)
	if key == "" || key == item.Key {
		return nil, nil
	}
	own, err := c.line.Claim(ctx, item, final, key)
	if err != nil || own {
		return nil, err
	}
	return []crawl.Denied{}, nil // out, but not listed: its page is there
}

// silent makes an outcome that leaves no trace but what was denied, and costs nothing.
func silent(out work.Outcome, denied ...crawl.Denied) work.Outcome {
	out.Silent, out.Denied, out.Documents, out.Credits = true, denied, nil, 0
	return out
}

// partitionLinks parts a page's links that belong to the crawl from those that don't.
func (c *crawler) partitionLinks(ctx context.Context, item crawl.Item, v Visit) (found []crawl.Found, denied []crawl.Denied) {
	judge, file := c.scope.Load(), c.known(ctx, item.URL)
	for _, href := range v.Links {
		link := judge.Judge(scope.Link{URL: href, From: v.URL, Hops: item.Hops + 1})
		switch {
		case link.Reason != "":
			denied = append(denied, crawl.Denied{Reason: string(link.Reason), URL: href})
		case file != nil && weburl.Origin(link.URL) == weburl.Origin(item.URL) && !file.Allowed(c.o.Agent, link.URL):
			denied = append(denied, crawl.Denied{Reason: string(scope.RobotsTxt), URL: link.URL})
		default:
			found = append(found, crawl.Found{URL: link.URL, Key: link.Key, Hops: item.Hops + 1, From: v.URL})
		}
	}
	return found, denied
}
