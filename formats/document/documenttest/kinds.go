package documenttest

import "fmt"

// kinds are the makes of pages.
var kinds = []kind{
	{name: "article", write: article},
	{name: "columns", write: columns},
	{name: "tables", write: tables},
	{name: "report", write: report},
	{name: "lists", write: lists},
	{name: "invoices", write: invoices},
	{name: "slides", landscape: true, write: slides},
	{name: "sidebar", write: sidebar},
	{name: "footnotes", write: footnotes},
	{name: "paper", write: paper},
}

// article is one column of text with headings, lists and now and then a table.
func article(s *sheet) {
	s.heading(1)
	s.paragraphs(2)
	for range s.between(2, 4) {
		s.heading(2)
		s.paragraphs(s.between(1, 3))
		if s.chance(40) {
			s.heading(3)
			s.paragraphs(2)
		}
		if s.chance(30) {
			s.list(1)
		}
		if s.chance(25) {
			s.table(false)
		}
		s.paragraphs(1)
	}
}

// inColumns sets what write adds in columns.
func (s *sheet) inColumns(n int, write func()) {
	class := fmt.Sprintf("c%d", s.IntN(1<<20))
	s.style(".%s{columns:%d;column-gap:%gem;text-align:%s;font-size:%gem}", class, n, one(s, 1.2, 1.6, 2, 2.5), one(s, "left", "justify"), 1.05-0.08*float64(n))
	s.style(".%s h2,.%s h3{font-size:1.15em;margin:.8em 0 .4em}.%s p{margin:%s}", class, class, class, one(s, "0 0 .7em", ".5em 0", "0 0 1em"))
	if s.chance(30) {
		s.style(".%s p{text-indent:1em;margin:0}", class)
	}
	if s.chance(30) {
		s.style(".%s{line-height:%g}", class, one(s, 0.9, 1.0))
	}
	s.within("div", class, write)
}

// columns is a title over two to four columns, on one page or several.
func columns(s *sheet) {
	s.heading(1)
	if s.chance(50) {
		s.paragraph(2)
	}
	s.inColumns(s.between(2, 4), func() {
		for range s.between(3, 7) {
			if s.chance(70) {
				s.heading(2)
			}
			s.paragraphs(s.between(2, 4))
		}
	})
	if s.chance(40) {
		s.paragraph(3)
	}
}

// tables has tables between paragraphs.
func tables(s *sheet) {
	s.heading(1)
	for range s.between(2, 3) {
		s.paragraph(3)
		s.table(false)
		s.paragraph(2)
	}
}

// report has chapters, each on a page of its own, with running headers and page numbers in the margins.
func report(s *sheet) {
	title := s.title()
	place, numbers := one(s, "top-left", "top-center", "top-right"), one(s, "bottom-center", "bottom-right", "top-right")
	if place == numbers {
		numbers = "bottom-left"
	}
	s.style(`@page{margin:25mm 20mm;@%s{content:%q;font-size:8pt}@%s{content:%s;font-size:8pt}}`, place, title, numbers,
		one(s, `counter(page)`, `"Page " counter(page)`, `"Page " counter(page) " of " counter(pages)`))
	s.style("h1{break-before:page}")
	numbered := s.chance(60)
	for i := range s.between(4, 8) {
		if numbered {
			s.add("<h1>Chapter %d</h1>", i+1)
		} else {
			s.heading(1)
		}
		s.paragraphs(s.between(3, 10))
		s.heading(2)
		s.paragraphs(2)
	}
}

// lists has lists in lists, with the bullets that the browser draws.
func lists(s *sheet) {
	s.heading(1)
	for range s.between(2, 4) {
		s.paragraph(2)
		s.list(3)
		if s.chance(50) {
			s.heading(2)
		}
	}
	s.paragraph(2)
}

