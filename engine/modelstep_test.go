package engine

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/winnow-go/winnow/actions"
)

// The two JSON forms of a step are what clients and stored jobs have: they stay.
func TestModelStep_jsonOfAgentsAndOfInteract(t *testing.T) {
	step := ModelStep{
		Number: 2, URL: "http://a.test/", Digest: "d", Seen: "s", Tool: "click", Arguments: json.RawMessage(`{"ref":"e1"}`), Why: "w", Did: "clicked",
		Error: "e", Actions: []actions.Action{{Type: actions.Click, Selector: "#a"}}, Incomplete: true,
	}
	middle := `"digest":"d","seen":"s","tool":"click","arguments":{"ref":"e1"},"why":"w","did":"clicked","error":"e","actions":[{"type":"click","selector":"#a"}]`
	agent := `{"number":2,"url":"http://a.test/",` + middle + `,"incomplete":true}`
	if got, err := json.Marshal(step); err != nil || string(got) != agent {
		t.Errorf("of an agent: got %s, %v\nwant %s", got, err, agent)
	}
	result := InteractResult{SessionID: "id", Stdout: "out", Replayable: true, Steps: []ModelStep{step, {Number: 3, Tool: "done"}}}
	data, err := json.Marshal(&result)
	if err != nil {
		t.Fatal(err)
	}
	want := `{"sessionId":"id","success":false,"stdout":"out","stderr":"","result":null,"exitCode":0,"killed":false,"steps":[` +
		`{"number":2,"url":"http://a.test/",` + middle + `,"lost":true},{"number":3,"url":"","tool":"done"}],"replayable":true,"creditsUsed":0}`
	if !equalJSON(t, data, []byte(want)) {
		t.Errorf("of a prompt: got %s\nwant %s", data, want)
	}
	var back InteractResult
	if err := json.Unmarshal(data, &back); err != nil || !reflect.DeepEqual(back, result) {
		t.Errorf("read back: got %+v, %v\nwant %+v", back, err, result)
	}
	data, err = json.Marshal(InteractResult{Steps: []ModelStep{}})
	if err != nil || !equalJSON(t, data, []byte(`{"sessionId":"","success":false,"stdout":"","stderr":"","result":null,"exitCode":0,"killed":false,"creditsUsed":0}`)) {
		t.Errorf("of code: got %s, %v", data, err)
	}
}

func equalJSON(t *testing.T, a, b []byte) bool {
	t.Helper()
	var left, right any
	if err := json.Unmarshal(a, &left); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(b, &right); err != nil {
		t.Fatal(err)
	}
	return reflect.DeepEqual(left, right)
}
