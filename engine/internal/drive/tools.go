package drive

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/winnow-go/winnow/actions"
	"github.com/winnow-go/winnow/engine/internal/toolloop"
)

// Bounds of what the model may ask for.
const (
	maxTyped   = 5000
	maxOutput  = 100_000
	maxWait    = 10 * time.Second
	maxExtract = 6000 // characters of one answer about the page's text
	maxRead    = 1500 // tokens of an answer about a part of it
	selectAll  = "ControlOrMeta+A"
)

const (
	refSchema  = `{"type":"string","description":"a reference from the tree, such as e12"}`
	textSchema = `{"type":"string"}`
)

// tools are what the model can do.
func (d *drive) tools() []toolloop.Tool {
	object := toolloop.Object
	list := []toolloop.Tool{
		toolloop.For("click", "Click an element.", object(map[string]string{"ref": refSchema}), d.click),
		toolloop.For("type", "Type into a field; what it held before is replaced. Give either text or the name of a secret. With submit, Enter is pressed afterwards.",
			object(map[string]string{"ref": refSchema, "text": textSchema, "secret": textSchema, "submit": `{"type":"boolean"}`}, "text", "secret", "submit"), d.typeInto),
		toolloop.For("select", "Choose an option of a combobox or listbox that shows options.", object(map[string]string{"ref": refSchema, "option": textSchema}), d.choose),
		toolloop.For("press", "Press a key, such as Enter, Escape, Tab, ArrowDown or Control+A, for what has the focus.", object(map[string]string{"key": textSchema}), d.press),
		toolloop.For("scroll", "Scroll the window, or an element by ref, by its height.",
			object(map[string]string{"direction": `{"type":"string","enum":["up","down"]}`, "ref": refSchema}, "ref"), d.scroll),
		toolloop.For("wait", "Wait for what the page is still doing, up to 10000 milliseconds.", object(map[string]string{"milliseconds": `{"type":"integer"}`}), d.wait),
		toolloop.For("extract", "Read the whole text of the page and take something out of it.",
			object(map[string]string{"what": `{"type":"string","description":"what to take out, in a sentence"}`}), d.extract),
		toolloop.For("done", "End the work: with the answer, or with success false and the reason.",
			object(map[string]string{"output": textSchema, "success": `{"type":"boolean"}`}, "success"), d.done),
	}
	if d.o.Allow != nil {
		list = append(list, toolloop.For("goto", "Load an address in the page.", object(map[string]string{"url": textSchema}), d.load))
	}
	return list
}

type refArguments struct {
	Ref string `json:"ref"`
}

func (d *drive) click(ctx context.Context, a refArguments) (toolloop.Result, error) {
	return d.on(ctx, a.Ref, func(e Element) (string, error) {
		if e.URL != "" && d.refuses(e.URL) != nil {
			return "", refuse("the link leads to where you may not go: %w", d.refuses(e.URL))
		}
		if e.OpensTab {
			if err := d.page.Stay(ctx, a.Ref); err != nil {
				return "", err
			}
		}
		if err := d.page.Click(ctx, a.Ref); err != nil {
			return "", err
		}
		d.record(d.clickAs(e))
		return "clicked", nil
	})
}

type typeArguments struct {
	Ref    string  `json:"ref"`
	Text   *string `json:"text"`
	Secret string  `json:"secret"`
	Submit bool    `json:"submit"`
}

func (d *drive) typeInto(ctx context.Context, a typeArguments) (toolloop.Result, error) {
	if (a.Text == nil) == (a.Secret == "") {
		return toolloop.Refuse("Give either text or secret."), nil
	}
	return d.on(ctx, a.Ref, func(e Element) (string, error) {
		text, shown, err := d.textFor(a, e)
		if err != nil {
			return "", err
		}
		if err := d.enter(ctx, a, e, text); err != nil {
			return "", err
		}
		d.record(d.typeAs(e, shown, a.Submit))
		if a.Submit {
			return "typed, and pressed Enter,", nil
		}
		return "typed", nil
	})
}

// textFor returns the text to type, and how the step shows it.
func (d *drive) textFor(a typeArguments, e Element) (text, shown string, err error) {
	switch {
	case a.Secret != "":
		text, err = d.secret(a.Secret, e)
		return text, mark(a.Secret), err
	case len(*a.Text) > maxTyped:
		return "", "", refuse("the text is too long: at most %d characters", maxTyped)
	case strings.Contains(*a.Text, "<secret"): // it would stand for a secret in a replay
		return "", "", refuse("secrets are typed by the argument secret")
	case e.Secret && *a.Text != "":
		d.secrets.hide(*a.Text, typed)
		return *a.Text, typed, nil
	}
	if as, known := d.secrets.marks[*a.Text]; known {
		return *a.Text, as, nil
	}
	return *a.Text, d.redact(*a.Text), nil
}

// enter replaces what a field holds.
func (d *drive) enter(ctx context.Context, a typeArguments, e Element, text string) error {
	if err := d.page.Click(ctx, a.Ref); err != nil {
		if actions.ReasonOf(err) == "" || d.page.Focus(ctx, a.Ref) != nil {
			return err
		}
	}
	if e.Filled {
		if err := d.page.Press(ctx, selectAll); err != nil {
			return err
		}
		if text == "" {
			return d.page.Press(ctx, "Delete")
		}
	}
	if text != "" {
		if err := d.page.Type(ctx, text); err != nil {
			return err
		}
	}
	if a.Submit {
		return d.page.Press(ctx, "Enter")
	}
	return nil
}