// invoices has an invoice on each page: the same sender, another number, a table of items.
func invoices(s *sheet) {
	s.style("h1{font-size:1.6em}section{break-after:page}.to{margin:2em 0}.num{text-align:right}")
	s.style("table.items{width:100%%;border-collapse:collapse}.items td,.items th{padding:.3em .5em;text-align:left;%s}",
		one(s, "border:1px solid #666", "border-bottom:1px solid #666", ""))
	s.style(".items td:nth-child(n+2),.items th:nth-child(n+2){text-align:right}")
	s.style(`@page{margin:25mm 20mm;@top-left{content:%q;font-size:9pt}@bottom-center{content:"Page " counter(page);font-size:8pt}}`, s.name()+" Limited")
	first := s.between(1000, 9000)
	for i := range s.between(3, 6) {
		s.within("section", "", func() {
			s.add("<h1>Invoice %d-%d</h1>", 2026, first+i)
			s.paragraph(1)
			s.within("table", "items", func() { s.invoiceRows() })
			s.paragraph(2)
		})
	}
}

func (s *sheet) invoiceRows() {
	s.add("<tr><th>Item</th><th>Number</th><th>Price</th><th>Sum</th></tr>")
	for range s.between(3, 9) {
		s.add("<tr><td>%s</td><td>%d</td><td>%s</td><td>%s</td></tr>", s.title(), s.between(1, 30), s.price(), s.price())
	}
}

// slides has a title and a few points on each page; some titles differ by a number only.
func slides(s *sheet) {
	s.style("section{break-after:page;font-size:1.6em}h1{font-size:1.7em}")
	s.style(`@page{margin:20mm;@bottom-left{content:%q;font-size:8pt}@bottom-right{content:counter(page);font-size:8pt}}`, s.title())
	for i := range s.between(4, 9) {
		s.within("section", "", func() {
			if s.chance(40) {
				s.add("<h1>Step %d</h1>", i+1)
			} else {
				s.heading(1)
			}
			if s.chance(70) {
				s.list(2)
			} else {
				s.paragraph(2)
			}
		})
	}
}

// sidebar has a narrow column of notes beside the text.
func sidebar(s *sheet) {
	s.style(".page{display:flex;gap:%gem}.main{flex:3}.side{flex:1;font-size:%gem;%s}", one(s, 1.5, 2.0, 3.0), one(s, 0.8, 0.9),
		one(s, "", "border:1px solid #999;padding:.6em", "background:#eee;padding:.6em"))
	s.heading(1)
	left := s.chance(50)
	side := func() { s.within("div", "side", func() { s.paragraphs(s.between(2, 3)) }) }
	s.within("div", "page", func() {
		if left {
			side()
		}
		s.within("div", "main", func() {
			for range s.between(2, 3) {
				s.heading(2)
				s.paragraphs(2)
			}
		})
		if !left {
			side()
		}
	})
}

// footnotes has one page with notes at its end, smaller and under a rule.
func footnotes(s *sheet) {
	s.style(".page{height:240mm;position:relative}.notes{position:absolute;bottom:0;left:0;right:0;border-top:1px solid #333;font-size:.8em}")
	s.within("div", "page", func() {
		s.heading(1)
		n := s.between(2, 4)
		for i := range n {
			s.add("<p>%s<sup>%d</sup> %s</p>", s.text(2), i+1, s.text(1))
		}
		s.within("div", "notes", func() {
			for i := range n {
				s.add("<p><sup>%d</sup> %s</p>", i+1, s.text(1))
			}
		})
	})
}

// paper is a title and abstract over two columns with numbered sections, lists and tables.
func paper(s *sheet) {
	s.style("h1{text-align:center}.abstract{margin:0 3em;font-size:.9em}")
	s.add("<h1>%s</h1>", s.title())
	s.within("div", "abstract", func() { s.paragraph(4) })
	s.inColumns(2, func() {
		for i := range s.between(3, 6) {
			s.add("<h2>%d %s</h2>", i+1, s.title())
			s.paragraphs(s.between(1, 3))
			if s.chance(30) {
				s.list(1)
			}
			if s.chance(30) {
				s.table(true)
			}
			if s.chance(30) {
				s.add("<h3>%d.1 %s</h3>", i+1, s.title())
				s.paragraphs(2)
			}
		}
	})
}
