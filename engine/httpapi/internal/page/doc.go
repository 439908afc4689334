// Package page has the page on which people try the service in a browser. It sends the same requests as any client. Whatever sites wrote
// is shown as text: nothing makes HTML of a string.
//
// The files of the folder files are served as they are; index.html alone is a template, filled once:
//
//   - index.html, style.css, icon.svg — the page, its looks in light and dark, its icon
//   - app.js — the panels, and which is open
//   - api.js — requests, and streams of jobs
//   - dom.js — elements, numbers, forms
//   - notice.js — what is shown while a request runs, and when it fails
//   - tabs.js, overflow.js, parts.js — tabs; those that don't fit; an answer in parts
//   - keybox.js — the key
//   - examples.js — what there is to try
//   - scrape.js — one page
//   - result.js, diff.js, markdown.js, inline.js — a document; its changes; its text
//   - jobs.js, jobform.js, jobrow.js, jobview.js — jobs: the list, the form, a row, what they brought
//   - monitors.js — monitors, their checks, and what these found
//   - growth.js, tree.js — a crawl while it runs, as a tree
//   - find.js — maps and searches
//   - sessions.js, console.js — browser sessions; work in one, its live view beside it
//   - usage.js — credits and activity
//   - recipe.js, code.js — what was just done, as programs in four languages
package page
