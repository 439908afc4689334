package agent

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/winnow-go/winnow/engine/internal/drive"
	"github.com/winnow-go/winnow/engine/internal/toolloop"
	"github.com/winnow-go/winnow/llm"
)

// Tools give access to the web. The model sees an error, which costs a step, unless it is [Fatal] or ctx has ended.
// They check the egress policy; what is within reach is checked here.
type Tools interface {
	// Search returns hits for a query.
	Search(ctx context.Context, query string, limit int) (Hits, error)
	// Map lists pages of the site that the address is on, those about a text in front.
	Map(ctx context.Context, address, about string, limit int) (Hits, error)
	// Scrape reads a page. Its text has nothing that people don't see. [Page.Credits] count beside an error.
	Scrape(ctx context.Context, address string) (Page, error)
	// Interact opens a page and has the model operate it by [drive.Run]. [Interaction.Page] has the credits of it all, which
	// count beside an error.
	Interact(ctx context.Context, m llm.Model, address, goal string, o drive.Options) (Interaction, error)
}

// Hits are addresses, and what it cost to find them.
type Hits struct {
	List    []Hit
	Credits int
}

// Hit is an address with what is said of it.
type Hit struct{ URL, Title, Description string }

// Page is what a page says, as markdown, and where it was found in the end.
type Page struct {
	URL, Title, Text string
	// Credits that reading it has cost.
	Credits int
}

// Interaction is what work on a page came to; Page is how it was left.
type Interaction struct {
	drive.Outcome
	Page Page
}

// fatal is an error that ends the run.
type fatal struct{ error }

func (f fatal) Unwrap() error { return f.error }

// Fatal makes an error of [Tools] end the run.
func Fatal(err error) error { return fatal{err} }

// Bounds of what the model is shown and may ask for.
const (
	maxHits   = 10
	maxLinks  = 60
	maxView   = 60_000 // characters of a page
	maxKept   = 12     // pages that are kept to be read again
	maxAnswer = 100_000
	maxRead   = 2000 // tokens of what is taken out of a part of a text
)

const textSchema = `{"type":"string"}`

// tools are what the model is offered.
func (a *agent) tools() []toolloop.Tool {
	object := toolloop.Object
	list := []toolloop.Tool{
		toolloop.For("scrape", "Read a page as text.", object(map[string]string{"url": textSchema}), a.scrape),
		toolloop.For("extract", "Take something out of the whole text of a page, however long, and put it into your notes.",
			object(map[string]string{"url": textSchema, "what": `{"type":"string","description":"what to take out, in a sentence"}`}), a.extract),
		toolloop.For("note", "Put a finding into your notes, with the URL of the page it is from.", object(map[string]string{"url": textSchema, "text": textSchema}), a.keep),
		toolloop.For("interact", "Open a page in a browser and reach a goal on it: fill forms, click, load more.",
			object(map[string]string{"url": textSchema, "goal": `{"type":"string","description":"what to do there, and what to report"}`}), a.interact),
		toolloop.For("done", "End the work: with the answer, or with success false and the reason.",
			object(map[string]string{"answer": textSchema, "success": `{"type":"boolean"}`}, "success"), a.done),
	}
	if !a.o.Strict {
		list = append(list, toolloop.For("map", "List the pages of the site that a URL is on, those about a text in front.",
			object(map[string]string{"url": textSchema, "about": textSchema}, "about"), a.list))
	}
	if a.o.Search && len(a.o.URLs) == 0 {
		list = append(list, toolloop.For("search", "Search the web.", object(map[string]string{"query": textSchema}), a.search))
	}
	return list
}

// failed reports an error to the model, unless it ends the run.
func failed(ctx context.Context, err error) (toolloop.Result, error) {
	if f, ok := errors.AsType[fatal](err); ok {
		return toolloop.Result{}, f.error
	}
	if ctx.Err() != nil {
		return toolloop.Result{}, context.Cause(ctx)
	}
	return toolloop.Result{Text: "It failed:", Said: toolloop.Clip(oneLine(err.Error()), 500), Failed: true}, nil
}

type searchArguments struct {
	Query string `json:"query"`
}

func (a *agent) search(ctx context.Context, args searchArguments) (toolloop.Result, error) {
	query := oneLine(args.Query)
	if query == "" || len(query) > 500 {
		return toolloop.Refuse("query must have 1 to 500 characters."), nil
	}
	hits, err := a.o.Tools.Search(ctx, query, maxHits)
	if err != nil {
		return failed(ctx, err)
	}
	a.pay(hits.Credits)
	for _, h := range hits.List {
		a.reach(h.URL)
	}
	return hitsResult("hits", hits.List), nil
}

