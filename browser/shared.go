package browser

// Shared are browsers for several pools, which need not each start one. Pages of all pools have contexts of their own, as those of one
// pool have; what ends the browser ends the pages of all. It is safe for concurrent use.
type Shared struct{ browsers *browsers }

// NewShared makes browsers to be shared. Nothing is started yet: the first page of any pool does that. Of the options those count that
// concern the browser itself: see Options.Shared. Errors: *OptionError and *ArgError.
func NewShared(o Options) (*Shared, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	if o.Shared != nil {
		return nil, &OptionError{"Shared", "set", "nothing: these are to be shared themselves"}
	}
	return &Shared{newBrowsers(o.withDefaults())}, nil
}

// Pin is the certificate authority that all pages trust: see Options.Pin.
func (s *Shared) Pin() string { return s.browsers.opts.Pin }

// Close closes every browser, with the pages that are still open, and waits until no process, goroutine or temporary file is left. Pools
// that use them return ErrClosed from now on. It is safe to call twice.
func (s *Shared) Close() error { return s.browsers.close() }
