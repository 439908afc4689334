package noise

import (
	"regexp"
	"strings"

	"github.com/winnow-go/winnow/engine/internal/tracking"
)

// maxAdBlocks is how many blocks an advertisement has behind its label.
const maxAdBlocks = 4

var (
	adLabel = regexp.MustCompile(`(?i)^[\s>*_\[\]()•–-]*(?:ad|ads|advert|advertisement|advertising|advertorial|sponsored(?:\s(?:content|post|links?|results?))?|promoted(?:\s(?:content|post))?|paid\scontent|` +
		`anzeigen?|werbung|gesponsert|publicité|sponsorisé|contenu\ssponsorisé|publicidad|patrocinado|anuncio|pubblicità|sponsorizzato|publicidade|advertentie|gesponsord|` +
		`реклама|reklama|reklam|annons|annonse|annonce|広告|广告|광고|スポンサー)[\s.:*_\[\]()•–-]*$`)
	adPrefix = regexp.MustCompile(`(?i)^[\s>*_\[(•-]*(?:\d+\.\s)?[*_\[(]*(?:ad|advertisement|sponsored|promoted|anzeige|werbung|gesponsert|publicité|sponsorisé|publicidad|patrocinado|pubblicità|sponsorizzato|реклама|広告|广告)` +
		`(?:\s(?:by|von|par|por|da)\s[^:·|]{1,40})?[\s*_\])]*[:·|—–]`)
	adNetwork = regexp.MustCompile(`(?i)//(?:[^/\s)]*\.)?(?:doubleclick\.net|googlesyndication\.com|googleadservices\.com|adservice\.google\.[a-z.]+|taboola\.com|outbrain\.com|criteo\.(?:com|net)|` +
		`amazon-adsystem\.com|adnxs\.com|adform\.net|rubiconproject\.com|pubmatic\.com|moatads\.com|ads?\d*\.[^/\s)]+|adserver\.[^/\s)]+)(?:/|\?|\))|/(?:adclick|aclk|ad/click|ads/click|click\.php\?ad)`)
	links     = regexp.MustCompile(`!?\[(?:[^\[\]]|!?\[[^\[\]]*\]\([^()]*\))*\]\([^()\s]*(?:\([^()]*\)[^()\s]*)*(?:\s+"[^"]*")?\)`)
	addressIn = regexp.MustCompile(`\]\(([^()\s]+)`)
	hostOf    = regexp.MustCompile(`(?i)^(?:https?:)?//([^/?#:]+)`)
)

// markAds finds the blocks that are advertisements, and names the rule of each.
func (p *page) markAds(off func(string) bool) {
	own := p.ownHost()
	for i := 0; i < len(p.blocks); i++ {
		b := &p.blocks[i]
		switch text := b.source; {
		case b.kind == tracking.Heading && adHeading.MatchString(text) && !off("ad/label"):
			i += p.markSection(i)
		case b.kind == tracking.Code:
		case adLabel.MatchString(strings.TrimLeft(text, "# ")) && !off("ad/label"):
			i += p.markLabelled(i, own)
		case adPrefix.MatchString(strings.TrimLeft(text, "# ")) && !precious(outsideLinks(text)) && len(text) < 600 && !off("ad/label"):
			b.ad = "ad/label"
		case b.kind != tracking.Heading && onlyLinks(text) && adNetwork.MatchString(text) && !off("ad/network"):
			b.ad = "ad/network"
		}
	}
}

// adHeading is a heading that says that what is below it is paid for.
var adHeading = regexp.MustCompile(`(?i)^#+\s[\s*_]*(?:(?:sponsored|promoted|paid|gesponserte?r?|beworbene?|werbe)\s?(?:\pL+\s?){1,3}|` +
	`(?:\pL+\s){1,2}(?:sponsorisée?s?|patrocinad[oa]s?|sponsorizzat[ioae]|gesponsord|promocionad[oa]s?))[\s*_]*$`)

// markSection marks a heading and the links below it, up to the next heading, with their prices. It returns how many.
func (p *page) markSection(at int) (n int) {
	p.blocks[at].ad = "ad/label"
	for n < maxAdSection && at+n+1 < len(p.blocks) {
		b := &p.blocks[at+n+1]
		if b.kind == tracking.Heading || b.kind == tracking.Code || !links.MatchString(b.source) ||
			len(wordsOutside(outsideLinks(b.source))) > maxBeside {
			break
		}
		b.ad = "ad/label"
		n++
	}
	return n
}

// maxAdSection is how many blocks below a heading are advertisements.
const maxAdSection = 12

// markLabelled marks a label and the blocks below it that can only be its advertisement: links to one other host. It returns how many.
func (p *page) markLabelled(at int, own string) (n int) {
	p.blocks[at].ad = "ad/label"
	host := ""
	for n < maxAdBlocks && at+n+1 < len(p.blocks) {
		b := &p.blocks[at+n+1]
		to := hostName(lastAddress(b.source))
		if b.kind == tracking.Heading || b.kind == tracking.Code || !onlyLinks(b.source) || to == "" || to == own || host != "" && to != host {
			break
		}
		host, b.ad = to, "ad/label"
		n++
	}
	return n
}

// minOwn is how many links to a host make it the page's own.
const minOwn = 4

// ownHost is the host that most links of a page lead to: "" where they are relative, or few.
func (p *page) ownHost() (own string) {
	counts := map[string]int{}
	for i := range p.blocks {
		for _, to := range addressIn.FindAllStringSubmatch(p.blocks[i].source, -1) {
			host := hostName(to[1])
			if counts[host]++; counts[host] > counts[own] || counts[host] == counts[own] && host < own {
				own = host
			}
		}
	}
	if counts[own] < minOwn {
		return ""
	}
	return own
}

func hostName(href string) string {
	if found := hostOf.FindStringSubmatch(href); found != nil {
		return strings.ToLower(found[1])
	}
	return ""
}

// lastAddress is that of the last link of a block: that of a picture in a link comes before.
func lastAddress(text string) string {
	all := addressIn.FindAllStringSubmatch(text, -1)
	if len(all) == 0 {
		return ""
	}
	return all[len(all)-1][1]
}

// onlyLinks reports a block that is nothing but links and pictures.
func onlyLinks(text string) bool {
	return links.MatchString(text) && strings.Trim(outsideLinks(text), " -*_>|·•,.0123456789)") == ""
}

func outsideLinks(text string) string { return links.ReplaceAllString(text, "") }
