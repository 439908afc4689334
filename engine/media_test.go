package engine

import (
	"net/http"
	"strings"
	"testing"

	"github.com/winnow-go/winnow/formats"
)

// podcast is a site whose pages don't name their sound, but whose feed does.
func podcast(w http.ResponseWriter, r *http.Request) {
	const feed = `<rss><channel><link>https://pod.example/</link>
<item><title>Two</title><link>https://pod.example/2</link><enclosure url="https://cdn.example/2.mp3" type="audio/mpeg"/></item>
<item><title>One</title><link>https://pod.example/1/</link><enclosure url="https://cdn.example/1.mp3" type="audio/mpeg"/></item></channel></rss>`
	w.Header().Set("Content-Type", "text/html")
	switch r.URL.Path {
	case "/feed":
		w.Header().Set("Content-Type", "application/rss+xml")
		w.Write([]byte(feed))
	case "/sound":
		w.Header().Set("Content-Type", "audio/mpeg")
		w.Write([]byte("ID3\x03\x00\x00\x00\x00\x00\x00"))
	case "/film":
		w.Write([]byte(`<title>Film</title><p>A film</p><video src=/a.mp4 title=A></video><video src=/b.mp4></video>`))
	case "/elsewhere":
		w.Write([]byte(`<link rel=alternate type=application/rss+xml href=https://granary.example/feed><p>Nothing here</p>`))
	case "/none":
		w.Write([]byte(`<p>No sound</p>`))
	default:
		w.Write([]byte(`<link rel=alternate type=application/rss+xml href=/feed><title>Show</title><p>Welcome to the show of ` + r.URL.Path + `</p>`))
	}
}

func TestScrape_audioAndVideo(t *testing.T) {
	e := cachingEngine(t, http.HandlerFunc(podcast), func(o *Options) { o.Hosts["pod.example"] = http.HandlerFunc(podcast) })
	want := func(types ...formats.Type) (o ScrapeOptions) {
		for _, f := range types {
			o.Formats = append(o.Formats, formats.Format{Type: f})
		}
		return o
	}
	for url, audio := range map[string]string{
		"https://pod.example/1":     "https://cdn.example/1.mp3", // as its feed's entry says, spelled a little otherwise
		"https://pod.example/2":     "https://cdn.example/2.mp3",
		"https://pod.example/":      "https://cdn.example/2.mp3", // the newest
		"https://pod.example/feed":  "https://cdn.example/2.mp3",
		"https://pod.example/sound": "https://pod.example/sound",
	} {
		for range 2 { // fetched, and by its kept output
			if doc := scrapeOK(t, e, url, want(formats.Audio)); doc.Audio != audio || doc.Metadata.CreditsUsed != 5 {
				t.Errorf("%s: got %q for %d credits, want %q for 5", url, doc.Audio, doc.Metadata.CreditsUsed, audio)
			}
		}
	}
	doc := scrapeOK(t, e, "https://pod.example/film", want(formats.Markdown, formats.Video))
	if doc.Video != "https://pod.example/a.mp4" || len(doc.Videos) != 2 || doc.Videos[0].Title != "A" || !strings.HasPrefix(doc.Markdown, "A film") {
		t.Errorf("got %+v", doc)
	}
	for url, code := range map[string]Code{"https://pod.example/none": CodeAudioUnsupported, "https://pod.example/7": CodeAudioUnsupported} {
		if _, err := e.Scrape(t.Context(), url, want(formats.Audio)); CodeOf(err) != code {
			t.Errorf("%s: got %v, want %s", url, err, code)
		}
	}
	if _, err := e.Scrape(t.Context(), "https://pod.example/1", want(formats.Video)); CodeOf(err) != CodeVideoUnsupported {
		t.Errorf("video: got %v, want %s", err, CodeVideoUnsupported)
	}
	if _, err := e.Scrape(t.Context(), "https://pod.example/sound", ScrapeOptions{}); CodeOf(err) != CodeUnsupportedFile {
		t.Errorf("markdown of a sound: got %v, want %s", err, CodeUnsupportedFile)
	}
}

func TestScrape_lockdownReadsNoFeed(t *testing.T) {
	e := cachingEngine(t, http.HandlerFunc(podcast), func(o *Options) { o.Hosts["pod.example"] = http.HandlerFunc(podcast) })
	scrapeOK(t, e, "https://pod.example/1", ScrapeOptions{})
	if err := e.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	var steps []string
	o := ScrapeOptions{Lockdown: true, Formats: []formats.Format{{Type: formats.Audio}}, OnStep: func(s Step) { steps = append(steps, s.Name) }}
	if _, err := e.Scrape(t.Context(), "https://pod.example/1", o); CodeOf(err) != CodeAudioUnsupported {
		t.Errorf("got %v, want %s", err, CodeAudioUnsupported)
	}
	for _, name := range steps {
		if name == "feed" || name == "fetch" {
			t.Errorf("the steps were %v", steps)
		}
	}
}
