// Package codes sorts the failures of leaves and rooms by the service's codes. The engine's errors carry them; which of
// its options is refused, and whether the time was over, the engine decides itself.
//
//	doc.go      the codes that are given here
//	page.go     why there is no page
//	options.go  which option is refused
//	task.go     why a session or a job's task has no result
package codes

// The words of engine's Code, whose comments say what each means; a test of engine compares them.
const (
	RobotsUnreachable    = "ROBOTS_TXT_UNREACHABLE"
	RetryLimit           = "SCRAPE_RETRY_LIMIT"
	Timeout              = "SCRAPE_TIMEOUT"
	DNS                  = "SCRAPE_DNS_RESOLUTION_ERROR"
	SSL                  = "SCRAPE_SSL_ERROR"
	Site                 = "SCRAPE_SITE_ERROR"
	Proxy                = "SCRAPE_PROXY_SELECTION_ERROR"
	Blocked              = "unsafe_domain_blocked"
	UnsupportedFile      = "SCRAPE_UNSUPPORTED_FILE_ERROR"
	PDFNeedsOCR          = "SCRAPE_PDF_OCR_REQUIRED"
	PDFTime              = "SCRAPE_PDF_INSUFFICIENT_TIME_ERROR"
	AudioUnsupported     = "SCRAPE_AUDIO_UNSUPPORTED_URL"
	VideoUnsupported     = "SCRAPE_VIDEO_UNSUPPORTED_URL"
	FileType             = "UNSUPPORTED_FILE_TYPE"
	Action               = "SCRAPE_ACTION_ERROR"
	ProfileBusy          = "PROFILE_LOCKED"
	ProfileDamaged       = "PROFILE_DAMAGED"
	ActionsNotSupported  = "SCRAPE_ACTIONS_NOT_SUPPORTED"
	BrandingNotSupported = "SCRAPE_BRANDING_NOT_SUPPORTED"
	NoCachedData         = "SCRAPE_NO_CACHED_DATA"
	LockdownMiss         = "SCRAPE_LOCKDOWN_CACHE_MISS"
	NotFound             = "NOT_FOUND"
	MonitorBusy          = "MONITOR_BUSY"
	Robots               = "ROBOTS_TXT_DISALLOWED"
	ModelFailed          = "MODEL_FAILED"
	ModelBudget          = "MODEL_BUDGET_EXCEEDED"
	Injection            = "SCRAPE_PROMPT_INJECTION_DETECTED"
	AgentFailed          = "AGENT_FAILED"
	SessionLimit         = "SESSION_LIMIT_REACHED"
	SessionDestroyed     = "SESSION_DESTROYED"
	SessionFailed        = "SESSION_FAILED"
	NotConfigured        = "BROWSER_NOT_CONFIGURED"
	AllEnginesFailed     = "SCRAPE_ALL_ENGINES_FAILED"
)
