package instance

import "github.com/winnow-go/winnow/browser/internal/process"

// maxDriverMemory is how many bytes the driver may hold alone: beside a young browser its leaks would go unnoticed.
const maxDriverMemory = 500 << 20

// OverMemory reports whether driver and browser hold more than they may.
func (i *Instance) OverMemory(limit int64) (held int64, over bool) {
	all := process.All()
	driver := process.Memory([]int{i.driver.Pid}, maxDriverMemory)
	if driver > maxDriverMemory {
		return driver, true
	}
	// The driver's tree holds the browser, unless something has taken the browser's parent away.
	held = process.Memory(process.Tree(all, i.driver.Pid, i.Folder.BrowserPID()), limit)
	return held, held > limit
}
