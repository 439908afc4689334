package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/winnow-go/winnow/engine"
	"github.com/winnow-go/winnow/engine/doctor"
	"github.com/winnow-go/winnow/examples/internal/terminal"
)

// doctorFlags are what is examined, and how it is printed.
type doctorFlags struct {
	cache                 string
	json, silence, inside bool
}

// diagnosis is all that doctor prints, as JSON.
type diagnosis struct {
	Findings []doctor.Finding `json:"findings"`
	Silence  *doctor.Proof    `json:"silence,omitempty"`
}

func newDoctor(p *program) *cobra.Command {
	var f doctorFlags
	c := &cobra.Command{
		Use: "doctor [URL]", Short: "What this machine has and lacks for the engine; nothing is installed", Args: cobra.MaximumNArgs(1),
		Long: "Looks for driver and browser and renders a page with them, and for what else pages, files and sessions may need.\n" +
			"With --cache it opens that folder, with a URL it fetches that page. With --silence it records a small site, and scrapes it,\n" +
			"crawls it and drives a session on it from the recording, in a network namespace that leads nowhere where that is allowed.\n" +
			"The status is 5 where something is missing that pages need, 1 where something else is broken, or tried to leave.",
	}
	flags := c.Flags()
	flags.StringVar(&f.cache, "cache", "", "folder of a cache to check, too")
	flags.BoolVar(&f.json, "json", false, "print one object of JSON, for machines")
	flags.BoolVar(&f.silence, "silence", false, "prove that an engine on recordings contacts nothing")
	flags.BoolVar(&f.inside, "inside", false, "print the proof of the namespace that this process is in")
	_ = flags.MarkHidden("inside")
	return p.does(c, func(ctx context.Context, args []string) error {
		if f.inside {
			proof, err := doctor.Inside(ctx, doctor.Options{})
			return errors.Join(err, encoder(p.stdout).Encode(proof))
		}
		return p.diagnose(ctx, &f, args)
	})
}

// diagnose examines, prints what it finds, and returns the first error that matters.
func (p *program) diagnose(ctx context.Context, f *doctorFlags, urls []string) error {
	var all diagnosis
	var first error
	note := func(found doctor.Finding) {
		if found.Needed() && first == nil {
			first = fmt.Errorf("%s: %w", found.Name, found.Err)
		}
		if !f.json {
			fmt.Fprintln(p.stdout, line(found))
		}
	}
	findings, err := doctor.Examine(ctx, doctor.Options{Found: note})
	if err != nil {
		return err
	}
	if f.cache != "" {
		findings = append(findings, writes(ctx, f.cache))
		note(findings[len(findings)-1])
	}
	for _, url := range urls {
		findings = append(findings, reaches(ctx, url))
		note(findings[len(findings)-1])
	}
	if f.silence {
		all.Silence, err = p.prove(ctx, f)
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case err != nil: // there is nothing to prove without a browser, which is among the findings
			findings = append(findings, failing("silence", err))
			note(findings[len(findings)-1])
		case !all.Silence.Silent() && first == nil:
			first = errors.New("the proof of silence failed")
		}
	}
	if all.Findings = findings; f.json {
		return errors.Join(encoder(p.stdout).Encode(all), first)
	}
	return first
}

// prove runs the proof in a namespace of its own, or where there is none in this process.
func (p *program) prove(ctx context.Context, f *doctorFlags) (*doctor.Proof, error) {
	proof, err := doctor.Alone(ctx, "doctor", "--inside")
	if err != nil && ctx.Err() == nil {
		why := err.Error()
		if proof, err = doctor.Silence(ctx, doctor.Options{}); proof != nil {
			proof.Why = why
		}
	}
	if err != nil || f.json {
		return proof, err
	}
	for _, u := range proof.Uses {
		fmt.Fprintln(p.stdout, line(ofUse(u)))
	}
	state, text := "ok", "nothing tried to leave"
	if len(proof.Attempts) > 0 {
		state, text = "broken", "tried to leave: "+strings.Join(proof.Attempts, ", ")
	}
	if !proof.Namespace {
		text += "; there was no network namespace: " + terminal.OneLine(proof.Why)
	}
	fmt.Fprintf(p.stdout, "%-8s %-9s %s (counted: %s)\n", state, "silence", text, proof.How)
	return proof, nil
}

// ofUse is a use of a recording as a finding.
func ofUse(u doctor.Use) doctor.Finding {
	switch {
	case u.Error != "":
		return doctor.Finding{Name: u.Name, State: doctor.Broken, Text: u.Error}
	case u.Without != "":
		return doctor.Finding{Name: u.Name, State: doctor.Without, Text: u.Without}
	}
	return doctor.Finding{Name: u.Name, State: doctor.OK, Text: "of a recording"}
}

func line(f doctor.Finding) string {
	text := terminal.OneLine(f.Text)
	if f.Fix != "" {
		text += "; " + f.Fix
	}
	return fmt.Sprintf("%-8s %-9s %s", f.State, f.Name, text)
}

// failing is a finding that something needed doesn't work.
func failing(name string, err error) doctor.Finding {
	return doctor.Finding{Name: name, State: doctor.Broken, Text: err.Error(), Err: err}
}

// writes opens a cache, which takes it from no one: an engine that has it is an error.
func writes(ctx context.Context, dir string) doctor.Finding {
	e, err := engine.New(engine.Options{Dir: dir, Render: engine.RenderNever, ResumeJobs: new(false)})
	if err == nil {
		err = errors.Join(e.Ready(ctx), e.Close())
	}
	if err != nil {
		return failing("cache", err)
	}
	return doctor.Finding{Name: "cache", State: doctor.OK, Text: dir}
}

// reaches fetches a page by plain HTTP.
func reaches(ctx context.Context, url string) doctor.Finding {
	var doc *engine.Document
	e, err := engine.New(engine.Options{})
	if err == nil {
		doc, err = e.Scrape(ctx, url, engine.ScrapeOptions{Render: engine.RenderNever})
		err = errors.Join(err, e.Close())
	}
	if err != nil {
		return failing("network", err)
	}
	text := fmt.Sprintf("%s: status %d, %d bytes of markdown", doc.Metadata.URL, doc.Metadata.StatusCode, len(doc.Markdown))
	return doctor.Finding{Name: "network", State: doctor.OK, Text: text}
}