func hitsResult(label string, hits []Hit) toolloop.Result {
	if len(hits) == 0 {
		return toolloop.Result{Text: "Nothing was found."}
	}
	var b strings.Builder
	for _, h := range hits {
		fmt.Fprintf(&b, "%s\n  %s\n  %s\n", h.URL, toolloop.Clip(oneLine(h.Title), 200), toolloop.Clip(oneLine(h.Description), 300))
	}
	return toolloop.Result{Text: fmt.Sprintf("Found %d.", len(hits)), Views: []toolloop.View{{Label: label, Text: b.String()}}}
}

type mapArguments struct {
	URL   string `json:"url"`
	About string `json:"about"`
}

func (a *agent) list(ctx context.Context, args mapArguments) (toolloop.Result, error) {
	a.now.URL = toolloop.Clip(args.URL, 2000)
	if err := a.within(args.URL); err != nil {
		return toolloop.Refuse("Refused: %v.", err), nil
	}
	found, err := a.o.Tools.Map(ctx, args.URL, toolloop.Clip(oneLine(args.About), 500), maxLinks)
	if err != nil {
		return failed(ctx, err)
	}
	a.pay(found.Credits)
	var hits []Hit
	for _, h := range found.List {
		if a.within(h.URL) == nil {
			hits = append(hits, h)
		}
	}
	return hitsResult("pages of the site", hits[:min(len(hits), maxLinks)]), nil
}

type urlArguments struct {
	URL string `json:"url"`
}

func (a *agent) scrape(ctx context.Context, args urlArguments) (toolloop.Result, error) {
	page, refused, err := a.read(ctx, args.URL)
	if err != nil {
		return failed(ctx, err)
	}
	if refused != nil {
		return *refused, nil
	}
	text := fmt.Sprintf("address: %s\ntitle: %q\n\n%s", page.URL, page.Title, page.Text)
	return toolloop.Result{Text: "Read the page.", Views: []toolloop.View{{Label: "page", Text: toolloop.Clip(text, maxView)}}}, nil
}

// read gives a page that is within reach, from the pages of this run if it is there.
func (a *agent) read(ctx context.Context, address string) (page Page, refused *toolloop.Result, err error) {
	a.now.URL = toolloop.Clip(address, 2000)
	if err := a.within(address); err != nil {
		return page, new(toolloop.Refuse("Refused: %v.", err)), nil
	}
	if page, ok := a.pages[address]; ok {
		a.saw(page)
		return page, nil, nil
	}
	if refused := a.full(); refused != nil {
		return page, refused, nil
	}
	page, err = a.o.Tools.Scrape(ctx, address)
	a.pay(page.Credits)
	if err != nil {
		return page, nil, err
	}
	a.state.Pages++
	if err := a.within(page.URL); err != nil {
		return Page{}, new(toolloop.Refuse("The page led to another site, and is not shown: %v.", err)), nil
	}
	a.remember(address, page)
	a.saw(page)
	return page, nil, nil
}

// full refuses another page when there have been as many as allowed.
func (a *agent) full() *toolloop.Result {
	if a.state.Pages < a.o.MaxPages {
		return nil
	}
	return new(toolloop.Refuse("The %d pages that are allowed are used up. Finish with what you have.", a.o.MaxPages))
}

// remember keeps a page to be read again.
func (a *agent) remember(address string, page Page) {
	page.Text = toolloop.Clip(page.Text, 2<<20)
	if _, known := a.pages[address]; !known {
		a.order = append(a.order, address)
	}
	a.pages[address] = page
	if len(a.order) > maxKept {
		delete(a.pages, a.order[0])
		a.order = a.order[1:]
	}
	a.visit(page.URL)
}

// saw notes for the step what the model saw.
func (a *agent) saw(page Page) {
	a.now.See(page.URL, page.Title, page.Text)
}

type extractArguments struct {
	URL  string `json:"url"`
	What string `json:"what"`
}

