package crawling

import (
	"github.com/winnow-go/winnow/crawl"
	"github.com/winnow-go/winnow/crawl/scope"
	"github.com/winnow-go/winnow/engine/internal/jobs"
)

// Warning says what the pages of a job lack, where a caller may not expect it.
func Warning(r jobs.Record, s crawl.Stats) string {
	switch n := s.Denied[string(scope.RobotsTxt)]; {
	case n > 0:
		return "robots.txt forbids pages that the crawl found; Errors lists them."
	case r.Kind == "crawl" && r.State == jobs.Completed && s.Done <= 1 && s.Denied[string(scope.BackwardCrawling)] > 0:
		return "Links lead out of the seed's path; CrawlEntireDomain follows them."
	}
	return ""
}
