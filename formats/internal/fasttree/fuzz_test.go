package fasttree

import (
	"strings"
	"testing"
)

// FuzzTree looks for pages whose tree is not the one of the other parser.
func FuzzTree(f *testing.F) {
	for _, page := range seeds {
		f.Add([]byte(page))
	}
	f.Fuzz(func(t *testing.T, page []byte) { compare(t, page) })
}

// FuzzTags does the same with pages made of tags, one for each byte.
func FuzzTags(f *testing.F) {
	f.Add([]byte("a page of tags"))
	f.Fuzz(func(t *testing.T, tags []byte) { compare(t, pageOf(tags)) })
}

// pageOf joins the pieces that the bytes stand for.
func pageOf(tags []byte) []byte {
	var page strings.Builder
	for i := range tags {
		page.WriteString(pieces[int(tags[i])%len(pieces)])
	}
	return []byte(page.String())
}

// pieces are start and end tags, and others.
var pieces = func() (list []string) {
	for name := range strings.FieldsSeq(`a b i nobr font p div span ul ol li dl dt dd h1 h2 table caption colgroup col tbody thead tr td th
		form input select option optgroup button textarea pre address article object svg math title desc foreignobject mi path style script
		noscript template iframe html head body meta link base br hr img image ruby rb rt rtc rp x-y frameset label em xmp`) {
		list = append(list, "<"+name+">", "</"+name+">")
	}
	return append(list, "text", "text", " ", "\n", "<!--c-->", "<a href=1>", "<b id=1>", "<input type=hidden>", "<svg/>", "&amp;", "<!doctype html>",
		"<b id=2 class=3>", "<body id=1>", "<html id=2>")
}()

// seeds meet each rule.
var seeds = []string{
	`<!DOCTYPE html><html lang=en><head><meta charset=utf-8><title>A &amp; b</title><script>if (a < b) "</p>"</script></head><body class=c>text</body></html> <!-- end -->`,
	`<!doctype HTML PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN"><p>a<table><tr><td>b</table>`,
	"\ufeff <!-- a --!><!doctype html SYSTEM 'about:legacy-compat'> <html><head> </head> <link rel=x href=y> text",
	`<p>a<p>b<ul><li>c<li>d<ul><li>e</ul></ul><dl><dt>f<dd>g<dt>h</dl><h1>i<h2>j</h2>k</h1></p>l</br>`,
	`<b>a<i>b<p>c</p></i></b><a href=1>d<a href=2>e</a><nobr>f<nobr>g</nobr><p><b>h<p>i<b><b><b><b>j<p>k`,
	`<b class=x id=y>a</b><font size=1 color=red>b<p>c</font>d<div>e</b>f`,
	`<table><caption>a<colgroup><col><col></colgroup><thead><tr><th>b<tbody><tr><td>c<td>d</tr><tfoot><td>e</table>f`,
	`<table><form action=a><input type=hidden name=n><tr><td><table><td>g</table></form></table><table><b>h</table>`,
	`<form>a<form>b</form>c</form><select><option>d<option selected>e<optgroup label=f><option>g<hr></select><input><button>h<button>i</button>`,
	`<svg viewbox="0 0 1 1" xlink:href="#a"><title>b &lt;</title><lineargradient/><path d=M0/><style>c</style><a xlink:href=d>e</a></svg>`,
	`<math definitionurl=a><mi>x<mo>&plus;</mo></math><svg/>f<svg><desc>g</desc><foreignobject><p>h</svg>`,
	`<template><tr><td>a</td></tr></template><div><template shadowrootmode=open><style>b</style><slot></slot></template>c</div>`,
	`<head><template><title>a</title></template></head><template><col><form></template><table><template><tr></template></table>`,
	`<textarea>` + "\n" + `a &amp; <b></textarea><pre>` + "\r\n" + `c</pre><xmp><d></xmp><iframe src=e><p></iframe><noscript><img src=f></noscript>`,
	`<ruby>a<rp>(<rt>b<rtc>c<rb>d</ruby><object>e<param name=f></object><image src=g><marquee>h</marquee>`,
	`<img src=a alt="b &amp; c&copy d&notit; e" data-x='f"g' H=I h=j/><br/><a href=?a=1&b=2&lt=3&amp;c=4>k</a x=y>`,
	`<p a=b/c =d e= f / g>h</p><div//><x-y Z>i</X-Y><p/>j</p>k &#32; &#128; l & m < n <3`,
	`<html a=1><body b=2><html a=3 c=4><body b=5 d=6>x</body>y</html>z<!--a--><?php?><![endif]--><!-->b-->c<!--->d`,
	`<script><!-- if (a) { "<b>" } //--></script><script><!-- <script> --></script>a</script><style></style><title></title>b`,
	`<div><span>a</div>b</span><em>c<strong>d</em>e</strong><li>f</div><td>g<tr>h<frameset>`,
}
