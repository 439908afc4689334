package work

import (
	"encoding/json"
	"fmt"

	"github.com/winnow-go/winnow/engine/internal/jobs"
	"github.com/winnow-go/winnow/engine/internal/packed"
	"github.com/winnow-go/winnow/llm"
)

// noteBucket: job, name → packed JSON: what a job keeps beside its record and pages.
const noteBucket = "jobs/notes"

// Names of notes that every job may have.
const (
	resultNote  = "result"  // Result
	warningNote = "warning" // text
	usageNote   = "usage"   // llm.Usage
	creditsNote = "credits" // of a job of a cluster, where it is worked on
)

// maxResult bounds what a job comes to, as JSON.
const maxResult = 16 << 20

// Result is what a job comes to that gives one answer. Its JSON stands in files.
type Result struct {
	Data json.RawMessage `json:"data"`
	// Warning of what a caller may not expect; it is kept under a name of its own.
	Warning string `json:"-"`
	// More is what the kind has beside the answer, such as sources.
	More json.RawMessage `json:"more,omitempty"`
}

// Notes are those that keep a result: a [Moment] has them. One that is too large is an error.
func (r Result) Notes() (map[string]any, error) {
	if size := len(r.Data) + len(r.More); size > maxResult {
		return nil, fmt.Errorf("the result has %d bytes, more than the %d that a job keeps", size, maxResult)
	}
	notes := map[string]any{resultNote: r}
	if r.Warning != "" {
		notes[warningNote] = r.Warning
	}
	return notes, nil
}

func noteKey(job, name string) []byte { return []byte(job + "\x00" + name) }

// Noted reads what a job keeps under a name into v, and reports whether there is any.
func (r *Runner) Noted(job, name string, v any) (found bool, err error) {
	err = r.o.DB.View(func(tx jobs.Tx) error {
		found, err = readNote(tx, job, name, v)
		return err
	})
	return found, err
}

// Result is what a job has come to so far, and whether there is any.
func (r *Runner) Result(job string) (result Result, found bool, err error) {
	found, err = r.Noted(job, resultNote, &result)
	return result, found, err
}

// Warning is that of a job's result, and whether there is any.
func (r *Runner) Warning(job string) (warning string, found bool, err error) {
	found, err = r.Noted(job, warningNote, &warning)
	return warning, found, err
}

// Usage is what models were asked for a job so far.
func (r *Runner) Usage(job string) (used llm.Usage, err error) {
	_, err = r.Noted(job, usageNote, &used)
	return used, err
}

func readNote(tx jobs.Tx, job, name string, v any) (found bool, err error) {
	data := tx.Get(noteBucket, noteKey(job, name))
	if data == nil {
		return false, nil
	}
	if err := packed.Into(data, v); err != nil {
		return false, err
	}
	return true, nil
}

func addUsage(tx jobs.Tx, job string, u llm.Usage) error {
	if u == (llm.Usage{}) {
		return nil
	}
	var sum llm.Usage
	if _, err := readNote(tx, job, usageNote, &sum); err != nil {
		return err
	}
	data, err := packed.Encode(sum.Plus(u))
	if err != nil {
		return err
	}
	return tx.Put(noteBucket, noteKey(job, usageNote), data)
}
