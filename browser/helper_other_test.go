//go:build !unix

package browser

const helperVariable = "WINNOW_BROWSER_HELPER"

func helper() int { return 2 }
