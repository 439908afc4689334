package download

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"

	"github.com/playwright-community/playwright-go"

	"github.com/winnow-go/winnow/browser/internal/tab"
)

// chunk is how much of a file is read at once, in bytes.
const chunk = 1 << 20

// inputJS is a field for a file, which is part of no document.
const inputJS = `(() => { const field = document.createElement("input"); field.type = "file"; return field })()`

// sizeJS and chunkJS are methods of the field.
const (
	sizeJS  = `function() { return this.files.length ? this.files[0].size : -1 }`
	chunkJS = `async function(at, size) {
	const bytes = new Uint8Array(await this.files[0].slice(at, at + size).arrayBuffer());
	let text = "";
	for (let i = 0; i < bytes.length; i += 32768) text += String.fromCharCode.apply(null, bytes.subarray(i, i + 32768));
	return btoa(text);
}`
)

// tries is how often a file is read whose page loads another document meanwhile.
const tries = 3

// readInside reads a file that only the browser can see, through a field for files. It is in a world of its own, where no script of the
// page sees it.
func readInside(ctx context.Context, t *tab.Tab, d playwright.Download, limit int64) (data []byte, err error) {
	path, err := tab.Do(ctx, t, "find a download", d.Path)
	if err != nil {
		return nil, err
	}
	for range tries {
		var f field
		if f, err = newField(ctx, t, path); err == nil {
			data, err = f.read(ctx, limit)
		}
		if _, tooLarge := errors.AsType[*sizeError](err); err == nil || tooLarge || ctx.Err() != nil || t.Gone(err) {
			break
		}
	}
	return data, err
}

// field is one for files, with one file in it.
type field struct {
	tab    *tab.Tab
	object string
}

func newField(ctx context.Context, t *tab.Tab, path string) (f field, err error) {
	main, err := t.MainFrame(ctx)
	if err != nil {
		return f, err
	}
	f.tab = t
	world, err := f.send(ctx, "Page.createIsolatedWorld", map[string]any{"frameId": main, "worldName": tab.NewKey()})
	if err != nil {
		return f, err
	}
	made, err := f.send(ctx, "Runtime.evaluate", map[string]any{"expression": inputJS, "contextId": tab.Field(world, "executionContextId")})
	if err != nil {
		return f, err
	}
	f.object, _ = tab.Field(made, "result", "objectId").(string)
	_, err = f.send(ctx, "DOM.setFileInputFiles", map[string]any{"files": []any{path}, "objectId": f.object})
	return f, err
}

func (f field) read(ctx context.Context, limit int64) ([]byte, error) {
	answer, err := f.call(ctx, sizeJS)
	if err != nil {
		return nil, err
	}
	size := int64(tab.Number(answer))
	if size < 0 || size > limit {
		return nil, &sizeError{size, limit}
	}
	data := make([]byte, 0, size)
	for int64(len(data)) < size {
		answer, err := f.call(ctx, chunkJS, len(data), chunk)
		if err != nil {
			return nil, err
		}
		text, _ := answer.(string)
		part, err := base64.StdEncoding.DecodeString(text)
		if err != nil || len(part) == 0 || int64(len(data)+len(part)) > size {
			return nil, fmt.Errorf("read a download: %d of %d bytes are there: %w", len(data), size, errors.Join(err, errCut))
		}
		data = append(data, part...)
	}
	return data, nil
}

// errCut means that a file has changed meanwhile.
var errCut = errors.New("the file has changed")

// call runs a method of the field and returns its value.
func (f field) call(ctx context.Context, method string, values ...int) (any, error) {
	var arguments []any
	for _, v := range values {
		arguments = append(arguments, map[string]any{"value": v})
	}
	answer, err := f.send(ctx, "Runtime.callFunctionOn", map[string]any{
		"objectId": f.object, "functionDeclaration": method, "arguments": arguments, "awaitPromise": true, "returnByValue": true,
	})
	if err == nil && tab.Field(answer, "exceptionDetails") != nil {
		err = errors.New("the browser could not read the file")
	}
	return tab.Field(answer, "result", "value"), err
}

func (f field) send(ctx context.Context, method string, params map[string]any) (any, error) {
	return tab.Do(ctx, f.tab, "read a download", func() (any, error) { return f.tab.CDP.Send(method, params) })
}
