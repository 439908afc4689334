package pageimage

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/model"

	"github.com/winnow-go/winnow/formats/document"
	"github.com/winnow-go/winnow/formats/document/internal/pdf/pdftest"
)

// endless is a file whose second page takes longer than anyone waits: a form that shows another ten times, twelve deep.
func endless() []byte {
	m := &pdftest.Maker{}
	root, tree := m.Reserve(), m.Reserve()
	form := m.Stream("/Type/XObject/Subtype/Form/BBox[0 0 612 792]", "0 0 m 612 792 l S")
	for range 12 {
		form = m.Stream(fmt.Sprintf("/Type/XObject/Subtype/Form/BBox[0 0 612 792]/Resources<</XObject<</F %d 0 R>>>>", form), strings.Repeat("/F Do ", 10))
	}
	first := m.Add("<</Type/Page/Parent %d 0 R/Contents %d 0 R>>", tree, m.Stream("", "1 0 0 rg 36 684 72 72 re f"))
	second := m.Add("<</Type/Page/Parent %d 0 R/Contents %d 0 R/Resources<</XObject<</F %d 0 R>>>>>>", tree, m.Stream("", "/F Do"), form)
	m.Set(tree, "<</Type/Pages/Count 2/Kids[%d 0 R %d 0 R]/MediaBox[0 0 612 792]>>", first, second)
	m.Set(root, "<</Type/Catalog/Pages %d 0 R>>", tree)
	return m.File(root, "")
}

func TestDraw_endsWithItsContext(t *testing.T) {
	f := open(t, sharedRenderer(t), endless())
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := f.Draw(ctx, 2, View{DPI: 10}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v", err)
	}
	if _, err := f.Draw(ctx, 1, View{DPI: 10}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("of a context that has ended: got %v", err)
	}
	picture, err := f.Draw(t.Context(), 1, View{DPI: 72})
	if err != nil || picture.RGBAAt(40, 40) != red {
		t.Errorf("the file is of no use any more: %v", err)
	}
}

// What was made before a context ended is not returned beside its error. Each of these contexts ends at another moment of the call.
func TestFile_eitherAResultOrAnError(t *testing.T) {
	f := open(t, sharedRenderer(t), boxes())
	for i := range 25 {
		ctx, cancel := context.WithTimeout(t.Context(), time.Duration(i)*200*time.Microsecond)
		if w, h, err := f.Size(ctx, 1); err != nil && w+h != 0 {
			t.Errorf("a size of %v by %v, and %v", w, h, err)
		}
		if picture, err := f.Draw(ctx, 1, View{DPI: 10}); (picture == nil) != (err != nil) {
			t.Errorf("a picture %t, and %v", picture != nil, err)
		}
		cancel()
	}
}

func TestDraw_endsWithTheTimeout(t *testing.T) {
	for timeout := 100 * time.Millisecond; ; timeout *= 2 { // until the machine opens the file in it
		f, err := bounded(t, Options{Timeout: timeout}).Open(t.Context(), endless(), "")
		if errors.Is(err, ErrTimeout) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { f.Close() })
		if _, err := f.Draw(t.Context(), 2, View{DPI: 10}); !errors.Is(err, ErrTimeout) {
			t.Errorf("got %v", err)
		}
		return
	}
}

func TestClose_endsTheCallsUnderWay(t *testing.T) {
	r := newRenderer(t, Options{AtOnce: 2})
	drawn := make(chan error)
	for range 2 {
		f := open(t, r, endless())
		go func() {
			_, err := f.Draw(context.Background(), 2, View{DPI: 10})
			drawn <- err
		}()
	}
	waiting := make(chan error)
	go func() {
		_, err := r.Open(context.Background(), boxes(), "")
		waiting <- err
	}()
	busy(r)
	if err := r.Close(); err != nil {
		t.Error(err)
	}
	for _, c := range []chan error{drawn, drawn, waiting} {
		if err := <-c; !errors.Is(err, ErrClosed) {
			t.Errorf("got %v", err)
		}
	}
	if _, err := r.Open(t.Context(), boxes(), ""); !errors.Is(err, ErrClosed) {
		t.Errorf("of a closed renderer: got %v", err)
	}
	if err := r.Close(); err != nil {
		t.Errorf("once more: %v", err)
	}
}

// busy waits until each open file has a call under way.
func busy(r *Renderer) {
	for {
		r.mu.Lock()
		n := 0
		for f := range r.files {
			n += len(f.busy)
		}
		r.mu.Unlock()
		if n == cap(r.slots) {
			return
		}
		time.Sleep(time.Millisecond)
	}
}

