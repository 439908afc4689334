package serving

import (
	"path/filepath"
	"testing"
)

// oldClients are clients of the first version, by the names under which they are installed beside each other.
var oldClients = []string{
	"official1@npm:@mendable/firecrawl-js@1.29.3",
	"official3@npm:@mendable/firecrawl-js@3.3.0",
	"official4@npm:@mendable/firecrawl-js@4.42.0",
	"@agentic/firecrawl@7.6.9",
}

// Clients of the first version work against this program by its address and a key alone: testdata/clients/v1.mjs.
func TestClients_ofTheFirstVersion(t *testing.T) {
	node := needNode(t)
	home := npmPackages(t, oldClients...)
	drive(t, node, "v1.mjs", "MODULES="+filepath.Join(home, "node_modules"), "OLD=official1", "NEW=official3,official4")
}
