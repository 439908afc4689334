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
	"github.com/winnow-go/winnow/engine/httpapi/internal/uploads"
	"github.com/winnow-go/winnow/engine/internal/decode"
)

const (
	uploadPath    = parsePath + "/upload"
	tokenName     = "token"
	maxFileName   = 512
	maxMedia      = 255
	unknownUpload = "there is no such upload: it has expired or was parsed, or never existed"
)

// uploadBody has where to send a file, and the reference to parse it with.
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

// handleStartUpload is POST /v2/parse/upload-url. Who has the URL needs no key, and can do nothing but send one file.
func handleStartUpload(c *call) error {
	var name, media string
	size := 0
	limit := int(c.api.options.MaxFile)
	f := c.labels(decode.Fields{
		"filename":          decode.Text(&name, 1, maxFileName),
		"contentType":       decode.Text(&media, 0, maxMedia),
		"declaredSizeBytes": decode.Whole(&size, 1, limit),
	})
	if err := c.body(f); err != nil {
		return err
	}
	if name == "" {
		return decode.Required("filename", "the name of the file")
	}
	if _, _, err := mime.ParseMediaType(media); media != "" && err != nil {
		return decode.Invalid("contentType", "want a media type")
	}
	if size == 0 {
		size = limit
	}
	u, token, ref, err := c.api.uploads.Issue(uploads.Owner{Team: c.team, Key: c.hash}, name, media, int64(size))
	if err != nil {
		return uploadProblem(err)
	}
	info := uploadInfo{
		UploadURL: c.statusURL(uploadPath, u.ID) + "?" + url.Values{tokenName: {token}}.Encode(), UploadRef: ref,
		Method: http.MethodPut, Headers: map[string]string{}, ExpiresAt: stamp(u.Expires), MaxSizeBytes: u.Max,
	}
	if media != "" {
		info.Headers["Content-Type"] = media
	}
	return c.reply(uploadBody{true, info})
}

// uploader is who may send the file of a URL that has its token; nil: this is no such request, or not a right one.
func (a *api) uploader(r *http.Request) *uploads.Upload {
	id, ok := strings.CutPrefix(r.URL.Path, uploadPath+"/")
	token := r.URL.Query().Get(tokenName)
	if !ok || r.Method != http.MethodPut || token == "" {
		return nil
	}
	return a.uploads.WithToken(id, token)
}

// handleReceive is PUT /v2/parse/upload/{id}: by the token of the URL, or a key of the team. It is written to a file as it comes.
func handleReceive(c *call) error {
	id, err := c.id()
	if err != nil {
		return err
	}
	u := c.api.uploads.Find(id)
	switch {
	case u == nil:
		return notFound(unknownUpload)
	case u.Team != c.team:
		return errOtherTeam
	case c.r.ContentLength > u.Max:
		return tooLarge("file", u.Max)
	}
	if err := c.api.uploads.Put(u, http.MaxBytesReader(c.w, c.r.Body, u.Max)); err != nil {
		return uploadProblem(err)
	}
	return c.reply(doneBody{true})
}

// uploadProblem makes the answer of what went wrong with an upload.
func uploadProblem(err error) error {
	if large, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return tooLarge("file", large.Limit)
	}
	switch {
	case errors.Is(err, uploads.ErrManyUnparsed):
		return refusal(codeUnparsed, "10 references of the last 24 hours were not used for parsing")
	case errors.Is(err, uploads.ErrFull):
		p := refusal(codeRateLimit, uploads.ErrFull.Error())
		p.wait = time.Minute
		return p
	case errors.Is(err, uploads.ErrTaken):
		return refusal(engine.CodeFinished, "the file is being uploaded or was uploaded already")
	case errors.Is(err, uploads.ErrNotUploaded):
		const text = "uploadRef: the file has not been uploaded yet"
		p := refusal(engine.CodeBadRequest, text, decode.Issue{Code: "invalid", Path: []any{"uploadRef"}, Message: text})
		p.status = http.StatusConflict
		return p
	case errors.Is(err, uploads.ErrExpired):
		return notFound(unknownUpload)
	case errors.Is(err, os.ErrDeadlineExceeded):
		return errSlowBody
	}
	if _, ok := errors.AsType[*os.PathError](err); ok { // of this machine: an internal error
		return err
	}
	return badForm("the body could not be read")
}

// referred takes the file that a JSON body refers to.
func referred(c *call) (*upload, engine.ParseOptions, error) {
	var ref string
	var s engine.ScrapeOptions
	f := c.labels(decode.ParseFields(&s, c.limits.ZeroDataRetention))
	f["uploadRef"] = decode.Text(&ref, 1, maxFileName)
	if err := c.body(f); err != nil {
		return nil, engine.ParseOptions{}, err
	}
	o, err := parseOptionsOf(c, &s)
	if err != nil {
		return nil, o, err
	}
	if ref == "" {
		return nil, o, decode.Required("uploadRef", "the reference from upload-url, or a multipart/form-data body with the file")
	}
	u := c.api.uploads.WithRef(ref)
	switch {
	case u == nil:
		return nil, o, notFound(unknownUpload)
	case u.Team != c.team:
		return nil, o, errOtherTeam
	}
	file, err := c.api.uploads.Take(u)
	if err != nil {
		return nil, o, uploadProblem(err)
	}
	return &upload{
		file: file.Content(), name: u.Name, media: knownMedia(u.Media), unused: unusedByFiles(&s), close: file.Discard,
	}, o, nil
}
