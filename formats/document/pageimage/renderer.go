package pageimage

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"sync"
	"time"

	"github.com/klippa-app/go-pdfium"
	"github.com/klippa-app/go-pdfium/webassembly"
	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"
)

// ErrClosed is returned for calls of a file or renderer that is closed, also of those that the closing has ended.
var ErrClosed = errors.New("pageimage: closed")

// ErrTimeout is returned for a call that took longer than Options.Timeout.
var ErrTimeout = errors.New("pageimage: Options.Timeout is over")

// Options bound what a renderer may cost. The zero value works.
type Options struct {
	// AtOnce is how many files may be open at once; Open waits until one is closed. Defaults to the number of processors.
	AtOnce int
	// Memory is what PDFium may take for one file, with the file itself and the picture, in bytes: 32 MiB to 4 GiB. Defaults to 512 MiB.
	Memory int64
	// Pixels is how many pixels a picture may have. Defaults to 40 million, which take 160 MB in PDFium, and as much again where a
	// picture is returned.
	Pixels int
	// Timeout bounds the time of one call. Defaults to 30 seconds.
	Timeout time.Duration
	// CacheDir is a folder for the machine code made of PDFium, some 22 MB. Defaults to "", which is none: each New makes it again, which
	// takes some five seconds of processor time instead of a tenth of one. The code is run as it is found: none but the user that runs
	// the program may be able to write there.
	CacheDir string
}

// The limits of Options.Memory.
const (
	minMemory     = 32 << 20
	maxMemory     = 4 << 30
	defaultMemory = 512 << 20
)

func (o Options) withDefaults() (Options, error) {
	o.AtOnce = cmp.Or(o.AtOnce, runtime.GOMAXPROCS(0))
	o.Memory = cmp.Or(o.Memory, defaultMemory)
	o.Pixels = cmp.Or(o.Pixels, 40_000_000)
	o.Timeout = cmp.Or(o.Timeout, 30*time.Second)
	switch {
	case o.AtOnce < 1:
		return o, fmt.Errorf("pageimage: AtOnce is %d, want at least 1", o.AtOnce)
	case o.Memory < minMemory || o.Memory > maxMemory:
		return o, fmt.Errorf("pageimage: Memory is %d, want %d to %d bytes", o.Memory, minMemory, int64(maxMemory))
	case o.Pixels < 1:
		return o, fmt.Errorf("pageimage: Pixels is %d, want at least 1", o.Pixels)
	case o.Timeout < 0:
		return o, fmt.Errorf("pageimage: Timeout is %v, want more than 0", o.Timeout)
	}
	return o, nil
}

// Renderer opens files whose pages it draws. It is safe for concurrent use. Its maker closes it.
type Renderer struct {
	options Options
	pool    pdfium.Pool
	cache   wazero.CompilationCache
	slots   chan struct{} // one for each open file

	closing context.Context // ends when Close is called
	close   context.CancelFunc
	mu      sync.Mutex
	files   map[*File]bool // that are open
}

// New makes a renderer. It compiles PDFium for this machine, which takes seconds if Options.CacheDir does not have the result. An error
// names the option that is wrong.
func New(o Options) (*Renderer, error) {
	o, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	r := idle(o)
	if r.cache, err = o.cache(); err != nil {
		return nil, fmt.Errorf("pageimage: CacheDir: %w", err)
	}
	if r.pool, err = webassembly.Init(r.config()); err != nil {
		return nil, fmt.Errorf("pageimage: %w", errors.Join(err, r.cache.Close(context.Background())))
	}
	return r, nil
}

// idle is a renderer that has no PDFium yet.
func idle(o Options) *Renderer {
	r := &Renderer{options: o, slots: make(chan struct{}, o.AtOnce), files: map[*File]bool{}}
	r.closing, r.close = context.WithCancel(context.Background())
	return r
}

func (o Options) cache() (wazero.CompilationCache, error) {
	if o.CacheDir == "" {
		return wazero.NewCompilationCache(), nil
	}
	return wazero.NewCompilationCacheWithDir(o.CacheDir)
}

// pageOfMemory is the unit in which WebAssembly counts memory.
const pageOfMemory = 64 << 10

// config gives PDFium no files: without a FSConfig the library would show it the whole disk.
func (r *Renderer) config() webassembly.Config {
	return webassembly.Config{
		Context:  experimental.WithCompilationWorkers(context.Background(), runtime.GOMAXPROCS(0)),
		MaxTotal: -1, // slots bound it
		FSConfig: wazero.NewFSConfig(), Stdout: io.Discard, Stderr: io.Discard,
		RuntimeConfig: wazero.NewRuntimeConfig().
			WithCoreFeatures(api.CoreFeaturesV2 | experimental.CoreFeaturesExceptionHandling). // for PDFium's setjmp
			WithCloseOnContextDone(true).
			WithMemoryLimitPages(uint32(r.options.Memory / pageOfMemory)).
			WithCompilationCache(r.cache),
	}
}

// Close ends the calls under way, waits for them, closes all files and gives everything back. Closing again does nothing.
func (r *Renderer) Close() error {
	r.mu.Lock()
	first := r.closing.Err() == nil
	r.close()
	files := make([]*File, 0, len(r.files))
	for f := range r.files {
		files = append(files, f)
	}
	r.mu.Unlock()
	for _, f := range files {
		_ = f.Close()
	}
	if !first {
		return nil
	}
	return errors.Join(r.pool.Close(), r.cache.Close(context.Background()))
}

// take waits for a slot and gives it to the file. A closed renderer has none.
func (r *Renderer) take(ctx context.Context, f *File) error {
	select {
	case r.slots <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	case <-r.closing.Done():
		return ErrClosed
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closing.Err() != nil {
		return ErrClosed
	}
	r.files[f] = true
	return nil
}

// free takes the slot back.
func (r *Renderer) free(f *File) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.files, f)
	<-r.slots
}

// within is ctx with the bounds of a call: Options.Timeout, and the end of the renderer.
func (r *Renderer) within(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, timeout := context.WithTimeoutCause(ctx, r.options.Timeout, ErrTimeout)
	ctx, cancel := context.WithCancelCause(ctx)
	stop := context.AfterFunc(r.closing, func() { cancel(ErrClosed) })
	return ctx, func() { stop(); timeout(); cancel(nil) }
}