type selectArguments struct {
	Ref    string `json:"ref"`
	Option string `json:"option"`
}

func (d *drive) choose(ctx context.Context, a selectArguments) (toolloop.Result, error) {
	return d.on(ctx, a.Ref, func(e Element) (string, error) {
		if err := d.page.Select(ctx, a.Ref, a.Option); err != nil {
			return "", err
		}
		d.record(d.selectAs(e, a.Option))
		return "chose an option of", nil
	})
}

type pressArguments struct {
	Key string `json:"key"`
}

func (d *drive) press(ctx context.Context, a pressArguments) (toolloop.Result, error) {
	act := actions.Action{Type: actions.Press, Key: a.Key}
	if err := actions.Validate([]actions.Action{act}, 0); err != nil {
		return toolloop.Refuse("%.40q is no key.", a.Key), nil
	}
	return d.act(ctx, func() (string, error) {
		d.record([]actions.Action{act}, true)
		return "pressed " + a.Key, d.page.Press(ctx, a.Key)
	})
}

type scrollArguments struct {
	Direction string `json:"direction"`
	Ref       string `json:"ref"`
}

func (d *drive) scroll(ctx context.Context, a scrollArguments) (toolloop.Result, error) {
	up := a.Direction == "up"
	if !up && a.Direction != "down" {
		return toolloop.Refuse("direction must be up or down."), nil
	}
	if a.Ref == "" {
		return d.act(ctx, func() (string, error) {
			d.record([]actions.Action{{Type: actions.Scroll, Direction: a.Direction}}, true)
			return "scrolled " + a.Direction, d.page.Scroll(ctx, "", up)
		})
	}
	return d.on(ctx, a.Ref, func(e Element) (string, error) {
		if err := d.page.Scroll(ctx, a.Ref, up); err != nil {
			return "", err
		}
		d.record([]actions.Action{{Type: actions.Scroll, Direction: a.Direction, Selector: e.Selector}}, e.Selector != "")
		return "scrolled " + a.Direction + " in", nil
	})
}

type waitArguments struct {
	Milliseconds int `json:"milliseconds"`
}

func (d *drive) wait(ctx context.Context, a waitArguments) (toolloop.Result, error) {
	pause := min(max(time.Duration(a.Milliseconds)*time.Millisecond, 0), maxWait)
	return d.act(ctx, func() (string, error) {
		d.record([]actions.Action{waitAs(pause)}, true)
		return fmt.Sprintf("waited %s", pause), d.page.Wait(ctx, pause)
	})
}

type extractArguments struct {
	What string `json:"what"`
}

// extract asks the model itself about the page's whole text, part by part.
func (d *drive) extract(ctx context.Context, a extractArguments) (toolloop.Result, error) {
	if a.What = strings.TrimSpace(a.What); a.What == "" || len(a.What) > 2000 {
		return toolloop.Refuse("Say in a sentence what to take out."), nil
	}
	text, err := d.page.Text(ctx)
	if err != nil {
		return d.failed(err)
	}
	parts, whole := toolloop.Parts(d.redact(text), d.model)
	r := toolloop.Result{Text: "From the page's text:", Views: d.views(), Changes: []toolloop.View{}}
	if whole > len(parts) {
		r.Text = fmt.Sprintf("From the first %d of %d parts of the page's text:", len(parts), whole)
	}
	found, err := d.ask(ctx, a.What, parts)
	if r.Said = toolloop.Clip(found, maxExtract); found == "" {
		r.Text += " nothing of it is there."
	}
	return r, err
}

// ask puts a question about the parts of a text; "" is no answer.
func (d *drive) ask(ctx context.Context, what string, parts []string) (string, error) {
	var found []string
	for _, part := range parts {
		said, used, err := toolloop.Read(ctx, d.model, what, part, maxRead, new(d.o.MaxTime-d.o.Now().Sub(d.began)))
		d.out.Usage = d.out.Usage.Plus(used)
		if err != nil {
			return "", err
		}
		if said != "" {
			found = append(found, said)
		}
	}
	return d.redact(strings.Join(found, "\n")), nil
}

type doneArguments struct {
	Output  string `json:"output"`
	Success *bool  `json:"success"`
}

func (d *drive) done(_ context.Context, a doneArguments) (toolloop.Result, error) {
	d.out.Output = toolloop.Clip(d.redact(a.Output), maxOutput)
	d.gaveUp = a.Success != nil && !*a.Success
	return toolloop.Result{Text: "ended", Done: true}, nil
}

type gotoArguments struct {
	URL string `json:"url"`
}

func (d *drive) load(ctx context.Context, a gotoArguments) (toolloop.Result, error) {
	if originOf(a.URL) == "" {
		return toolloop.Refuse("url must be an http or https address."), nil
	}
	if err := d.refuses(a.URL); err != nil {
		return toolloop.Refuse("You may not go there: %v.", err), nil
	}
	return d.act(ctx, func() (string, error) {
		d.record(gotoAs(a.URL), true)
		return "loaded the address", d.page.Goto(ctx, a.URL)
	})
}
