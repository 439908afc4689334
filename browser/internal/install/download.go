package install

import (
	"context"
	"crypto/sha512"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// npmPackage is one pinned package.
type npmPackage struct {
	name, version string
	integrity     string // "sha512-…"; "" takes what the registry's own document says
	size          int64  // about, for the progress before the registry has reported it
}

func (p npmPackage) String() string { return p.name + "@" + p.version }

// The longest silence of a registry, and the bounds of what is unpacked.
const (
	silence       = 30 * time.Second
	maxTarball    = 200 << 20
	maxUnpacked   = 600 << 20
	maxFiles      = 20_000
	maxDocument   = 4 << 20
	downloadTries = 3
)

// downloads gets packages from the npm registry that the machine's configuration names.
type downloads struct {
	cache     string
	getenv    func(string) string
	progress  func(step, detail string, done, total int64)
	npm       *registry // found when first needed
	transport *http.Transport
	http      *http.Client
}

// newDownloads has a transport of its own: the shared one would keep connections after close.
func newDownloads(cache string, getenv func(string) string, progress func(step, detail string, done, total int64)) *downloads {
	transport := &http.Transport{Proxy: http.ProxyFromEnvironment, ForceAttemptHTTP2: true, TLSHandshakeTimeout: silence}
	return &downloads{cache: cache, getenv: getenv, progress: progress, transport: transport, http: &http.Client{Transport: transport}}
}

// close ends the connections that are idle.
func (d *downloads) close() { d.transport.CloseIdleConnections() }

// unpackTo downloads a package and unpacks what keep accepts into a new folder at target. The folder appears whole or not at all.
// Before it appears, patch may change it.
func (d *downloads) unpackTo(ctx context.Context, step string, p npmPackage, target string, keep func(name string) bool,
	patch func(dir string) error) error {
	dir, err := os.MkdirTemp(d.cache, temporaryPrefix)
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	file, err := d.download(ctx, step, p, dir)
	if err != nil {
		return err
	}
	d.progress(step, "unpacking "+p.String(), 0, 0)
	content := filepath.Join(dir, "content")
	if err := unpack(ctx, file, content, keep); err != nil {
		return fmt.Errorf("unpack %s: %w", p, err)
	}
	if err := patch(content); err != nil {
		return err
	}
	if err := os.RemoveAll(target); err != nil {
		return err
	}
	return os.Rename(content, target)
}

// download fetches the tarball of a package into dir, checked against its hash. Transient failures are retried.
func (d *downloads) download(ctx context.Context, step string, p npmPackage, dir string) (string, error) {
	if d.npm == nil {
		d.npm = findRegistry(ctx, d.getenv)
	}
	var errs []error
	for try := range downloadTries {
		file, err := d.downloadOnce(ctx, step, p, dir)
		if err == nil || ctx.Err() != nil {
			return file, err
		}
		errs = append(errs, err)
		var status *statusError
		if errors.As(err, &status) && status.code < 500 && status.code != http.StatusTooManyRequests {
			break
		}
		if err := sleep(ctx, time.Duration(try)*500*time.Millisecond); err != nil {
			return "", err
		}
	}
	return "", fmt.Errorf("download %s: %w", p, errs[len(errs)-1])
}

func (d *downloads) downloadOnce(ctx context.Context, step string, p npmPackage, dir string) (string, error) {
	base := d.npm.base(p.name)
	_, short, found := strings.Cut(p.name, "/")
	if !found {
		short = p.name
	}
	address := fmt.Sprintf("%s/%s/-/%s-%s.tgz", base, p.name, short, p.version)
	if p.integrity == "" {
		var err error
		if address, p.integrity, err = d.lookUp(ctx, p); err != nil {
			return "", err
		}
	}
	file := filepath.Join(dir, "package.tgz")
	err := d.save(ctx, step, p, address, file)
	var status *statusError
	if errors.As(err, &status) && status.code == http.StatusNotFound {
		// Some registries keep tarballs elsewhere; the hash stays the pinned one.
		other, _, lookErr := d.lookUp(ctx, p)
		if lookErr == nil && other != address {
			err = d.save(ctx, step, p, other, file)
		}
	}
	return file, err
}

// lookUp reads the registry's document of a version: where its tarball is, and its hash.
func (d *downloads) lookUp(ctx context.Context, p npmPackage) (tarball, integrity string, err error) {
	body, err := d.get(ctx, d.npm.base(p.name)+"/"+strings.Replace(p.name, "/", "%2f", 1)+"/"+p.version)
	if err != nil {
		return "", "", err
	}
	defer body.Close()
	var document struct {
		Dist struct{ Tarball, Integrity string }
	}
	if err := json.NewDecoder(io.LimitReader(body, maxDocument)).Decode(&document); err != nil {
		return "", "", fmt.Errorf("read the registry's document of %s: %w", p, err)
	}
	if document.Dist.Tarball == "" || !strings.HasPrefix(document.Dist.Integrity, "sha512-") {
		return "", "", fmt.Errorf("the registry's document of %s names no tarball with a sha512", p)
	}
	return document.Dist.Tarball, document.Dist.Integrity, nil
}

// save streams an address into a file and checks its hash.
func (d *downloads) save(ctx context.Context, step string, p npmPackage, address, file string) error {
	body, err := d.get(ctx, address)
	if err != nil {
		return err
	}
	defer body.Close()
	f, err := os.Create(file)
	if err != nil {
		return err
	}
	defer f.Close()
	hash := sha512.New()
	total := body.length
	if total <= 0 {
		total = p.size
	}
	to := &progressWriter{progress: d.progress, step: step, detail: "downloading " + p.String(), total: total}
	n, err := io.Copy(io.MultiWriter(f, hash, to), io.LimitReader(body, maxTarball+1))
	switch {
	case err != nil:
		return err
	case n > maxTarball:
		return fmt.Errorf("%s is over %d bytes", p, maxTarball)
	}
	if got := "sha512-" + base64.StdEncoding.EncodeToString(hash.Sum(nil)); got != p.integrity {
		return fmt.Errorf("%s has the wrong hash: got %s, want %s", p, got, p.integrity)
	}
	return f.Close()
}

// statusError is an answer other than 200.
type statusError struct {
	address string
	code    int
}

func (e *statusError) Error() string {
	return fmt.Sprintf("%s answers %d %s", e.address, e.code, http.StatusText(e.code))
}

// download body that ends when the registry is silent for too long.
type timedBody struct {
	io.ReadCloser
	length int64
	timer  *time.Timer
	cancel context.CancelCauseFunc
	ctx    context.Context
}

func (b *timedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.timer.Reset(silence)
	if err != nil && !errors.Is(err, io.EOF) && b.ctx.Err() != nil {
		err = context.Cause(b.ctx)
	}
	return n, err
}

func (b *timedBody) Close() error {
	b.timer.Stop()
	err := b.ReadCloser.Close()
	b.cancel(nil)
	return err
}

func (d *downloads) get(ctx context.Context, address string) (*timedBody, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	timer := time.AfterFunc(silence, func() { cancel(fmt.Errorf("%s has been silent for %s", address, silence)) })
	stop := func(err error) error {
		timer.Stop()
		if cause := context.Cause(ctx); cause != nil {
			err = cause
		}
		cancel(nil)
		return err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, stop(err)
	}
	if auth := d.npm.authorization(address); auth != "" {
		request.Header.Set("Authorization", auth) // net/http drops it on a redirect to another host
	}
	response, err := d.http.Do(request)
	if err != nil {
		return nil, stop(err)
	}
	if response.StatusCode != http.StatusOK {
		_ = response.Body.Close()
		return nil, stop(&statusError{address, response.StatusCode})
	}
	return &timedBody{response.Body, response.ContentLength, timer, cancel, ctx}, nil
}

// progressWriter reports bytes, at most every 100 ms.
type progressWriter struct {
	progress     func(step, detail string, done, total int64)
	step, detail string
	done, total  int64
	last         time.Time
}

func (w *progressWriter) Write(p []byte) (int, error) {
	w.done += int64(len(p))
	if now := time.Now(); now.Sub(w.last) > 100*time.Millisecond || w.done == w.total {
		w.last = now
		w.progress(w.step, w.detail, w.done, w.total)
	}
	return len(p), nil
}

// sleep waits for d or until ctx ends.
func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