func (a *agent) extract(ctx context.Context, args extractArguments) (toolloop.Result, error) {
	what := oneLine(args.What)
	if what == "" || len(what) > 2000 {
		return toolloop.Refuse("Say in a sentence what to take out."), nil
	}
	page, refused, err := a.read(ctx, args.URL)
	if err != nil {
		return failed(ctx, err)
	}
	if refused != nil {
		return *refused, nil
	}
	parts, whole := toolloop.Parts(page.Text, a.o.Model)
	found, err := a.ask(ctx, what, parts)
	if err != nil {
		return toolloop.Result{}, err
	}
	said := ""
	if whole > len(parts) {
		said = fmt.Sprintf(" Of its %d parts the first %d were read.", whole, len(parts))
	}
	if found == "" {
		return toolloop.Result{Text: "The page has nothing of it." + said}, nil
	}
	if !a.note(page.URL, found) {
		return toolloop.Refuse("Your notes are full. Finish with what you have."), nil
	}
	return toolloop.Result{Text: "Noted:" + said, Said: toolloop.Clip(found, maxNote)}, nil
}

// ask puts a question about the parts of a text; "" is no answer.
func (a *agent) ask(ctx context.Context, what string, parts []string) (string, error) {
	found, err := llm.Each(ctx, 0, parts, func(ctx context.Context, _ int, part string) (string, error) {
		said, _, err := toolloop.Read(ctx, a.o.Model, what, part, maxRead, a.bound())
		return said, err
	})
	found = slices.DeleteFunc(found, func(said string) bool { return said == "" })
	return strings.Join(found, "\n"), err
}

type noteArguments struct {
	URL  string `json:"url"`
	Text string `json:"text"`
}

func (a *agent) keep(_ context.Context, args noteArguments) (toolloop.Result, error) {
	switch {
	case strings.TrimSpace(args.Text) == "":
		return toolloop.Refuse("text is empty."), nil
	case !a.visited(args.URL):
		return toolloop.Refuse("You have not read that page: read it before you note anything from it."), nil
	case !a.note(args.URL, strings.TrimSpace(args.Text)):
		return toolloop.Refuse("Your notes are full. Finish with what you have."), nil
	}
	a.now.URL = args.URL
	return toolloop.Result{Text: "Noted."}, nil
}

type interactArguments struct {
	URL  string `json:"url"`
	Goal string `json:"goal"`
}

func (a *agent) interact(ctx context.Context, args interactArguments) (toolloop.Result, error) {
	a.now.URL = toolloop.Clip(args.URL, 2000)
	if err := a.within(args.URL); err != nil {
		return toolloop.Refuse("Refused: %v.", err), nil
	}
	if args.Goal = strings.TrimSpace(args.Goal); args.Goal == "" || len(args.Goal) > 4000 {
		return toolloop.Refuse("goal must have 1 to 4000 characters."), nil
	}
	if refused := a.full(); refused != nil {
		return *refused, nil
	}
	got, err := a.o.Tools.Interact(ctx, a.o.Model, args.URL, args.Goal, a.driven())
	a.pay(got.Page.Credits)
	a.state.Pages++
	a.state.Steps += len(got.Steps)
	a.now.Actions, a.now.Incomplete = got.Actions, !got.Complete && len(got.Steps) > 0
	switch {
	case a.lost != nil:
		return toolloop.Result{}, a.lost
	case err != nil && !drive.Unfinished(err):
		return failed(ctx, err)
	}
	return a.reported(args.URL, got, err), nil
}

// reported is the result of operating a page for the model, which notes its output.
func (a *agent) reported(address string, got Interaction, err error) toolloop.Result {
	r := toolloop.Result{Text: fmt.Sprintf("Worked on the page for %d steps.", len(got.Steps)), Said: toolloop.Clip(got.Output, maxNote)}
	if err != nil {
		r.Text += fmt.Sprintf(" It ended early: %v.", err)
	}
	if got.Page.URL != "" && a.within(got.Page.URL) == nil {
		a.saw(got.Page)
		a.now.URL = address // where a replay begins
		a.remember(got.Page.URL, got.Page)
		text := fmt.Sprintf("address: %s\ntitle: %q\n\n%s", got.Page.URL, got.Page.Title, got.Page.Text)
		r.Views = []toolloop.View{{Label: "page", Text: toolloop.Clip(text, maxView)}}
	}
	if err == nil && got.Output != "" {
		a.note(address, got.Output)
	}
	return r
}

type doneArguments struct {
	Answer  string `json:"answer"`
	Success *bool  `json:"success"`
}

func (a *agent) done(_ context.Context, args doneArguments) (toolloop.Result, error) {
	a.answer = toolloop.Clip(strings.TrimSpace(args.Answer), maxAnswer)
	a.gaveUp = args.Success != nil && !*args.Success
	return toolloop.Result{Text: "ended", Done: true}, nil
}
