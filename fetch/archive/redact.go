package archive

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"mime"
	"mime/multipart"
	"net/url"
	"slices"
	"strings"
)

// Redacted stands for values that are not stored.
const Redacted = "(redacted)"

// secretHeaders are the headers whose values aren't stored.
var secretHeaders = []string{"Cookie", "Set-Cookie", "Set-Cookie2", "Authorization", "Proxy-Authorization"}

// maxForm bounds the bodies in which passwords are searched, in bytes. A longer form is redacted whole.
const maxForm = 1 << 20

// addressHeaders are those whose values are addresses.
var addressHeaders = []string{"Referer", "Location", "Content-Location"}

// redactHeader replaces the values of secret headers, and passwords in addresses.
func redactHeader(h Header) Header {
	out := append(Header{}, h...)
	for i, f := range out {
		is := func(name string) bool { return strings.EqualFold(f.Name, name) }
		switch {
		case slices.ContainsFunc(secretHeaders, is):
			out[i].Value = Redacted
		case slices.ContainsFunc(addressHeaders, is):
			out[i].Value = redactQuery(f.Value)
		}
	}
	return out
}

// isSecretField reports whether a form's field holds a password, by its name.
func isSecretField(name string) bool {
	name = strings.ToLower(name)
	return IsPassword(name) || strings.HasSuffix(name, "pass")
}

// passwordWords are in the names of fields that hold passwords.
var passwordWords = []string{"password", "passwd", "passphrase", "passcode", "pwd", "secret"}

// IsPassword reports whether a parameter of an address holds a password, by its name.
func IsPassword(name string) bool {
	name = strings.ToLower(name)
	return name == "pass" || slices.ContainsFunc(passwordWords, func(word string) bool { return strings.Contains(name, word) })
}

// RedactURL is an address as it is stored: without user name, and without the passwords of a form that is sent by GET.
func RedactURL(address string) string { return redactQuery(plainURL(address)) }

// redactQuery replaces the passwords in the parameters of an address, which may be relative.
func redactQuery(address string) string {
	address, fragment, hasFragment := strings.Cut(address, "#")
	path, query, _ := strings.Cut(address, "?")
	parts, found := strings.Split(query, "&"), false
	for i, part := range parts {
		name, _, ok := strings.Cut(part, "=")
		if plain, err := url.QueryUnescape(name); ok && err == nil && IsPassword(plain) {
			parts[i], found = name+"="+url.QueryEscape(Redacted), true
		}
	}
	if found {
		address = path + "?" + strings.Join(parts, "&")
	}
	if hasFragment {
		address += "#" + fragment
	}
	return address
}

// redactLine does the same to the first line of a request.
func redactLine(line string) string {
	method, rest, _ := strings.Cut(line, " ")
	target, version, ok := strings.Cut(rest, " ")
	if !ok {
		return line
	}
	return method + " " + redactQuery(target) + " " + version
}

// redactBody replaces the passwords in the body of a form: URL-encoded, multipart, or JSON, which scripts send under any media type. Other
// bodies are left as they are; what declares itself to be a form and can't be read as one is replaced whole.
func redactBody(mediaType string, body io.Reader) io.Reader {
	if body == nil {
		return nil
	}
	media, params, _ := mime.ParseMediaType(mediaType)
	redact := map[string]func([]byte, string) []byte{
		"application/x-www-form-urlencoded": redactURLEncoded, "multipart/form-data": redactMultipart, "application/json": redactJSON,
	}[media]
	if redact == nil {
		in := bufio.NewReader(body)
		if !beginsAsJSON(in) {
			return in
		}
		redact, body = redactJSON, in
	}
	form, err := io.ReadAll(io.LimitReader(body, maxForm+1))
	if err != nil {
		return io.MultiReader(strings.NewReader(Redacted), failing{err})
	}
	if len(form) == 0 {
		return bytes.NewReader(nil)
	}
	if len(form) > maxForm {
		return io.MultiReader(strings.NewReader(Redacted), discarding{body})
	}
	return bytes.NewReader(redact(form, params["boundary"]))
}

// beginsAsJSON reports whether an object or array follows.
func beginsAsJSON(in *bufio.Reader) bool {
	begin, _ := in.Peek(64)
	begin = bytes.TrimLeft(begin, " \t\r\n")
	return len(begin) > 0 && (begin[0] == '{' || begin[0] == '[')
}

