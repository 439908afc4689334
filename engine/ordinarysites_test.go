package engine

import (
	"fmt"
	"strings"
	"time"
)

// Sites of which a crawl must lose nothing: pages of one template, lists, calendars and paths that look like traps.

// shop has products that differ in a name, a number and a price, listed page by page, by two parameters, and related to each other.
func (c *circles) shop() {
	const perPage, categories = 20, 5
	products := sized(1500)
	product := func(i int) string { return fmt.Sprintf("/product/%d", i%products) }
	list := func(category, page int) string { return fmt.Sprintf("/shop?category=%d&page=%d", category, page) }
	var start []string
	for category := range categories {
		start = append(start, list(category, 1))
		of := products / categories
		for page := 1; (page-1)*perPage < of; page++ {
			links := []string{"/"}
			for i := (page - 1) * perPage; i < min(page*perPage, of); i++ {
				links = append(links, product(category*of+i))
			}
			if page*perPage < of {
				links = append(links, list(category, page+1))
			}
			c.add(list(category, page), "All of it", fmt.Sprintf("Page %d", page), links...)
		}
	}
	for i := range products {
		c.add(product(i), fmt.Sprintf("Mug no. %d", i), fmt.Sprintf("Price %d.%02d. In stock. Dishwasher-safe.", i%7+3, i%100), product(i+1), product(i+2))
	}
	c.add("/", "Shop", "Mugs and more mugs.", start...)
}

// oldShop has products by two parameters, in pages that lead to the next, and say nothing but a number.
func (c *circles) oldShop() {
	items := sized(300)
	at := func(i int) string { return fmt.Sprintf("/item.php?cat=%d&id=%d", i/50, 1000+i) }
	for i := range items {
		c.add(at(i), "Article", fmt.Sprintf("Weight %d g, length %d mm, width %d mm.", 37*i+311, 11*i+57, 3*i+12), at(i+1))
	}
	c.real[at(items)] = pageOf("Article", "This is the last one of them.")
	c.add("/", "Old shop", "It has seen better days.", "/item.php?cat=0&amp;id=1000")
}

// diary is a real calendar, forwards and back from today, with an event in every fifth month only, on its page and nowhere else.
func (c *circles) diary() {
	now := time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)
	at := func(n int) string {
		t := now.AddDate(0, n, 0)
		return fmt.Sprintf("/diary/%d/%02d", t.Year(), t.Month())
	}
	months := sized(150)
	for n := -months; n <= months; n++ {
		text := "No events this month."
		if n%5 == 0 {
			text = "The " + someWords(at(n), 2) + " evening, with guests."
		}
		var links []string
		if n > -months {
			links = append(links, at(n-1))
		}
		if n < months {
			links = append(links, at(n+1))
		}
		c.add(at(n), now.AddDate(0, n, 0).Format("January 2006"), text, links...)
	}
	c.add("/", "Diary", "What there was, and will be.", at(0))
}

// blog has posts below dates, archives by month that list them, and a list that leads from page to page.
func (c *circles) blog() {
	const perPage = 10
	posts := sized(800)
	at := func(i int) string {
		return fmt.Sprintf("/%d/%02d/%s-%d", 2010+i/60, i/5%12+1, strings.ReplaceAll(someWords(fmt.Sprint(i), 3), " ", "-"), i)
	}
	list := func(page int) string { return fmt.Sprintf("/blog/page/%d", page) }
	months := map[string][]string{}
	for i := range posts {
		month := at(i)[:len("/2010/01")]
		months[month] = append(months[month], at(i))
		c.add(at(i), "Post "+fmt.Sprint(i), someWords(at(i), 50), list(1), month)
	}
	for month, links := range months {
		c.add(month, "Archive", "Posts of that month.", links...)
	}
	for page := 0; page*perPage < posts; page++ {
		var links []string
		for i := page * perPage; i < min((page+1)*perPage, posts); i++ {
			links = append(links, at(i))
		}
		if (page+1)*perPage < posts {
			links = append(links, list(page+1))
		}
		c.add(list(page), "Blog", "Newest first.", links...)
	}
	c.add("/", "Blog", "A blog.", list(0))
}

