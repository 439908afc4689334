package weburl

import "testing"

func TestTemplate_collapsesWhatDistinguishesPages(t *testing.T) {
	for _, c := range [][2]string{
		{"https://shop.example/p/42/blue-vase.html?size=2&utm_source=x", "shop.example/p/{n}/{name}.html?size"},
		{"https://shop.example/p/42", "shop.example/p/{n}"},
		{"https://shop.example/p/43/", "shop.example/p/{n}"},
		{"https://news.example/2024-05-01/title_of_it", "news.example/{date}/{name}"},
		{"https://a.example/item/B00AB12CD3", "a.example/item/{id}"},
		{"https://a.example/item/6f1ed002-ab59-4c2e-9a12-0123456789ab", "a.example/item/{id}"},
		{"https://a.example/api/v2/users", "a.example/api/v2/users"},
		{"https://a.example/about-us", "a.example/about-us"},
		{"https://a.example/", "a.example/"},
		{"https://A.example/Docs/Guide", "a.example/docs/guide"},
		{"https://a.example/view.php?id=3&id=4&cat=1", "a.example/view.php?cat&id"},
		{"no address", ""},
	} {
		if got := Template(c[0]); got != c[1] {
			t.Errorf("Template(%q) = %q, want %q", c[0], got, c[1])
		}
	}
}
