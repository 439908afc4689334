//go:build unix

package browser

import "os"

// helperVariable makes the test binary a second process that a test wants beside itself.
const helperVariable = "WINNOW_BROWSER_HELPER"

func helper() int {
	switch os.Getenv(helperVariable) {
	case "hold":
		return helperHold()
	case "session":
		return helperSession()
	}
	return 2
}
