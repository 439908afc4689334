package trapsite

import (
	"fmt"
	"strconv"
	"strings"
)

const (
	plainLinks = 30 // in the text of a page
	plainNav   = 6
	stockSize  = 1 << 20
)

// stock is a long text in HTML that pages are cut out of. It can be cut at ends only: they lie between two blocks.
type stock struct {
	text string
	ends []int
}

func newStock(size int) stock {
	var s stock
	var b strings.Builder
	p := newProse(plainSeed, 0)
	for b.Len() < size {
		p.block(&b)
		s.ends = append(s.ends, b.Len())
	}
	s.text = b.String()
	return s
}

// block is one element of a text: mostly a paragraph, and whatever else articles have.
func (p prose) block(b *strings.Builder) {
	switch p.random.IntN(14) {
	case 0, 1:
		fmt.Fprintf(b, "<h2>%s</h2>\n", p.sentence())
	case 2:
		fmt.Fprintf(b, "<ul>\n<li>%s</li>\n<li>%s</li>\n<li><b>%s</b> %s</li>\n</ul>\n", p.sentence(), p.sentence(), p.word(), p.sentence())
	case 3:
		p.table(b)
	case 4:
		fmt.Fprintf(b, "<blockquote><p>%s</p></blockquote>\n", p.sentences(2))
	case 5:
		fmt.Fprintf(b, "<pre><code>%s := %s(%d)\nreturn %s\n</code></pre>\n", p.word(), p.word(), p.random.IntN(100), p.word())
	default:
		fmt.Fprintf(b, "<p>%s <em>%s</em> %s <strong>%s</strong> and <code>%s</code>. %s</p>\n",
			p.sentences(1+p.random.IntN(3)), p.word(), p.word(), p.word(), p.word(), p.sentences(1+p.random.IntN(3)))
	}
}

func (p prose) table(b *strings.Builder) {
	fmt.Fprintf(b, "<table><thead><tr><th>%s</th><th>%s</th></tr></thead><tbody>\n", p.word(), p.word())
	for range 2 + p.random.IntN(4) {
		fmt.Fprintf(b, "<tr><td>%s %s</td><td>%d</td></tr>\n", p.word(), p.word(), p.random.IntN(1000))
	}
	b.WriteString("</tbody></table>\n")
}

// write appends a page to b.
func (p *PlainSite) write(b []byte, page int) []byte {
	b = p.head(b, page)
	const foot = "</article></main>\n<footer><p>Printed on grey paper.</p></footer></body></html>\n"
	const linkSize = len("<p><a href=\"/p/1234\">word 1234</a> word word.</p>\n")
	start := len(b) + len(foot) + plainLinks*linkSize
	at := int(mix(uint64(page))%uint64(len(p.stock.ends)-1)) + 1 // where in the stock this page begins
	step := max(0, int(p.sizes[page])-start) / plainLinks        // bytes of text between two links
	debt := 0                                                    // bytes that are still to be written
	for i := range plainLinks {
		b = p.link(b, page, i)
		for debt += step; debt > 0; at++ {
			if at == len(p.stock.ends) {
				at = 1
			}
			block := p.stock.text[p.stock.ends[at-1]:p.stock.ends[at]]
			if len(block) > 2*debt { // nearer to the size without it
				break
			}
			b = append(b, block...)
			debt -= len(block)
		}
	}
	return append(b, foot...)
}

func (p *PlainSite) head(b []byte, page int) []byte {
	number := strconv.Itoa(page)
	b = append(b, `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Page `...)
	b = append(b, number...)
	b = append(b, `</title><meta name="description" content="Number `...)
	b = append(b, number...)
	b = append(b, " of many.\"></head><body>\n<nav><ul>"...)
	for i := range plainNav {
		b = append(b, `<li><a href="`...)
		b = append(b, plainPath(i%len(p.sizes))...)
		b = append(b, `">Part</a></li>`...)
	}
	b = append(b, "</ul></nav>\n<main><article><h1>Page "...)
	b = append(b, number...)
	return append(b, "</h1>\n"...)
}

// link is the i-th link of a page: first those to the pages that only this one leads to, then any.
func (p *PlainSite) link(b []byte, page, i int) []byte {
	random := mix(uint64(page)<<8 | uint64(i))
	to := page*plainFanout + i + 1
	if i >= plainFanout || to >= len(p.sizes) {
		to = int(random % uint64(len(p.sizes)))
	}
	b = append(b, `<p><a href="`...)
	b = append(b, plainPath(to)...)
	b = append(b, `">`...)
	b = append(b, words[random>>32%uint64(len(words))]...)
	b = append(b, ' ')
	b = strconv.AppendInt(b, int64(to), 10)
	b = append(b, "</a> "...)
	b = append(b, words[random>>40%uint64(len(words))]...)
	return append(b, ".</p>\n"...)
}

// mix is splitmix64: neighbors get unlike numbers.
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