// RedactText is a message of a websocket as it is stored: where it is JSON, without passwords.
func RedactText(message []byte) []byte {
	redacted, _ := io.ReadAll(redactBody("text/plain", bytes.NewReader(message))) // from memory it can't fail
	return redacted
}

// boundaryOf is what separates the parts of a form, which is another each time; "" for other media types.
func boundaryOf(mediaType string) string {
	media, params, _ := mime.ParseMediaType(mediaType)
	if media != "multipart/form-data" {
		return ""
	}
	return params["boundary"]
}

// requestDigest is the digest by which a request with a body is found: of the body, in a form of up to 1 MiB with one boundary for all.
func requestDigest(mediaType string, body io.Reader) Digest {
	boundary := boundaryOf(mediaType)
	if boundary == "" || body == nil {
		return payloadOf(body)
	}
	form, err := io.ReadAll(io.LimitReader(body, maxForm+1))
	if err != nil || len(form) > maxForm {
		return payloadOf(io.MultiReader(bytes.NewReader(form), body))
	}
	return payloadOf(bytes.NewReader(bytes.ReplaceAll(form, []byte(boundary), []byte("boundary"))))
}

// RequestDigests are the digests that an entry may have for a request with a body: of the body as it is, as it is redacted, and as a form
// whatever its boundary. Those of an empty body are the zero value.
func RequestDigests(mediaType string, body []byte) []Digest {
	redacted, _ := io.ReadAll(redactBody(mediaType, bytes.NewReader(body))) // from memory it can't fail
	if len(body) == 0 {
		return []Digest{{}}
	}
	return []Digest{digestOf(body), digestOf(redacted), requestDigest(mediaType, bytes.NewReader(redacted))}
}

// discarding reads another reader to its end and returns its error alone.
type discarding struct{ r io.Reader }

func (d discarding) Read([]byte) (int, error) {
	if _, err := io.Copy(io.Discard, d.r); err != nil {
		return 0, err
	}
	return 0, io.EOF
}

// failing is a reader that fails.
type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

// redactURLEncoded keeps the order and the spelling of all other fields.
func redactURLEncoded(form []byte, _ string) []byte {
	parts := strings.Split(string(form), "&")
	for i, part := range parts {
		name, _, ok := strings.Cut(part, "=")
		plain, err := url.QueryUnescape(name)
		if ok && (err != nil || isSecretField(plain)) {
			parts[i] = name + "=" + url.QueryEscape(Redacted)
		}
	}
	return []byte(strings.Join(parts, "&"))
}

func redactMultipart(form []byte, boundary string) []byte {
	var out bytes.Buffer
	w := multipart.NewWriter(&out)
	if w.SetBoundary(boundary) != nil {
		return []byte(Redacted)
	}
	parts := multipart.NewReader(bytes.NewReader(form), boundary)
	for {
		part, err := parts.NextRawPart()
		if err == io.EOF {
			break
		}
		if err != nil || copyPart(w, part) != nil {
			return []byte(Redacted)
		}
	}
	if w.Close() != nil {
		return []byte(Redacted)
	}
	return out.Bytes()
}

func copyPart(w *multipart.Writer, part *multipart.Part) error {
	to, err := w.CreatePart(part.Header)
	if err != nil {
		return err
	}
	var content io.Reader = part
	if isSecretField(part.FormName()) {
		content = strings.NewReader(Redacted)
	}
	_, err = io.Copy(to, content)
	return err
}

// redactJSON leaves a body without passwords as it is, byte for byte.
func redactJSON(form []byte, _ string) []byte {
	var v any
	d := json.NewDecoder(bytes.NewReader(form))
	d.UseNumber()
	if d.Decode(&v) != nil || d.More() {
		if isSecretField(string(form)) {
			return []byte(Redacted)
		}
		return form
	}
	if !redactValue(v) {
		return form
	}
	out, err := json.Marshal(v)
	if err != nil {
		return []byte(Redacted)
	}
	return out
}

// redactValue replaces passwords at any depth and reports whether there was one.
func redactValue(v any) (found bool) {
	switch v := v.(type) {
	case map[string]any:
		for name, field := range v {
			if isSecretField(name) {
				v[name], found = Redacted, true
			} else if redactValue(field) {
				found = true
			}
		}
	case []any:
		for _, item := range v {
			found = redactValue(item) || found
		}
	}
	return found
}
