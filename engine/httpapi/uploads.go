package httpapi

import (
	"errors"
	"mime"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/winnow-go/winnow/engine"
)

const (
	uploadPath      = parsePath + "/upload"
	tokenName       = "token"
	longestFileName = 512
	longestMedia    = 255
	unknownUpload   = "no file was to be uploaded under this, or its time is over, or it was parsed"
)

// uploadBody tells where to send a file, and by what to parse it then.
type uploadBody struct {
	Success bool       `json:"success"`
	Data    uploadInfo `json:"data"`
}

type uploadInfo struct {
	UploadURL    string            `json:"uploadUrl"`
	UploadRef    string            `json:"uploadRef"`
	Method       string            `json:"method"`
	Headers      map[string]string `json:"headers"`
	ExpiresAt    *time.Time        `json:"expiresAt"`
	MaxSizeBytes int64             `json:"maxSizeBytes"`
}

// startUpload is POST /v2/parse/upload-url. Who has the URL needs no key, and can do nothing but send one file.
func (c *call) startUpload() error {
	var name, media string
	size := 0
	most := int(c.api.options.MaxFile)
	f := c.labels(fields{
		"filename":          text(&name, 1, longestFileName),
		"contentType":       text(&media, 0, longestMedia),
		"declaredSizeBytes": whole(&size, 1, most),
	})
	if err := c.body(f); err != nil {
		return err
	}
	if name == "" {
		return required("filename", "the name of the file")
	}
	if _, _, err := mime.ParseMediaType(media); media != "" && err != nil {
		return invalid("contentType", "want a media type")
	}
	if size == 0 {
		size = most
	}
	w, token, ref, err := c.api.shelf.give(c.caller, name, media, int64(size))
	if err != nil {
		return shelfProblem(err)
	}
	info := uploadInfo{
		UploadURL: c.statusURL(uploadPath, w.id) + "?" + url.Values{tokenName: {token}}.Encode(), UploadRef: ref,
		Method: http.MethodPut, Headers: map[string]string{}, ExpiresAt: stamp(w.expires), MaxSizeBytes: w.most,
	}
	if media != "" {
		info.Headers["Content-Type"] = media
	}
	return c.reply(uploadBody{true, info})
}

// uploader is who may send the file of a URL that has its token; nil: this is no such request, or not a right one.
func (a *api) uploader(r *http.Request) *waiting {
	id, ok := strings.CutPrefix(r.URL.Path, uploadPath+"/")
	token := r.URL.Query().Get(tokenName)
	if !ok || r.Method != http.MethodPut || token == "" {
		return nil
	}
	return a.shelf.withToken(id, token)
}

// receive is PUT /v2/parse/upload/{id}: by the token of the URL, or a key of the team. It is written to a file as it comes.
func (c *call) receive() error {
	id, err := c.id()
	if err != nil {
		return err
	}
	w := c.api.shelf.find(id)
	switch {
	case w == nil:
		return notFound(unknownUpload)
	case w.team != c.team:
		return errOtherTeam
	case c.r.ContentLength > w.most:
		return errTooLarge
	}
	if err := c.api.shelf.put(w, http.MaxBytesReader(c.w, c.r.Body, w.most)); err != nil {
		return shelfProblem(err)
	}
	return c.reply(doneBody{true})
}

// shelfProblem makes the answer of what went wrong with an upload.
func shelfProblem(err error) error {
	if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return errTooLarge
	}
	switch {
	case errors.Is(err, errManyUnparsed):
		return &problem{status: http.StatusTooManyRequests, code: codeUnparsed, text: "10 references of the last 24 hours weren't parsed by"}
	case errors.Is(err, errShelfFull):
		return &problem{status: http.StatusTooManyRequests, code: codeRateLimit, text: errShelfFull.Error(), wait: time.Minute}
	case errors.Is(err, errTaken):
		return &problem{status: http.StatusConflict, code: engine.CodeFinished, text: "the file is being uploaded, or was"}
	case errors.Is(err, errNotThere):
		const text = "uploadRef: the file wasn't uploaded yet"
		return &problem{status: http.StatusConflict, code: engine.CodeBadRequest, text: text, details: []issue{{Code: "invalid", Path: []any{"uploadRef"}, Message: text}}}
	case errors.Is(err, errOver):
		return notFound(unknownUpload)
	case errors.Is(err, os.ErrDeadlineExceeded):
		return errSlowBody
	}
	if _, ok := errors.AsType[*os.PathError](err); ok { // of this machine: an inner fault
		return err
	}
	return badForm("the body could not be read")
}

// referred takes the file that a JSON body refers to.
func (c *call) referred() (*upload, engine.ParseOptions, error) {
	var ref string
	var s engine.ScrapeOptions
	f := c.parseFields(&s)
	f["uploadRef"] = text(&ref, 1, longestFileName)
	if err := c.body(f); err != nil {
		return nil, engine.ParseOptions{}, err
	}
	o, err := c.parseOptions(&s)
	if err != nil {
		return nil, o, err
	}
	if ref == "" {
		return nil, o, required("uploadRef", "what upload-url gave, or a multipart/form-data body with the file")
	}
	w := c.api.shelf.withRef(ref)
	switch {
	case w == nil:
		return nil, o, notFound(unknownUpload)
	case w.team != c.team:
		return nil, o, errOtherTeam
	}
	file, err := c.api.shelf.take(w)
	if err != nil {
		return nil, o, shelfProblem(err)
	}
	return &upload{file: file.content(), name: w.name, media: knownMedia(w.media), close: file.close}, o, nil
}
