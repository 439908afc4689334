package browser

import (
	"errors"
	"fmt"
	"strings"

	"github.com/winnow-go/winnow/browser/internal/instance"
	"github.com/winnow-go/winnow/browser/internal/reading"
	"github.com/winnow-go/winnow/browser/internal/tab"
)

var (
	// ErrDownload is found in the error of Goto when the address answers with a file to save instead of a page. The file isn't kept.
	ErrDownload = errors.New("the address is a download, not a page")
	// ErrUnshown is found in the error of GotoWith when the browser has no document after the time that was given to it.
	ErrUnshown = errors.New("no document in time")
	// ErrClosed is found in the errors of a page or pool that its owner has closed, also when an ended context closed the page.
	ErrClosed = tab.ErrClosed
	// ErrCrashed is found in the errors of calls that were under way when the page's renderer, the browser or its driver died or was
	// killed, also because it was found stopped, or without its network service. The work can be retried once on a new page: Open starts
	// a new browser.
	ErrCrashed = instance.ErrCrashed
	// ErrScheme is found in the error of Goto for an address that isn't http, https, about:blank or data:.
	ErrScheme = errors.New("scheme not allowed in the browser")
	// ErrSite is found in the error of Goto on a warm tab for an address of another site than the tab's.
	ErrSite = errors.New("the warm tab is for another site")
	// ErrTooLarge is found in the error of Goto when a body that isn't HTML is over PageOptions.MaxBody.
	ErrTooLarge = reading.ErrTooLarge
	// ErrUnread is found in the error of Inspect when the page gave no answer: its own scripts left no time, the document was replaced
	// again and again, or the script failed. The page stays usable.
	ErrUnread = reading.ErrUnread
	// ErrBusy is found in the errors of Remote's methods when the page gave no answer in time. The page stays usable.
	ErrBusy = tab.ErrBusy
)

// NavigationError means that the browser could not load an address.
type NavigationError struct {
	URL string // as requested
	Net string // the browser's code, for example ERR_NAME_NOT_RESOLVED; "" when it gave none
	Err error  // the driver's error
}

// Error names the address and the browser's code.
func (e *NavigationError) Error() string {
	if e.Net != "" {
		return fmt.Sprintf("load %s: %s", e.URL, e.Net)
	}
	return fmt.Sprintf("load %s: %v", e.URL, e.Err)
}

// Unwrap returns the driver's error.
func (e *NavigationError) Unwrap() error { return e.Err }

// ArgError means that a browser argument was refused, with the reason.
type ArgError struct{ Arg, Reason string }

// Error names the argument and the reason.
func (e *ArgError) Error() string {
	return fmt.Sprintf("Options.Args: %q is refused: %s", e.Arg, e.Reason)
}

// OptionError means that an option is invalid, and names what is wanted instead.
type OptionError struct{ Field, Value, Want string }

// Error names field, value and what is wanted.
func (e *OptionError) Error() string {
	return fmt.Sprintf("%s: %q: want %s", e.Field, e.Value, e.Want)
}

// netCode finds the browser's ERR_ code in a driver's message, "" if there is none.
func netCode(message string) string {
	i := strings.Index(message, "net::ERR_")
	if i < 0 {
		return ""
	}
	code := message[i+len("net::"):]
	end := strings.IndexFunc(code, func(r rune) bool { return r != '_' && (r < 'A' || r > 'Z') && (r < '0' || r > '9') })
	if end >= 0 {
		code = code[:end]
	}
	return code
}
