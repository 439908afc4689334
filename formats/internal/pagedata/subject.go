package pagedata

import (
	"strings"

	"github.com/winnow-go/winnow/formats/internal/nodes"
)

// types are the names of an item's types, without the vocabulary's address.
func (it *Item) types() []string {
	list := Texts(it.Type, 0)
	for i, t := range list {
		list[i] = t[strings.LastIndexAny(t, "/#:")+1:]
	}
	return list
}

// Is reports whether an item is of one of the types.
func (it *Item) Is(match func(string) bool) bool {
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

// IsThreadType reports the types of things whose answers belong to the content.
func IsThreadType(t string) bool {
	return t == "DiscussionForumPosting" || t == "SocialMediaPosting" || t == "Question"
}

// thingTypes are the types of what a page is about, beside articles.
var thingTypes = nodes.Names("Product", "ProductGroup", "Recipe", "Event", "Book", "Course", "Movie", "TVEpisode", "TVSeries", "PodcastEpisode", "MusicRecording", "MusicAlbum",
	"VideoObject", "JobPosting", "SoftwareApplication", "MobileApplication", "WebApplication", "SoftwareSourceCode", "Dataset", "HowTo", "Question", "Review",
	"CreativeWork", "ClaimReview", "Thesis", "Chapter", "Quiz", "Game", "VideoGame", "Service", "Place", "LocalBusiness", "Restaurant", "Hotel", "MedicalWebPage")

// Subject is what the page of that title is about: its article, else its thing; nil when there is none, or several of which none names the
// page's address, as isSelf says, or title.
func (d *Data) Subject(title string, isSelf func(string) bool) *Item {
	items := d.Linked()
	for _, match := range []func(string) bool{isArticleType, func(t string) bool { return thingTypes[t] }} {
		var found []*Item
		for i := range items {
			if items[i].Is(match) {
				found = append(found, &items[i])
			}
		}
		if len(found) == 1 {
			return found[0]
		}
		for _, it := range found {
			if isSelf(Text(it.MainEntityOfPage)) || isSelf(Text(it.URL)) || isSelf(Text(it.ID)) {
				return it
			}
		}
		for _, it := range found {
			if name := it.Title(); name != "" && strings.HasPrefix(title, name) {
				return it
			}
		}
	}
	return nil
}

// WebPage is what JSON-LD says of the page itself, nil when it says nothing.
func (d *Data) WebPage() *Item {
	items := d.Linked()
	for i := range items {
		if items[i].Is(isPageType) {
			return &items[i]
		}
	}
	return nil
}