// manual has a hundred links of navigation on each page, and one sentence of its own.
func (c *circles) manual() {
	pages := sized(1000)
	at := func(i int) string { return fmt.Sprintf("/manual/%d/%d/%d", i/100, i/10%10, i%10) }
	for i := range pages {
		links := []string{"/"}
		for k := range 10 {
			for _, to := range []int{k * 100, i/100*100 + k*10, i/10*10 + k} {
				if to < pages {
					links = append(links, at(to))
				}
			}
		}
		c.add(at(i), "Manual", "See also: "+someWords(at(i), 4)+".", links...)
	}
	c.add("/", "Manual", "Begin here.", at(0))
}

// gallery has pages that differ in their picture only.
func (c *circles) gallery() {
	pictures := sized(300)
	at := func(i int) string { return fmt.Sprintf("/photo/%d", i) }
	for i := range pictures {
		c.add(at(i), "A photograph", fmt.Sprintf(`<img src="/pictures/%d.jpg" alt="Photograph"> All rights are reserved.`, i), at(i+1))
	}
	c.add(at(pictures), "No more photographs", "This was the last of them.")
	c.add("/", "Gallery", "Photographs.", "/photo/0")
}

// repository has paths with the same part many times, in folders that list files.
func (c *circles) repository() {
	folders := []string{"/src/main/java/main/main/main", "/src/foo/foo/foo/foo", "/src/test/a/test/b/test", "/src/a/b/a/b/a/b"}
	for _, folder := range folders {
		var files []string
		for i := range sized(80) {
			file := fmt.Sprintf("%s/%s%d.java.html", folder, strings.ReplaceAll(someWords(fmt.Sprint(folder, i), 1), " ", ""), i)
			files = append(files, file)
			c.add(file, "File", someWords(file, 30), folder)
		}
		c.add(folder, "Folder", folder, files...)
	}
	for _, book := range []string{"genesis", "exodus", "leviticus"} {
		var verses []string
		for i := range sized(100) {
			verse := fmt.Sprintf("/%s/%d/%d/%d", book, i/10+1, i/10+1, i%10+1)
			verses = append(verses, verse)
			c.add(verse, "Verse", someWords(verse, 12))
		}
		c.add("/"+book, book, "All of its verses.", verses...)
	}
	c.add("/", "Sources", "All there is.", append(folders, "/genesis", "/exodus", "/leviticus")...)
}

// forum has threads by parameters, with a page that asks to log in for each answer: these are of no use, and few of them are fetched.
func (c *circles) forum() {
	posts := sized(600)
	for i := range posts {
		thread := func(i int) string { return fmt.Sprintf("/thread?id=%d&page=%d", i/3, i%3+1) }
		c.add(thread(i), "Thread", someWords(thread(i), 40), thread((i+1)%posts), fmt.Sprintf("/reply?to=%d", i))
	}
	c.endless["/reply?"] = func(string) (int, string) {
		return 200, pageOf("Log in", "Please log in to answer. It takes a minute.")
	}
	c.add("/", "Forum", "Talk of all kinds.", "/thread?id=0&amp;page=1")
}

// mirror has each page in two languages, of which most of the second are the first's text, linked among themselves.
func (c *circles) mirror() {
	pages := sized(500)
	for i := range pages {
		for _, language := range []string{"en", "fr"} {
			at := func(i int) string {
				return fmt.Sprintf("/%s/%s-%d", language, strings.ReplaceAll(someWords(fmt.Sprint(i), 2), " ", "-"), i)
			}
			text := someWords(fmt.Sprint("mirror", i), 40)
			if language == "fr" && i%10 == 0 {
				text = someWords(fmt.Sprint("miroir", i), 40)
			}
			var links []string
			for k := 2*i + 1; k <= 2*i+2 && k < pages; k++ {
				links = append(links, at(k))
			}
			c.add(at(i), "A page", text, links...)
		}
	}
	c.add("/", "Two languages", "Choose one.", "/en/"+strings.ReplaceAll(someWords("0", 2), " ", "-")+"-0", "/fr/"+strings.ReplaceAll(someWords("0", 2), " ", "-")+"-0")
}
