// Package noise decides whether two versions of a page differ in what counts, and names what it passes over. It may change without
// notice. It fetches and stores nothing. Pages are compared as Markdown, block by block, in the normal form of package tracking.
//
// Rules that are built in need evidence in the text itself:
//
//   - times that are relative to the check (“2 days ago”, in some fifteen languages); such as lie in the past may move on, such as are to
//     come have to mean the same moment as before, to one unit; “6 days ago” may become the date that it means
//   - the date and time of the check: behind words such as “as of” or “updated”, or alone in a paragraph; a date has to be that of the
//     check, give or take a day for the zone, in both versions; countdowns have to mean the same moment
//   - counters: a number beside a word such as “views”, in blocks of at most thirty words; in longer ones it is a fact
//   - advertisements: a label such as “Sponsored”, and below it up to four blocks that are nothing but links to one other host; blocks
//     that only link to networks for advertisements
//   - another order of the same items, rows, cards with a heading, or paragraphs with links. A paragraph without one keeps its place
//     behind what is before it, so prices that change places do count, and so do numbered items
//   - sessions, nonces, signatures and campaigns in addresses; cache-busters, fingerprints and numbered hosts in those of pictures and
//     files; ids behind words such as “request id”
//
// What isn't evident has to be learnt, by Observe:
//
//   - a number, time, date, day of the week, token or parameter, by habit: when in its place it varied three times, and in a third of the
//     last sixteen comparisons in which that place was there; four times, and in half of them, in the brackets of headings, in rows and
//     items, and beside words such as “no.”, “of” and units of time; or when it varied four times, in three of four comparisons, while
//     nothing changed but such values; and what varied twice beside a habit in its block. Never beside a currency, a measure, percent,
//     words of prices, stocks, versions and dates of events, in other headings or code, or in a text with more than twelve digits, such
//     as numbers of phones. A number of another order of magnitude than those before counts, and so does another form of the text
//   - a block below words such as “quote of the day” or “related”, when it was replaced twice; one with the same link or most of the same
//     words is changed, not replaced
//   - any other paragraph or item of four words or more, when twice a block came in its place that had gone from there before, on this or
//     another page. Where no block ever comes back, every change counts
//   - other words in a short paragraph or item without links, as of what is on air or who is there: when they varied four times, and in
//     six of ten comparisons, and each word that came has gone from there before. A word that is new there counts
//   - an item of a list that went from it before, once two such have come back
//   - any of these that varied twice between checks within ten minutes
//
// [Learnt.Check] compares for one page that is checked again and again: while that, or a place in it, is hardly known, differences of
// nothing but such values are held back, and count up to three checks late where they don't become noise.
//
// Headings, but for counters, addresses and habits in them, code, prices, stocks, versions and dates that are content always count,
// unless the caller accepts a change in that place. Every rule has an id, can be listed and taken back; a rule that was taken back stays
// so.
// One Learnt may serve one page, or all pages that one template of a host makes: it then learns by a few of them what holds for all. Not
// seen are changes of a list without numbers whose order means something, of “4 views” as the subject of a page, and of what stands
// only in an advertisement. In blocks of more than 4 KiB only addresses are looked at.
//
// Pictures compares two pictures of a page as a reader would see them.
//
// Start from [Compare] and [Learnt.Check].
//
//	compare.go   Compare, Result: two versions
//	pair.go      which blocks of two versions belong together
//	page.go      Version, and its blocks, with what stands above them
//	kinds.go     Kind, and the rules that are built in
//	mask.go      what a rule takes for noise, replaced by its name
//	gates.go     which rules are worth being tried on a text
//	relative.go  times that are relative to the check
//	clock.go     dates and times of the check
//	dates.go     days as pages write them
//	counters.go  counters, and the words beside them
//	tokens.go    what is volatile in addresses, and ids in texts
//	ads.go       advertisements
//	words.go     what numbers mean through what stands beside them
//	splitting.go the parts of a block: words, numbers, dates
//	values.go    values in which two blocks differ
//	rotation.go  what is learnt of places, and judged by it
//	spots.go     words that vary in a place, items that come back to a list
//	habit.go     what varies again and again
//	pending.go   Learnt.Check, and what is held back
//	learnt.go    Learnt: Observe, List, TakeBack, Accept
//	store.go     Learnt as JSON
//	pictures.go  Pictures: two pictures of a page
//	boxes.go     the boxes in which they differ
//	shifts.go    shifts by less than a pixel
//	rows.go      rows of pixels that have moved
package noise
