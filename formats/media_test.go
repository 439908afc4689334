package formats

import (
	"context"
	"slices"
	"strings"
	"testing"
)

func mediaOf(t *testing.T, page string) (audio, video []Medium) {
	t.Helper()
	out, err := mustParse(t, page, "text/html").Render(t.Context(), Options{Formats: []Type{Audio, Video}})
	if err != nil {
		t.Fatal(err)
	}
	return out.Audio, out.Video
}

func urls(list []Medium) string {
	var all []string
	for _, m := range list {
		all = append(all, m.Source+" "+m.Kind+" "+m.URL)
	}
	return strings.Join(all, "; ")
}

func TestMedia_whereTheyAreFound(t *testing.T) {
	const root = "https://example.com/" // of goldenURL
	cases := []struct{ name, page, audio, video string }{
		{"an element", `<audio src=/a.mp3></audio>`, "element file " + root + "a.mp3", ""},
		{"sources, each once", `<video><source src=/v.webm><source src=/v.mp4 type="video/mp4; codecs=x"><source src=/v.webm></video>`, "", "element file " + root + "v.webm; element file " + root + "v.mp4"},
		{"an audio file in a video element", `<video src=/a.ogg></video>`, "element file " + root + "a.ogg", ""},
		{"a stream", `<video src=/live.m3u8?t=1></video>`, "", "element stream " + root + "live.m3u8?t=1"},
		{"no address of the web", `<video src="blob:x"></video><audio src="javascript:x"></audio><audio src=""></audio>`, "", ""},
		{"open graph", `<meta property=og:video content=/p><meta property=og:video:type content=text/html><meta property=og:video content=/v.mp4><meta property=og:audio content=/a.mp3>`,
			"opengraph file " + root + "a.mp3", "opengraph embed " + root + "p; opengraph file " + root + "v.mp4"},
		{"json-ld", `<script type=application/ld+json>{"@graph":[{"@type":"PodcastEpisode","associatedMedia":{"@type":"MediaObject","contentUrl":"/e.mp3"}},{"@type":"Article","video":{"@type":"VideoObject","embedUrl":"https://player.example/1"}},{"@type":"ImageObject","contentUrl":"/i.png"}]}</script>`,
			"json-ld file " + root + "e.mp3", "json-ld embed https://player.example/1"},
		{"links", `<a href=/x.mp3>Listen</a><a href=/x.pdf>Read</a><a href=/y type=audio/mpeg>y</a><link rel=alternate type=audio/mpeg href=/z>`, "link file " + root + "x.mp3; link file " + root + "y", ""},
		{"twitter", `<meta name=twitter:player:stream content=/t.mp4>`, "", "twitter file " + root + "t.mp4"},
		{"nothing", `<p>The video element</p>`, "", ""},
	}
	for _, c := range cases {
		audio, video := mediaOf(t, c.page)
		if urls(audio) != c.audio || urls(video) != c.video {
			t.Errorf("%s: got %q and %q, want %q and %q", c.name, urls(audio), urls(video), c.audio, c.video)
		}
	}
}

func TestMedia_whatIsToldOfThem(t *testing.T) {
	_, video := mediaOf(t, `<video src=/v.mp4 poster=/p.jpg width=640 height=360px title=" A
	 film "></video><script type=application/ld+json>{"@type":"VideoObject","contentUrl":"/v.mp4","duration":"PT2M","description":"About oats"}</script>`)
	want := Medium{URL: "https://example.com/v.mp4", SourceURL: goldenURL, Source: "element", Kind: "file", Provider: "example.com", Title: "A film",
		Thumbnail: "https://example.com/p.jpg", Description: "About oats", Duration: "PT2M", MimeType: "video/mp4", Width: 640, Height: 360}
	if len(video) != 1 || video[0] != want {
		t.Errorf("got %+v, want %+v", video, want)
	}
}

func TestMedia_isBounded(t *testing.T) {
	var b strings.Builder
	for i := range 3 * maxMedia {
		b.WriteString("<a href=/" + strings.Repeat("a", i) + ".mp3>x</a>")
	}
	if audio, _ := mediaOf(t, b.String()); len(audio) != maxMedia {
		t.Errorf("got %d, want %d", len(audio), maxMedia)
	}
	deep := `<script type=application/ld+json>` + strings.Repeat(`{"video":`, 5000) + `{"contentUrl":"/v.mp4"}` + strings.Repeat("}", 5000) + `</script>`
	if _, video := mediaOf(t, deep); len(video) != 0 {
		t.Errorf("got %v from below the depth that is searched", video)
	}
}

func TestBest_prefersFiles(t *testing.T) {
	list := []Medium{{URL: "e", Kind: mediumEmbed}, {URL: "s", Kind: mediumStream}, {URL: "f", Kind: mediumFile}}
	if b := Best(list); b == nil || b.URL != "f" {
		t.Errorf("got %+v", b)
	}
	if Best(nil) != nil {
		t.Error("something of nothing")
	}
}

func TestEnclosures_ofAllFeeds(t *testing.T) {
	rss := `<?xml version="1.0"?><rss><channel><title>Show</title><link>/</link><atom:link rel="self" href="/feed"/>
<item><title>One &amp; only</title><enclosure url="/1.mp3" type="audio/mpeg" length="5"/><link>/one</link><media:content url="/1.mp3" type="audio/mpeg"/><media:content url="/1.mp4" type="video/mp4"/></item>
<item><link>/two</link><enclosure url="/2.pdf" type="application/pdf"/></item></channel></rss>`
	atom := `<feed xmlns="http://www.w3.org/2005/Atom"><link href="/"/><entry><link rel="enclosure" type="audio/ogg" href="/1.ogg"/><link href="/one"/><title>One &amp; only</title></entry></feed>`
	json := `{"home_page_url":"/","items":[{"url":"/one","title":"One & only","attachments":[{"url":"/1.m4a","mime_type":"audio/mp4","duration_in_seconds":90}]}]}`
	for name, c := range map[string]struct {
		body string
		want []string
	}{"rss": {rss, []string{"1.mp3", "1.mp4"}}, "atom": {atom, []string{"1.ogg"}}, "json": {json, []string{"1.m4a"}}, "broken": {rss[:strings.Index(rss, `<media:content url="/1.mp4"`)], []string{"1.mp3"}}, "none": {"<html>", nil}} {
		var got []string
		for _, e := range enclosures(t, []byte(c.body)) {
			got = append(got, strings.TrimPrefix(e.URL, "https://pod.example/"))
			if name != "broken" && (e.Page != "https://pod.example/one" || e.Home != "https://pod.example/" || e.Title != "One & only" || e.Source != "feed") {
				t.Errorf("%s: got %+v", name, e)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: got %v, want %v", name, got, c.want)
		}
	}
}

func FuzzEnclosures(f *testing.F) {
	f.Add([]byte(`<rss><item><enclosure url="/a.mp3" type="audio/mpeg"/><link>x</item>`))
	f.Add([]byte(`{"items":[{"attachments":[{"url":"/a.mp3","duration_in_seconds":1e99}]}]}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		for _, e := range enclosures(t, body) {
			if !isWeb(e.URL) || !IsMedia(e.MimeType) {
				t.Errorf("got %+v", e)
			}
		}
	})
}

func enclosures(t testing.TB, body []byte) []Enclosure {
	return ask(t, func(ctx context.Context) ([]Enclosure, error) {
		return Enclosures(ctx, "https://pod.example/feed", body)
	})
}
