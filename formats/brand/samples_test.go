package brand

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
)

func TestDecode_refusesAndBounds(t *testing.T) {
	for name, data := range map[string]string{"too long": strings.Repeat(" ", MaxBytes+1), "no JSON": "{", "another": `{"looks": 1}`} {
		if s, err := Decode([]byte(data)); err == nil {
			t.Errorf("%s: got %+v", name, s)
		}
	}
	many, err := json.Marshal(Samples{Looks: make([]Look, 5000), Logos: make([]Logo, 100), Variables: make([]Variable, 1000)})
	if err != nil {
		t.Fatal(err)
	}
	s, err := Decode(many)
	if err != nil || len(s.Looks) != maxLooks || len(s.Logos) != maxLogos || len(s.Variables) != maxList {
		t.Errorf("got %d looks, %v", len(s.Looks), err)
	}
}

// FuzzJudge: whatever a page has made of its samples, the judgement ends, is the same again, and can be written as JSON.
func FuzzJudge(f *testing.F) {
	f.Add([]byte(`{}`))
	f.Add([]byte(`{"url":"https://a.example/","looks":[{"kind":"button","label":"Go","background":"rgb(1e308 1 1)","w":1e308,"h":1e308,"weight":-5,"radius":["1e400px"]}],"ground":[{"tag":"html","scheme":"dark"}]}`))
	f.Add([]byte(`{"logos":[{"svg":"<svg/>","href":"https://a.example:x/","visible":true}],"data":["[[[{\"@graph\":[{\"@type\":\"Organization\",\"logo\":{\"url\":{}}}]}]]]"],"widths":[{"max":1e300}]}`))
	f.Add([]byte(`{"looks":[{"kind":"paragraph","lineHeight":"-1e300px","size":1e-300,"family":",\"__x_0_000000\"","padding":[1e9,-1,0,4]},{"kind":"area","image":"color(display-p3 1e300 -1e300 none)"}],"variables":[{"name":"--primary-500","value":"lab(1e300 1e300 1e300)"}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := Decode(data)
		if err != nil {
			return
		}
		b := Judge(s)
		text, err := json.Marshal(b)
		if err != nil {
			t.Fatal(err)
		}
		if len(text) > 2*len(data)+2000 {
			t.Errorf("%d bytes became %d", len(data), len(text))
		}
		if again := Judge(s); !reflect.DeepEqual(again, b) {
			t.Errorf("got %+v, then %+v", b, again)
		}
	})
}
