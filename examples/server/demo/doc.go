// Package demo is a handful of small web sites that a program carries. It may change without notice.
// They are there to be scraped without a network: [Hosts] are their handlers, as engine.Options.Hosts takes them.
//
//   - shop.example — products with prices, variants and pictures; a consent banner; a sitemap and robots.txt
//   - blog.example — articles over several pages, a feed, sound, a moving picture, structured data
//   - app.example — pages that a script makes, a form, a login, a list that grows
//   - cafe.example — a menu
//   - files.example — a PDF, a DOCX, an XLSX, a CSV, pictures, a page of tables
//   - lab.example — slow, changing, moved, missing and failing pages, and an echo of the request
//
// All text and pictures are made for this purpose. Each host has a folder with its pages and a file with its handler:
//
//   - hosts.go — [Hosts], [Homes]
//   - pages.go — pages from templates in the folder of a host
//   - shop.go, blog.go, app.go, cafe.go, lab.go — the handlers
//   - articles.go — the articles of the blog
//   - files.go, pdf.go, office.go, media.go — files, made on request
package demo
