package engine

import (
	"context"
	"errors"
	"time"

	"github.com/winnow-go/winnow/actions"
	"github.com/winnow-go/winnow/browser"
	"github.com/winnow-go/winnow/engine/internal/drive"
	"github.com/winnow-go/winnow/formats"
)

// Bounds of what a model has done on a page: how long an element may take to be fit for a click, and a page to load.
const (
	driveElementTime = 5 * time.Second
	driveLoadTime    = 30 * time.Second

	driveAfterthought = 200 * time.Millisecond
)

// drivePage is a browser's page as a model operates it.
type drivePage struct {
	page     *browser.Page
	patience time.Duration // for an element; 0: driveElementTime
}

var _ drive.Page = drivePage{}

func (p drivePage) Snapshot(ctx context.Context, maxChars int) (drive.Snapshot, error) {
	s, err := p.page.Snapshot(ctx, browser.SnapshotOptions{MaxChars: maxChars})
	return drive.Snapshot{Text: s.Text, URL: s.URL, Title: s.Title}, err
}

func (p drivePage) Element(ctx context.Context, ref string) (drive.Element, error) {
	e, err := p.page.Element(ctx, ref)
	return drive.Element{
		Role: e.Role, Name: e.Name, Origin: e.Origin, URL: e.URL, Selector: e.Selector, ClickSelector: e.ClickSelector,
		Secret: e.Secret, Filled: e.Filled, OpensTab: e.OpensTab,
	}, unread(err)
}

func (p drivePage) Click(ctx context.Context, ref string) error {
	return unread(p.page.ClickRef(ctx, ref, orDefault(p.patience, driveElementTime)))
}

func (p drivePage) Focus(ctx context.Context, ref string) error {
	return unread(p.page.FocusRef(ctx, ref))
}

func (p drivePage) Select(ctx context.Context, ref, option string) error {
	return unread(p.page.SelectRef(ctx, ref, option))
}

func (p drivePage) Stay(ctx context.Context, ref string) error {
	_, err := p.page.StayRef(ctx, ref)
	return unread(err)
}

func (p drivePage) Scroll(ctx context.Context, ref string, up bool) error {
	if ref == "" {
		return p.page.Scroll(ctx, actions.ScrollOptions{Up: up, Timeout: driveElementTime})
	}
	return unread(p.page.ScrollRef(ctx, ref, up))
}

func (p drivePage) Type(ctx context.Context, text string) error { return p.page.Type(ctx, text) }

func (p drivePage) Press(ctx context.Context, key string) error { return p.page.Press(ctx, key) }

func (p drivePage) Wait(ctx context.Context, d time.Duration) error { return p.page.Wait(ctx, d) }

// Settle also waits for what a click has only asked for: on a busy machine a form is sent, or a link followed, after the page
// seemed quiet.
func (p drivePage) Settle(ctx context.Context) error {
	if _, err := p.page.WaitReady(ctx); err != nil {
		return err
	}
	if err := p.page.Wait(ctx, driveAfterthought); err != nil {
		return err
	}
	_, err := p.page.WaitReady(ctx)
	return err
}

// Goto loads an address. What doesn't load is no end of the page.
func (p drivePage) Goto(ctx context.Context, address string) error {
	_, err := p.page.Goto(ctx, address)
	_, failed := errors.AsType[*browser.NavigationError](err)
	if failed || errors.Is(err, browser.ErrDownload) || errors.Is(err, browser.ErrScheme) || errors.Is(err, browser.ErrTooLarge) {
		return drive.Tell(err)
	}
	return err
}

func (p drivePage) URL() string { return p.page.URL() }

func (p drivePage) Popup() string { return p.page.Popup() }

func (p drivePage) Text(ctx context.Context) (string, error) {
	html, err := p.page.Content(ctx)
	if err != nil {
		return "", err
	}
	return visibleText(ctx, html, p.page.URL())
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

// unread makes of a page that gave no answer in time one that the model is told of.
func unread(err error) error {
	if errors.Is(err, browser.ErrUnread) {
		return drive.Tell(err)
	}
	return err
}
