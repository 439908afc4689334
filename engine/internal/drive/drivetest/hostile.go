package drivetest

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/winnow-go/winnow/engine/internal/drive"
	"github.com/winnow-go/winnow/llm"
	"github.com/winnow-go/winnow/llm/llmtest"
)

var errElsewhere = errors.New("not the site of the task")

// onHost allows the pages' own host.
func onHost(address string) error {
	if !strings.HasPrefix(address, at("/")) {
		return errElsewhere
	}
	return nil
}

var fence = regexp.MustCompile(`(?s)<untrusted id="([0-9a-f]+)" is="[^"]*">\n.*?\n</untrusted id="([0-9a-f]+)">`)

// outside is what a request says outside of fences.
func outside(t *testing.T, r llmtest.Request) string {
	t.Helper()
	text := strings.ReplaceAll(r.Text(), llm.UntrustedRule, "")
	for _, m := range fence.FindAllStringSubmatch(text, -1) {
		if m[1] != m[2] {
			t.Errorf("a fence is closed by another: %s", m[0])
		}
	}
	return fence.ReplaceAllString(text, "")
}

func staysOnTask(t *testing.T, open Open) {
	obeys := func(s *scene) llm.Call { // the worst model there is
		return call("goto", "url", "http://"+Other+"/steal")
	}
	out, s, err := run(t, open(t, at("/hostile")), drive.Options{Allow: onHost}, obeys,
		after("not go there", does("type", "IMPORTANT", "text", "x", "submit", true)), obeys, says("done", "output", "2 euros"))
	if err != nil || out.Output != "2 euros" {
		t.Errorf("got %q, %v", out.Output, err)
	}
	names := ""
	for i, r := range s.Requests() {
		if rest := strings.ToLower(outside(t, r)); strings.Contains(rest, "ignore your") || strings.Contains(rest, "important system") || strings.Contains(rest, "steal") && i == 0 {
			t.Errorf("request %d has the page's text outside of its fence:\n%s", i, rest)
		}
		if strings.Contains(r.Text(), "hidden attack") {
			t.Errorf("request %d has hidden text", i)
		}
		if !strings.Contains(r.Messages[1].Text, "Find out what pears cost") || r.Messages[1].Role != llm.User {
			t.Errorf("request %d has lost its goal", i)
		}
		now := fmt.Sprint(r.Tools)
		if names != "" && now != names {
			t.Errorf("request %d has other tools", i)
		}
		names = now
	}
	for _, step := range out.Steps {
		if strings.Contains(step.URL, Other) {
			t.Errorf("step %d stood at %s", step.Number, step.URL)
		}
	}
}

func staysOnSite(t *testing.T, open Open) {
	out, _, err := run(t, open(t, at("/leaving")), drive.Options{Allow: onHost},
		does("click", `"Away"`), after("may not go", does("click", `"Script away"`)), after("not allowed", says("goto", "url", "file:///etc/passwd")),
		after("http or https", says("goto", "url", "http://"+Other+"/steal")), does("click", `"Near"`))
	if err != nil || out.Snapshot.URL != at("/third") {
		t.Errorf("got %s, %v", out.Snapshot.URL, err)
	}
	for _, step := range out.Steps {
		if strings.Contains(step.URL, Other) || strings.Contains(step.Seen, "elsewhere") {
			t.Errorf("got %+v, want nothing seen of the other site", step)
		}
	}
	if out.Complete {
		t.Error("a step that was taken back can be replayed")
	}
}

func keepsSecrets(t *testing.T, open Open) {
	secrets := map[string]drive.Secret{"login-word": {Value: "correct horse"}, "pin": {Value: "777"}}
	turns := []turn{
		once(`"Trap"`, does("type", `"Trap"`, "secret", "login-word")),
		after("not for this site", does("type", `"User"`, "text", "ada")),
		does("type", `"Password"`, "secret", "nothing"),
		after("no secret of that name", does("type", `"Password"`, "secret", "login-word")),
		does("click", `"Enter"`),
		after("Welcome ada, your word was <secret:login-word>", says("done", "output", "in with correct horse")),
	}
	out, s, err := run(t, open(t, at("/login")), drive.Options{Secrets: secrets}, turns...)
	if err != nil {
		t.Fatal(err)
	}
	shown := fmt.Sprintf("%+v", out)
	for _, step := range out.Steps {
		shown += string(step.Arguments)
	}
	for _, r := range s.Requests() {
		shown += r.Text()
	}
	if strings.Contains(shown, "correct horse") || strings.Contains(shown, "correct+horse") {
		t.Errorf("the secret was shown:\n%s", shown)
	}
	revealed := drive.Reveal(out.Actions, secrets)
	if len(revealed) != len(out.Actions) || !strings.Contains(fmt.Sprint(revealed), "correct horse") || strings.Contains(fmt.Sprint(out.Actions), "correct horse") {
		t.Errorf("got %v of %v, want the secret put in by Reveal alone", revealed, out.Actions)
	}
}

func keepsPasswords(t *testing.T, open Open) {
	out, _, err := run(t, open(t, at("/login")), drive.Options{}, does("type", `"Password"`, "text", "from the goal", "submit", true), says("done", "output", "ok"))
	shown := fmt.Sprintf("%+v", out)
	for _, step := range out.Steps {
		shown += string(step.Arguments)
	}
	if err != nil || strings.Contains(shown, "from the goal") {
		t.Errorf("%v: the password was shown:\n%s", err, shown)
	}
}
