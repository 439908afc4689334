package main

import (
	"encoding/json"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/winnow-go/winnow/actions"
	"github.com/winnow-go/winnow/engine"
	"github.com/winnow-go/winnow/formats"
)

// formatNames are what completion offers; others have options and are given as JSON.
var formatNames = []string{
	"markdown", "html", "rawHtml", "links", "images", "screenshot", "summary", "product", "menu", "branding", "changeTracking", "audio", "video",
}

// formatFlags are the flags of what is made of a page or file.
type formatFlags struct {
	values           []string
	whole            bool
	include, exclude []string
}

func (f *formatFlags) declare(c *cobra.Command) {
	flags := c.Flags()
	flags.StringArrayVarP(&f.values, "format", "f", nil, `formats: names with commas between them (`+strings.Join(formatNames, ", ")+
		`), or one format with options as JSON, such as '{"type": "json", "prompt": "…"}'; again for further ones (default markdown)`)
	flags.BoolVar(&f.whole, "whole", false, "the whole page, not the main content alone")
	flags.StringSliceVar(&f.include, "include", nil, "CSS selectors of what is kept")
	flags.StringSliceVar(&f.exclude, "exclude", nil, "CSS selectors of what is removed")
	_ = c.RegisterFlagCompletionFunc("format", cobra.FixedCompletions(formatNames, cobra.ShellCompDirectiveNoFileComp))
}

// formats are those that were asked for.
func (f *formatFlags) formats() (list []formats.Format, err error) {
	for _, value := range f.values {
		if strings.HasPrefix(strings.TrimSpace(value), "{") {
			var one formats.Format
			if err := json.Unmarshal([]byte(value), &one); err != nil {
				return nil, wrong("--format %s: %w", value, err)
			}
			list = append(list, one)
			continue
		}
		for name := range strings.SplitSeq(value, ",") {
			list = append(list, formats.Format{Type: formats.Type(strings.TrimSpace(name))})
		}
	}
	if list == nil {
		list = []formats.Format{{Type: formats.Markdown}}
	}
	return list, nil
}

// mainContent is the engine's OnlyMainContent: nil leaves it to the engine.
func (f *formatFlags) mainContent() *bool {
	if f.whole {
		return new(false)
	}
	return nil
}

// pageFlags are the flags of how pages are got.
type pageFlags struct {
	formatFlags
	render, actions   string
	timeout, waitFor  time.Duration
	maxAge            time.Duration
	headers           []string
	mobile            bool
	country, language string
	flags             *pflag.FlagSet
}

func (f *pageFlags) declare(c *cobra.Command) {
	f.formatFlags.declare(c)
	f.flags = c.Flags()
	f.flags.StringVar(&f.render, "render", "auto", "auto, never or always in a browser")
	f.flags.DurationVar(&f.timeout, "timeout", time.Minute, "time for each page, 1s to 5m; installing a browser doesn't count")
	f.flags.DurationVar(&f.waitFor, "wait-for", 0, "time to wait after the page is ready, up to 1m")
	f.flags.DurationVar(&f.maxAge, "max-age", 0, "age of a page in --cache that will do; 0s: none (default 48h)")
	f.flags.StringArrayVar(&f.headers, "header", nil, "'Name: value' to send to the page's own site; again for further ones")
	f.flags.BoolVar(&f.mobile, "mobile", false, "the page as a phone shows it")
	f.flags.StringVar(&f.country, "country", "", "country that the page is shown, two letters")
	f.flags.StringVar(&f.language, "language", "", "language that the page is shown, such as de-CH")
	f.flags.StringVar(&f.actions, "actions", "", "file of actions on the page, a JSON list, before it is read")
	_ = c.RegisterFlagCompletionFunc("render", cobra.FixedCompletions([]string{"auto", "never", "always"}, cobra.ShellCompDirectiveNoFileComp))
}

// options are the engine's.
func (f *pageFlags) options() (o engine.ScrapeOptions, err error) {
	o = engine.ScrapeOptions{
		Render: engine.Render(f.render), Timeout: f.timeout, WaitFor: f.waitFor, Mobile: f.mobile,
		OnlyMainContent: f.mainContent(), IncludeTags: f.include, ExcludeTags: f.exclude,
	}
	if f.flags.Changed("max-age") {
		o.MaxAge = &f.maxAge
		if f.flags.Lookup("cache").Value.String() == "" {
			return o, wrong("--max-age needs --cache: without it no page is kept")
		}
	}
	if f.country != "" || f.language != "" {
		o.Location = &engine.Location{Country: f.country, Languages: nonEmpty(f.language)}
	}
	if o.Formats, err = f.formats(); err != nil {
		return o, err
	}
	if o.Headers, err = headersOf(f.headers); err != nil {
		return o, err
	}
	o.Actions, err = actionsOf(f.actions)
	return o, err
}

func nonEmpty(s string) []string {
	if s == "" {
		return nil
	}
	return []string{s}
}

func headersOf(lines []string) (map[string]string, error) {
	headers := map[string]string{}
	for _, line := range lines {
		name, value, ok := strings.Cut(line, ":")
		if !ok || strings.TrimSpace(name) == "" {
			return nil, wrong("--header %q: want 'Name: value'", name)
		}
		headers[strings.TrimSpace(name)] = strings.TrimSpace(value)
	}
	if len(headers) == 0 {
		return nil, nil
	}
	return headers, nil
}

func actionsOf(file string) ([]actions.Action, error) {
	if file == "" {
		return nil, nil
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, &usageError{err}
	}
	list, err := actions.Decode(data)
	if err != nil {
		return nil, wrong("--actions %s: %w", file, err)
	}
	return list, nil
}
