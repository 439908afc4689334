package filter

import (
	"cmp"
	"slices"
	"strings"
)

// pieceSize is how long the texts are that stand for rules. Shorter ones are in too many addresses, longer ones are too
// many.
const pieceSize = 4

// usualText is what ordinary addresses are made of. A piece of it stands for a rule only where the rule has no other.
const usualText = "https://www.a.com/.org/.net/.de/.co.uk/static/assets/images/image/img/css/style/styles/stylesheet.css?v=/js/javascript/script/" +
	"scripts.js?version=min.js/main.js/app.js/index.js/chunk.js/bundle.js/vendor.js/common.js/runtime.js/_next/.mjs/.json/.png/.jpg/.jpeg/" +
	".gif/.webp/.svg/.woff2/.ico/.php?id=/.html/.aspx/api/v1/v2/graphql/data/user/users/search/product/products/category/article/news/blog/" +
	"content/wp-content/plugins/themes/uploads/wp-includes/jquery/media/video/fonts/font/modules/components/page/pages/public/dist/build/" +
	"src/lib/libs/resources/files/file/upload/cdn-cgi/header/footer/loader/loading/download/avatar/thumbnail/thumb/icon/icons/logo/preview/" +
	"large/small/width=/height=/format=/quality=/resize=/?lang=en/de/session/account/login/cart/checkout/config/settings/events/list/item"

// coverOf returns pieces of which every rule has one, few rather than many. Each rule takes its piece that most rules have; those with
// the fewest to choose from come first.
func coverOf(rules []*rule) []string {
	pieces := make([][]string, len(rules))
	count := map[string]int{}
	for i, r := range rules {
		pieces[i] = piecesOf(r.pattern)
		for _, p := range pieces[i] {
			count[p]++
		}
	}
	slices.SortStableFunc(pieces, func(a, b []string) int { return cmp.Compare(len(a), len(b)) })
	chosen := map[string]bool{}
	for _, of := range pieces {
		if !slices.ContainsFunc(of, func(p string) bool { return chosen[p] }) {
			chosen[slices.MaxFunc(of, func(a, b string) int { return cmp.Compare(count[a], count[b]) })] = true
		}
	}
	cover := make([]string, 0, len(chosen))
	for p := range chosen {
		cover = append(cover, p)
	}
	slices.Sort(cover)
	return cover
}

// piecesOf returns the pieces of a pattern that may stand for it, each once; the longest text that it has where all are too short or
// too usual. A pattern without any text has the empty piece, which every address holds.
func piecesOf(p pattern) []string {
	var rare []string
	longest := ""
	for _, run := range literalRuns(p.glob) {
		if len(run) > len(longest) {
			longest = run
		}
		for at := 0; at+pieceSize <= len(run); at++ {
			if piece := run[at : at+pieceSize]; !strings.Contains(usualText, piece) {
				rare = append(rare, piece)
			}
		}
	}
	if len(rare) == 0 {
		return []string{longest}
	}
	slices.Sort(rare)
	return slices.Compact(rare)
}
