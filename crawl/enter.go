package crawl

import "context"

// Enter adds a page that was fetched elsewhere: it is claimed and ends in one transaction, whether its key is claimed already or not, and
// whatever the limit is. Of the Page, Found is left out. The caller enters each page once: InTx is for what it knows that by. Errors are
// those of Complete, ErrLeaseLost aside.
func (f *Frontier) Enter(ctx context.Context, found Found, attempts int, page Page) error {
	for _, result := range page.results() {
		if len(result) > maxResult {
			return ErrTooLarge
		}
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	return f.update(func(w *work) error {
		w.sequence++
		w.known++
		if err := w.appendAll(entry{Found: found, id: w.sequence}, attempts, page); err != nil {
			return err
		}
		return w.denyAll(page.Denied)
	})
}

// Admit undoes that URLs were denied, in one transaction with alongside. Those that are not among the denied change nothing.
func (f *Frontier) Admit(ctx context.Context, denied []Denied, alongside func(Tx) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return f.update(func(w *work) error {
		for _, d := range denied {
			if err := w.admit(reasonOf(d.Reason), d.URL); err != nil {
				return err
			}
		}
		return alongside(w.tx)
	})
}
