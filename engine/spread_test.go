package engine

import (
	"os/exec"
	"strings"
	"testing"
)

// Only programs that import the cluster link NATS.
func TestCluster_isNotLinkedUnlessImported(t *testing.T) {
	t.Parallel()
	out, err := exec.Command("go", "list", "-deps", "./", "./httpapi").CombinedOutput()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, out)
	}
	for name := range strings.Lines(string(out)) {
		if strings.Contains(name, "nats") || strings.Contains(name, "engine/cluster") {
			t.Errorf("the engine links %s", strings.TrimSpace(name))
		}
	}
}

func TestCluster_isOneOfItsPackage(t *testing.T) {
	t.Parallel()
	_, err := New(Options{Cluster: noCluster{}})
	if CodeOf(err) != CodeBadRequest || !strings.Contains(err.Error(), "Cluster: ") {
		t.Errorf("got %v", err)
	}
}

type noCluster struct{}

func (noCluster) Close() error { return nil }
