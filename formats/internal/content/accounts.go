package content

import (
	"strings"

	"golang.org/x/net/html/atom"
)

// shortAsk is the number of words up to which a block with a link to a sign-in is nothing but the invitation to it.
const shortAsk = 20

// removeAccountLinks leaves out the short blocks that ask readers to sign in, to register or to look into their cart. The
// address of their link shows, in any language.
func (p *page) removeAccountLinks(stats []stat) {
	if p.kind == Documentation {
		return // which may be about such pages
	}
	for i := 0; i < len(p.nodes); i++ {
		p.steps.Visit()
		if p.out[i] {
			i = p.End(i) - 1
			continue
		}
		e := &p.nodes[i]
		if e.DataAtom != atom.A || !leadsToAccount(attr(e.Node, "href")) {
			continue
		}
		b := int(e.block)
		if s := &stats[b]; s.words <= shortAsk && s.h1 == 0 && s.headings == 0 && s.images == 0 && b != 0 && !heading(&p.nodes[b]) {
			p.out[b] = true
		}
		i = p.End(i) - 1
	}
}

// leadsToAccount reports an address of a sign-in, a registration or a cart.
func leadsToAccount(href string) bool {
	href, _, _ = strings.Cut(href, "#")
	href, _, _ = strings.Cut(href, "?")
	for segment := range strings.SplitSeq(href, "/") {
		name, _, _ := strings.Cut(segment, ".")
		if accountPaths[strings.ToLower(name)] {
			return true
		}
	}
	return false
}

// accountPaths are the path segments of such addresses, as software for sites names them.
var accountPaths = set(
	"login", "log-in", "signin", "sign-in", "sign_in", "signup", "sign-up", "sign_up", "register", "registration", "logout", "wp-login", "lostpassword", "lost-password",
	"cart", "basket", "checkout", "wishlist", "my-account", "myaccount", "anmelden", "registrieren", "warenkorb", "connexion", "inscription", "panier", "iniciar-sesion", "registro", "carrito",
)
