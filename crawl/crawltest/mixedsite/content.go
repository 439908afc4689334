package mixedsite

import (
	"encoding/json"
	"fmt"
)

// content is what scripts add to a page. They get it as JSON, as a piece of HTML, or as a document for a frame.
type content struct {
	Title string `json:"title,omitempty"`
	Text  string `json:"text,omitempty"`
	Price string `json:"price,omitempty"`
	Stock string `json:"stock,omitempty"`
	Items []item `json:"items"`
	More  string `json:"more,omitempty"` // the path of a page that nothing else leads to
}

type item struct {
	Name string `json:"name"`
	Text string `json:"text"`
	Note string `json:"note"`
}

// contentOf returns what scripts add to a page, or its server writes since they no longer do, and the own words in it. To other static
// pages they add nothing.
func (s *Site) contentOf(p *page) (content, []string) {
	c, pen := content{Items: []item{}}, newLatePen(s.o.Seed, p.id)
	if p.kind() == Static && !p.isInline() {
		return c, nil
	}
	switch p.of.adds {
	case anOffer:
		c.writeOffer(pen)
	case someItems:
		c.writeItems(pen)
	case aText:
		c.writeText(pen)
	case textAndItems:
		c.writeText(pen)
		c.writeItems(pen)
	}
	if p.leads != nil {
		c.More = p.leads.path
	}
	return c, pen.used
}

func (c *content) writeOffer(p *pen) {
	c.Price = fmt.Sprintf("EUR %d.%02d at %s", p.Number(900), p.Number(99), p.Name())
	c.Stock = fmt.Sprintf("%d pieces in %s", p.Number(40), p.Name())
}

func (c *content) writeText(p *pen) {
	c.Title = p.Phrase() + " " + p.Name()
	c.Text = p.Text(2 + p.Number(4))
}

func (c *content) writeItems(p *pen) {
	for range 3 + p.Number(5) {
		c.Items = append(c.Items, item{p.Name(), p.Sentence(), p.Phrase()})
	}
}

// JSON is the content for scripts. It has no letter that HTML or a script would have to escape.
func (c content) JSON() string {
	text, err := json.Marshal(c)
	if err != nil {
		panic("mixedsite: " + err.Error())
	}
	return string(text)
}
