package stores

import (
	"bytes"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/winnow-go/winnow/cache"
)

func TestQuiet_whatAnOutageRepeatsIsForDebugging(t *testing.T) {
	for _, level := range []slog.Level{slog.LevelInfo, slog.LevelDebug} {
		var out bytes.Buffer
		log := Quiet(slog.New(slog.NewTextHandler(&out, &slog.HandlerOptions{Level: level}))).With("job", 1).WithGroup("g")
		log.Error("repeats", "error", fmt.Errorf("put: %w", cache.ErrUnwritable))
		log.Warn("tells", "error", cache.ErrClosed)
		log.Info("tells", "n", 1)
		lines := out.String()
		if strings.Count(lines, "tells") != 2 || strings.Contains(lines, "repeats") != (level == slog.LevelDebug) || strings.Contains(lines, "ERROR") {
			t.Errorf("at %v:\n%s", level, lines)
		}
	}
}
