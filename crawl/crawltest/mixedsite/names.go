package mixedsite

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// parts are folders of the documentation.
var parts = strings.Fields("start install use extend operate")

// pathOf is the path of a template's page: its pattern with what stands for the number in place of
//
//	{n}        a number
//	{name}     three words
//	{part}     a word that some pages share
//	{date}     a day
//	{year}, {month}
//	{version}  such as v2-1-3
//
// Each pattern has one that no other number gives.
func pathOf(seed uint64, f *family, number int) string {
	day := time.Date(2021, 1, 1+number, 0, 0, 0, 0, time.UTC)
	return strings.NewReplacer(
		"{n}", strconv.Itoa(1001+3*number),
		"{name}", slug(seed, f.name, number),
		"{part}", parts[number/7%len(parts)],
		"{date}", day.Format(time.DateOnly),
		"{year}", day.Format("2006"),
		"{month}", day.Format("01"),
		"{version}", fmt.Sprintf("v%d-%d-%d", 1+number/20, number/4%5, number%4),
	).Replace(f.path)
}

// slug is three words, other ones for each number of a template.
func slug(seed uint64, name string, number int) string {
	const scatter = 104_729 // a prime above len(words)
	n := uint64(len(words))
	at := (seed%n + textHash(name)%n*n + uint64(number)*scatter) % (n * n * n)
	return words[at%n] + "-" + words[at/n%n] + "-" + words[at/n/n]
}

// textHash is FNV-1a.
func textHash(s string) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(s) {
		h = (h ^ uint64(s[i])) * 1099511628211
	}
	return h
}
