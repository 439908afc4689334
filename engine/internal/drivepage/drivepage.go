// Package drivepage makes a live page of a browser one that a model operates, a drive.Page: see [New]. It does not say what the
// model may do; package drive does.
package drivepage

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/winnow-go/winnow/actions"
	"github.com/winnow-go/winnow/browser"
	"github.com/winnow-go/winnow/engine/internal/drive"
	"github.com/winnow-go/winnow/formats"
)

const (
	elementTime  = 5 * time.Second // that an element may take to be fit for a click
	afterthought = 200 * time.Millisecond
)

// New is a tab as a model operates it. Patience is how long an element may take to be fit for a click; 0 is 5 s.
func New(tab *browser.Page, patience time.Duration) drive.Page {
	return page{tab: tab, patience: cmp.Or(patience, elementTime)}
}

type page struct {
	tab      *browser.Page
	patience time.Duration
}

func (p page) Snapshot(ctx context.Context, maxChars int) (drive.Snapshot, error) {
	s, err := p.tab.Refs().Snapshot(ctx, browser.SnapshotOptions{MaxChars: maxChars})
	return drive.Snapshot{Text: s.Text, URL: s.URL, Title: s.Title}, err
}

func (p page) Element(ctx context.Context, ref string) (drive.Element, error) {
	e, err := p.tab.Refs().Element(ctx, ref)
	return drive.Element{
		Role: e.Role, Name: e.Name, Origin: e.Origin, URL: e.URL, Selector: e.Selector, ClickSelector: e.ClickSelector,
		Secret: e.Secret, Filled: e.Filled, OpensTab: e.OpensTab,
	}, unread(err)
}

func (p page) Click(ctx context.Context, ref string) error {
	return unread(p.tab.Refs().Click(ctx, ref, p.patience))
}

func (p page) Focus(ctx context.Context, ref string) error {
	return unread(p.tab.Refs().Focus(ctx, ref))
}

func (p page) Select(ctx context.Context, ref, option string) error {
	return unread(p.tab.Refs().Select(ctx, ref, option))
}

func (p page) Stay(ctx context.Context, ref string) error {
	_, err := p.tab.Refs().Stay(ctx, ref)
	return unread(err)
}

func (p page) Scroll(ctx context.Context, ref string, up bool) error {
	if ref == "" {
		return p.tab.Scroll(ctx, actions.ScrollOptions{Up: up, Timeout: elementTime})
	}
	return unread(p.tab.Refs().Scroll(ctx, ref, up))
}

func (p page) Type(ctx context.Context, text string) error { return p.tab.Type(ctx, text) }

func (p page) Press(ctx context.Context, key string) error { return p.tab.Press(ctx, key) }

func (p page) Wait(ctx context.Context, d time.Duration) error { return p.tab.Wait(ctx, d) }

// Settle also waits for what a click has only asked for: on a busy machine a form is sent, or a link followed, after the page
// seemed quiet.
func (p page) Settle(ctx context.Context) error {
	if _, err := p.tab.WaitReady(ctx); err != nil {
		return err
	}
	if err := p.tab.Wait(ctx, afterthought); err != nil {
		return err
	}
	_, err := p.tab.WaitReady(ctx)
	return err
}

// Goto loads an address, from where the page is led on under the same judges as before. What doesn't load is no end of the page.
func (p page) Goto(ctx context.Context, address string) error {
	_, err := p.tab.GotoWith(ctx, address, browser.GotoOptions{Keep: true})
	_, failed := errors.AsType[*browser.NavigationError](err)
	if failed || errors.Is(err, browser.ErrDownload) || errors.Is(err, browser.ErrScheme) || errors.Is(err, browser.ErrTooLarge) {
		return drive.ForModel(err)
	}
	return err
}

func (p page) URL() string { return p.tab.URL() }

func (p page) Popup() string { return p.tab.Refs().Popup() }

func (p page) Text(ctx context.Context) (string, error) {
	html, err := p.tab.Content(ctx)
	if err != nil {
		return "", err
	}
	return visibleText(ctx, html, p.tab.URL())
}

// visibleText is what a document says to those who see it, as markdown.
func visibleText(ctx context.Context, html, address string) (string, error) {
	dom, err := formats.Parse(ctx, formats.Source{URL: address, Body: []byte(html), MediaType: "text/html"})
	if err != nil {
		return "", err
	}
	out, err := dom.Render(ctx, formats.Options{Formats: []formats.Type{formats.Markdown}, OnlyVisible: true, RemoveBase64Images: true})
	if err != nil {
		return "", err
	}
	return out.Markdown, nil
}

// unread makes of a page that gave no answer in time a failure that the model sees.
func unread(err error) error {
	if errors.Is(err, browser.ErrUnread) {
		return drive.ForModel(err)
	}
	return err
}
