package engine

import (
	"time"

	"github.com/winnow-go/winnow/engine/internal/openjson"
	"github.com/winnow-go/winnow/formats"
)

// Metadata describes a page and its scrape. In JSON the keys of both parts and
// every other meta tag of the page stand side by side; a key of the two parts wins
// over a meta tag of that name.
type Metadata struct {
	formats.Metadata
	Acquisition
}

// Acquisition describes how a page was acquired.
type Acquisition struct {
	// SourceURL is the URL exactly as it was asked for.
	SourceURL string `json:"sourceURL,omitempty"`
	// URL is where redirects ended.
	URL string `json:"url,omitempty"`
	// StatusCode is the page's HTTP status.
	StatusCode int `json:"statusCode,omitempty"`
	// ContentType is the page's own Content-Type header, or the sniffed type without one.
	ContentType string `json:"contentType,omitempty"`
	// ScrapeID identifies the scrape, a UUIDv7.
	ScrapeID string `json:"scrapeId,omitempty"`
	// Error is the reason phrase of a status of 400 or more.
	Error string `json:"error,omitempty"`
	// ProxyUsed is the tier that the page was got with: "basic", direct connections
	// included, or "stealth", the enhanced one.
	ProxyUsed string `json:"proxyUsed,omitempty"`
	// Timezone is what the page was shown, where a location was asked for.
	Timezone string `json:"timezone,omitempty"`
	// RenderedBy is "http" or "browser".
	RenderedBy string `json:"renderedBy,omitempty"`
	// RenderReason says why, and how sure that is.
	RenderReason string `json:"renderReason,omitempty"`
	// RenderConfidence is the probability, 0 to 1, that the choice in RenderReason is right: of a static page that a browser shows no more of
	// its text, of others that it does. It is calibrated on a mixed local site; see BenchmarkMixedSite. 0 where the request named the way.
	RenderConfidence float64 `json:"renderConfidence,omitempty"`
	// ReadyReason says why the browser's page was taken as ready.
	ReadyReason string `json:"readyReason,omitempty"`
	// BlockedBy names the wall (challenge, captcha, login) that the page shows instead of its
	// content; such a wall is reported, never solved.
	BlockedBy string `json:"blockedBy,omitempty"`
	// Incomplete says that something of the page is known to be missing: the time ran out, or the connection broke.
	Incomplete bool `json:"incomplete,omitempty"`
	// Handled says what was done about cookie banners and overlays.
	Handled string `json:"handled,omitempty"`
	// ConcurrencyLimited is true when the scrape had to wait in line.
	ConcurrencyLimited bool `json:"concurrencyLimited"`
	// ConcurrencyQueueDurationMs is how long it waited, in milliseconds.
	ConcurrencyQueueDurationMs int64 `json:"concurrencyQueueDurationMs"`
	// CacheState is "hit", "miss", or "bypass" where the cache was not used.
	CacheState string `json:"cacheState,omitempty"`
	// CachedAt is when the page was stored, or last vouched for by its site; nil for a fresh one.
	CachedAt *time.Time `json:"cachedAt,omitempty"`
	// SitemapLastModified and SitemapPriority are what a sitemap says of a page that a crawl
	// found by it; nil where none does.
	SitemapLastModified *time.Time `json:"sitemapLastModified,omitempty"`
	SitemapPriority     *float64   `json:"sitemapPriority,omitempty"`
	// NumPages is how many pages of a PDF, or slides, were read; TotalPages how many there are.
	NumPages   int `json:"numPages,omitempty"`
	TotalPages int `json:"totalPages,omitempty"`
	// TokensUsed are those of a language model that was called, input and output; ModelCost is their
	// price, where the model knows its prices.
	TokensUsed int     `json:"tokensUsed,omitempty"`
	ModelCost  float64 `json:"modelCost,omitempty"`
	// CreditsUsed is what the scrape costs.
	CreditsUsed int `json:"creditsUsed"`
}

// plainMetadata is Metadata as encoding/json sees it by itself.
type plainMetadata Metadata

// MarshalJSON writes all parts as one object.
func (m Metadata) MarshalJSON() ([]byte, error) { return openjson.Marshal(plainMetadata(m), m.Extra) }

// UnmarshalJSON reads what MarshalJSON wrote.
func (m *Metadata) UnmarshalJSON(data []byte) (err error) {
	var plain plainMetadata
	if plain.Extra, err = openjson.Unmarshal(data, &plain); err != nil {
		return err
	}
	*m = Metadata(plain)
	return nil
}
