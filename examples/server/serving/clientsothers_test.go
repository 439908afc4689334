package serving

import (
	"os"
	"path/filepath"
	"testing"
)

// Clients that others have built. legacyPeers keeps npm from installing what they would like to have beside them.
const (
	legacyPeers = "--legacy-peer-deps"
	n8nNodes    = "@mendable/n8n-nodes-firecrawl@2.1.2"
)

var (
	langChain = []string{legacyPeers, "@langchain/community@0.3.59", "@langchain/core@0.3", "@mendable/firecrawl-js@1.29.3"}
	aiTools   = []string{"firecrawl-aisdk@0.12.0", "ai@6"}
)

// The nodes of n8n work against this program: testdata/clients/n8n.mjs.
func TestClients_n8n(t *testing.T) {
	node := needNode(t)
	home := npmPackages(t, legacyPeers, n8nNodes)
	drive(t, node, "n8n.mjs", "MODULES="+filepath.Join(home, "node_modules"))
}

// LangChain's loader and the tools of an AI SDK work against this program: testdata/clients/wrappers.mjs.
func TestClients_wrappers(t *testing.T) {
	if os.Getenv("WINNOW_SOAK") == "" {
		t.Skip("WINNOW_SOAK=1 installs LangChain and the AI SDK (130 MB) and tests them")
	}
	node := needNode(t)
	home, tools := npmPackages(t, langChain...), npmPackages(t, aiTools...)
	drive(t, node, "wrappers.mjs", "LANGCHAIN="+filepath.Join(home, "node_modules"), "AISDK="+filepath.Join(tools, "node_modules"))
}

// drive runs a script of testdata/clients against a server of its own, which must have logged no failure.
func drive(t *testing.T, node, script string, env ...string) {
	t.Helper()
	s := startForClients(t)
	cmd := s.command(t, node, "--experimental-websocket", filepath.Join("testdata", "clients", script))
	cmd.Env = append(append(cmd.Env, env...), "API="+s.url, "KEY="+s.key)
	out, err := cmd.CombinedOutput()
	t.Logf("%s", out)
	if err != nil {
		t.Errorf("node: %v", err)
	}
	s.stopped(t)
}
