package quota

import "testing"

func TestTeams_sessionsAtOnce(t *testing.T) {
	teams := NewTeams()
	none := func() (int, error) { return 0, nil }
	first, ok, err := teams.Session("red", 1, none)
	if !ok || err != nil {
		t.Fatal(ok, err)
	}
	if _, ok, _ := teams.Session("red", 1, none); ok {
		t.Error("a second one while the first is being started")
	}
	if done, ok, _ := teams.Session("blue", 1, none); !ok {
		t.Error("another team's is refused")
	} else {
		done()
	}
	first()
	if _, ok, _ := teams.Session("red", 1, func() (int, error) { return 1, nil }); ok {
		t.Error("a second one beside an active one")
	}
	if len(teams.byID) != 0 {
		t.Errorf("%d teams are remembered", len(teams.byID))
	}
}