func TestOpen_waitsForASlot(t *testing.T) {
	r := bounded(t, Options{AtOnce: 1})
	first := open(t, r, boxes())
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := r.Open(ctx, boxes(), ""); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	second := make(chan error)
	go func() {
		f, err := r.Open(context.Background(), boxes(), "")
		if err == nil {
			err = f.Close()
		}
		second <- err
	}()
	if err := first.Close(); err != nil {
		t.Error(err)
	}
	if err := <-second; err != nil {
		t.Error(err)
	}
	if _, err := first.Draw(t.Context(), 1, View{}); !errors.Is(err, ErrClosed) {
		t.Errorf("of a closed file: got %v", err)
	}
	if err := first.Close(); err != nil {
		t.Errorf("once more: %v", err)
	}
	if _, err := r.Open(t.Context(), []byte("no PDF"), ""); err == nil || len(r.slots) != 0 {
		t.Errorf("got %v; a file that can't be opened keeps %d slots", err, len(r.slots))
	}
}

func TestOpen_encryptedFiles(t *testing.T) {
	r := sharedRenderer(t)
	body := pdftest.Rewritten(t, boxes(), model.NewAESConfiguration("open sesame", "owner", 256))
	for password, wrong := range map[string]bool{"": false, "open barley": true} {
		_, err := r.Open(t.Context(), body, password)
		if e, ok := errors.AsType[*document.EncryptedError](err); !ok || e.Wrong != wrong {
			t.Errorf("password %q: got %v", password, err)
		}
	}
	for password, body := range map[string][]byte{
		"open sesame": body, "of no use": boxes(), "not needed": pdftest.Rewritten(t, boxes(), model.NewAESConfiguration("", "owner", 128)),
	} {
		f, err := r.Open(t.Context(), body, password)
		if err != nil {
			t.Errorf("password %q: %v", password, err)
			continue
		}
		if picture, err := f.Draw(t.Context(), 1, View{DPI: 72}); err != nil || picture.RGBAAt(40, 40) != red {
			t.Errorf("password %q: %v", password, err)
		}
		f.Close()
	}
}

func TestOpen_whatIsNoPDF(t *testing.T) {
	r := sharedRenderer(t)
	for _, body := range []string{"", "no PDF", "%PDF-1.7\n", string(boxes()[:100])} {
		_, err := r.Open(t.Context(), []byte(body), "")
		if _, damaged := errors.AsType[*document.DamagedError](err); !damaged {
			t.Errorf("%.10q: got %v", body, err)
		}
	}
}

// What PDFium needs beyond Options.Memory stops its instance; the file goes on with a new one.
func TestDraw_memoryIsBounded(t *testing.T) {
	r := newRenderer(t, Options{Memory: 32 << 20})
	f := open(t, r, boxes())
	_, err := f.Draw(t.Context(), 1, View{DPI: 400}) // 60 MB
	if _, damaged := errors.AsType[*document.DamagedError](err); !damaged || !strings.Contains(err.Error(), "page 1") {
		t.Errorf("got %v", err)
	}
	if _, err := f.Draw(t.Context(), 1, View{DPI: 72}); err != nil {
		t.Error(err)
	}
	_, err = r.Open(t.Context(), make([]byte, 16<<20+1), "")
	if large, ok := errors.AsType[*document.TooLargeError](err); !ok || large.What != "bytes" || large.Limit != 16<<20 {
		t.Errorf("got %v", err)
	}
}

func TestRenderer_manyAtOnce(t *testing.T) {
	r := sharedRenderer(t)
	one := open(t, r, boxes())
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			f, err := r.Open(t.Context(), boxes(), "")
			if err != nil {
				t.Error(err)
				return
			}
			defer f.Close()
			for _, f := range []*File{f, one} {
				if picture, err := f.Draw(t.Context(), 1, View{DPI: 36}); err != nil || picture.RGBAAt(20, 20) != red {
					t.Errorf("%d: %v", i, err)
				}
			}
		})
	}
	all.Wait()
}

func TestNew_optionsOutOfRangeAreNamed(t *testing.T) {
	for want, o := range map[string]Options{
		"AtOnce is -1, want at least 1":                           {AtOnce: -1},
		"Memory is 1024, want 33554432 to 4294967296 bytes":       {Memory: 1024},
		"Memory is 5368709120, want 33554432 to 4294967296 bytes": {Memory: 5 << 30},
		"Pixels is -1, want at least 1":                           {Pixels: -1},
		"Timeout is -1s, want more than 0":                        {Timeout: -time.Second},
		"CacheDir: " + os.DevNull:                                 {CacheDir: os.DevNull},
	} {
		if _, err := New(o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}
