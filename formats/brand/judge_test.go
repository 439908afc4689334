package brand

import (
	"reflect"
	"testing"
)

// sampled begins a white page of black text.
func sampled(looks ...Look) *Samples {
	return &Samples{URL: "https://www.acme.example/", Width: 1280, Height: 2000, Looks: looks,
		Ground: []Ground{{Tag: "html", Color: "rgb(0, 0, 0)", Background: "rgba(0, 0, 0, 0)"}, {Tag: "body", Color: "rgb(0, 0, 0)", Background: "rgba(0, 0, 0, 0)"}}}
}

func paragraph(color string, length int) Look {
	return Look{Kind: kindParagraph, Tag: "p", Color: color, Length: length, Size: 16, Weight: 400, LineHeight: "24px", Family: `Lato, Arial, sans-serif`, box: box{W: 600, H: 24}}
}

func control(kind, label, background, ink string) Look {
	return Look{Kind: kind, Tag: "button", Label: label, Length: len(label), Color: ink, Background: background, Size: 16, Weight: 600,
		Radius: [4]string{"6px", "6px", "6px", "6px"}, Padding: [4]float64{8, 16, 8, 16}, box: box{W: 120, H: 40, Y: 300}}
}

func TestJudge_anEmptyPageHasOnlyItsGround(t *testing.T) {
	want := &Brand{ColorScheme: "light", Colors: map[string]string{"background": "#ffffff", "textPrimary": "#000000"}, Images: map[string]string{}}
	if got := Judge(&Samples{}); !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestJudge_groundIsWhatIsPaintedLast(t *testing.T) {
	for name, c := range map[string]struct {
		ground       []Ground
		prefersDark  bool
		want, scheme string
	}{
		"nothing painted":       {nil, false, "#ffffff", "light"},
		"body":                  {[]Ground{{Tag: "html"}, {Tag: "body", Background: "rgb(17, 24, 39)"}}, false, "#111827", "dark"},
		"html shows through":    {[]Ground{{Tag: "html", Background: "#000"}, {Tag: "body", Background: "rgba(255, 255, 255, 0.5)"}}, false, "#808080", "dark"},
		"a box covers all":      {[]Ground{{Tag: "html"}, {Tag: "body", Background: "#fff"}, {Tag: "div", Background: "#222"}}, false, "#222222", "dark"},
		"a gradient":            {[]Ground{{Tag: "html"}, {Tag: "body", Image: "linear-gradient(#101010, #eee)"}}, false, "#101010", "dark"},
		"dark canvas":           {[]Ground{{Tag: "html", Scheme: "dark"}}, false, "#121212", "dark"},
		"either canvas":         {[]Ground{{Tag: "html", Scheme: "light dark"}}, false, "#ffffff", "light"},
		"either canvas, darkly": {[]Ground{{Tag: "html", Scheme: "light dark"}}, true, "#121212", "dark"},
		"between, light user":   {[]Ground{{Tag: "html", Background: "#bbbbbb"}}, false, "#bbbbbb", "light"},
		"between, dark user":    {[]Ground{{Tag: "html", Background: "#bbbbbb"}}, true, "#bbbbbb", "dark"},
	} {
		b := Judge(&Samples{Ground: c.ground, PrefersDark: c.prefersDark})
		if b.Colors["background"] != c.want || b.ColorScheme != c.scheme {
			t.Errorf("%s: got %s, %s; want %s, %s", name, b.Colors["background"], b.ColorScheme, c.want, c.scheme)
		}
	}
}

func TestJudge_aThemeSaysWhatItIs(t *testing.T) {
	for class, want := range map[string]string{"dark": "dark", "no-js theme-dark": "dark", "Dark-Mode": "dark", "is-dark": "dark", "light": "light", "darkened": "light", "dark-blue": "light", "": "light"} {
		if got := Judge(&Samples{Themes: []Theme{{Classes: class}}}); got.ColorScheme != want {
			t.Errorf("class %q: got %s, want %s", class, got.ColorScheme, want)
		}
	}
	if got := Judge(&Samples{Themes: []Theme{{}, {Values: []string{"dark"}}}}); got.ColorScheme != "dark" {
		t.Errorf("data-theme: got %s", got.ColorScheme)
	}
}

func TestJudge_primaryIsTheCallToAction(t *testing.T) {
	few := control(kindButton, "Buy", "rgb(220, 38, 38)", "#fff")
	many := control(kindButton, "More", "rgb(37, 99, 235)", "#fff")
	few.Classes = "btn btn-primary"
	s := sampled(many, many, few, many, many)
	b := Judge(s)
	if b.Colors["primary"] != "#dc2626" || b.Components.ButtonPrimary.Background != "#dc2626" || b.Components.ButtonSecondary.Background != "#2563eb" {
		t.Errorf("got %+v, %+v", b.Colors, b.Components)
	}
	if b.Colors["secondary"] != "#2563eb" || b.Colors["accent"] != "#dc2626" {
		t.Errorf("got %+v", b.Colors)
	}
}

func TestJudge_primaryIsNoGreyWhereThereIsAColour(t *testing.T) {
	dark := control(kindButton, "Start", "rgb(17, 17, 17)", "#fff")
	if b := Judge(sampled(dark, paragraph("#111", 100))); b.Colors["primary"] != "#111111" || b.Colors["accent"] != "#111111" {
		t.Errorf("of a page without colours: %+v", b.Colors)
	}
	link := Look{Kind: kindLink, Tag: "a", Color: "rgb(190, 24, 93)", Length: 4, Inline: true}
	if b := Judge(sampled(dark, link)); b.Colors["primary"] != "#be185d" || b.Colors["link"] != "#be185d" || b.Components.ButtonPrimary.Background != "#111111" {
		t.Errorf("with a colored link: %+v, %+v", b.Colors, b.Components.ButtonPrimary)
	}
}

func TestJudge_variablesNameColoursThatAreShown(t *testing.T) {
	area := func(background string) Look {
		return Look{Kind: kindArea, Tag: "section", Background: background, box: box{W: 1000, H: 300}}
	}
	s := sampled(control(kindButton, "Buy", "#0ea5e9", "#fff"), area("#f97316"), area("#a3e635"))
	s.Variables = []Variable{{"--accent", "#f97316"}, {"--secondary", "#a3e635"}, {"--tertiary", "#123456"}, {"--color-success", "142 71% 45%"}, {"--danger-100", "#fee2e2"}, {"--danger-500", "#ef4444"}, {"--bs-warning", "#888888"}}
	got := Judge(s).Colors
	for role, want := range map[string]string{"primary": "#0ea5e9", "accent": "#f97316", "secondary": "#a3e635", "success": "#21c45d", "error": "#ef4444", "warning": ""} {
		if got[role] != want {
			t.Errorf("%s is %q, want %q", role, got[role], want)
		}
	}
	s.Variables[0].Value = "#ff00ff" // declared and never shown
	if got := Judge(s).Colors["accent"]; got != "#f97316" {
		t.Errorf("accent is %s", got)
	}
}

func TestJudge_messagesTellTheColoursOfStates(t *testing.T) {
	message := func(kind, ink, fill string) Look { return Look{Kind: kind, Tag: "div", Color: ink, Background: fill} }
	got := Judge(sampled(message("success", "#166534", "#dcfce7"), message("danger", "#fff", "#dc2626"), message("warning", "#000", "#2563eb"))).Colors
	if got["success"] != "#166534" || got["error"] != "#dc2626" || got["warning"] != "" || got["primary"] != "" {
		t.Errorf("got %+v", got)
	}
}

func TestJudge_textIsWhatMostOfItIs(t *testing.T) {
	hero, body, weak, foot := paragraph("#fff", 900), paragraph("rgb(31, 41, 55)", 500), paragraph("rgb(107, 114, 128)", 200), paragraph("#eee", 800)
	foot.Region = "footer"
	got := Judge(sampled(hero, body, weak, foot)).Colors
	if got["textPrimary"] != "#1f2937" || got["textSecondary"] != "#6b7280" {
		t.Errorf("got %+v", got)
	}
}

func TestJudge_linksOfTextComeBeforeThoseOfMenus(t *testing.T) {
	menu := Look{Kind: kindLink, Color: "#222", Region: "nav"}
	text := Look{Kind: kindLink, Color: "#0b57d0", Region: "main", Inline: true}
	if got := Judge(sampled(menu, menu, menu, text)).Colors["link"]; got != "#0b57d0" {
		t.Errorf("got %s", got)
	}
	if got := Judge(sampled(menu)).Colors["link"]; got != "#222222" {
		t.Errorf("got %s", got)
	}
}

func TestJudge_isTheSameEachTime(t *testing.T) {
	s := sampled(control(kindButton, "A", "#0ea5e9", "#fff"), control(kindButton, "B", "#f97316", "#fff"), paragraph("#111", 10), paragraph("#222", 10))
	first := Judge(s)
	for range 50 {
		if again := Judge(s); !reflect.DeepEqual(again, first) {
			t.Fatalf("got %+v, then %+v", first, again)
		}
	}
}
