package formats

import "strings"

// types are the names of an item's types, without the vocabulary's address.
func (it *item) types() []string {
	list := jsonTexts(it.Type, 0)
	for i, t := range list {
		list[i] = t[strings.LastIndexAny(t, "/#:")+1:]
	}
	return list
}

// is reports whether an item is of one of the types.
func (it *item) is(match func(string) bool) bool {
	for _, t := range it.types() {
		if match(t) {
			return true
		}
	}
	return false
}

func isArticleType(t string) bool {
	return strings.HasSuffix(t, "Article") || strings.HasSuffix(t, "Posting") && t != "JobPosting" || t == "Report"
}

func isPageType(t string) bool { return strings.HasSuffix(t, "Page") }

// isThreadType reports the types of things whose answers belong to the content.
func isThreadType(t string) bool {
	return t == "DiscussionForumPosting" || t == "SocialMediaPosting" || t == "Question"
}

// thingTypes are the types of what a page is about, beside articles.
var thingTypes = names("Product", "ProductGroup", "Recipe", "Event", "Book", "Course", "Movie", "TVEpisode", "TVSeries", "PodcastEpisode", "MusicRecording", "MusicAlbum",
	"VideoObject", "JobPosting", "SoftwareApplication", "MobileApplication", "WebApplication", "SoftwareSourceCode", "Dataset", "HowTo", "Question", "Review",
	"CreativeWork", "ClaimReview", "Thesis", "Chapter", "Quiz", "Game", "VideoGame", "Service", "Place", "LocalBusiness", "Restaurant", "Hotel", "MedicalWebPage")

// subject is what the page of that title is about: its article, else its thing; nil when there is none, or several of which none names the
// page's address or title.
func (d *DOM) subject(title string) *item {
	items := d.linkedData()
	for _, match := range []func(string) bool{isArticleType, func(t string) bool { return thingTypes[t] }} {
		var found []*item
		for i := range items {
			if items[i].is(match) {
				found = append(found, &items[i])
			}
		}
		if len(found) == 1 {
			return found[0]
		}
		for _, it := range found {
			if d.isSelf(jsonText(it.MainEntityOfPage)) || d.isSelf(jsonText(it.URL)) || d.isSelf(jsonText(it.ID)) {
				return it
			}
		}
		for _, it := range found {
			if name := first(fold(jsonText(it.Headline)), fold(jsonText(it.Name))); name != "" && strings.HasPrefix(title, name) {
				return it
			}
		}
	}
	return nil
}

// isSelf reports whether an address is that of the page, whatever its fragment.
func (d *DOM) isSelf(address string) bool {
	if address == "" {
		return false
	}
	plain := func(s string) string {
		s, _, _ = strings.Cut(s, "#")
		return strings.TrimSuffix(s, "/")
	}
	return plain(d.absolute(address)) == plain(d.absolute(d.src.URL))
}

// webPage is what JSON-LD says of the page itself, nil when it says nothing.
func (d *DOM) webPage() *item {
	items := d.linkedData()
	for i := range items {
		if items[i].is(isPageType) {
			return &items[i]
		}
	}
	return nil
}
