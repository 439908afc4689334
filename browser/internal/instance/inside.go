package instance

import (
	"cmp"
	"os"

	"github.com/winnow-go/winnow/browser/sandbox"
)

// meetInside learns what runs in a session's sandbox. The driver has answered, so bubblewrap has said it all.
func (i *Instance) meetInside() {
	if i.inside == nil {
		return
	}
	info, err := os.Open(i.Folder.Info())
	if err != nil {
		return
	}
	defer info.Close()
	i.inside.Meet(info)
}

// killStarting kills a driver of which no more is known than what its launcher has noted, and with it its sandbox.
func (i *Instance) killStarting() {
	if i.inside != nil {
		i.Folder.KillDriverGroup()
	}
	i.Folder.KillDriver()
	if i.inside != nil {
		i.Folder.KillDriverGroup() // which may have been made meanwhile
	}
}

// KillInside kills what runs in a session's sandbox; it does nothing without one.
func (i *Instance) KillInside() {
	if i.inside != nil {
		i.inside.Kill()
	}
}

// awaitInside waits until nothing is left in a session's sandbox.
func (i *Instance) awaitInside() {
	if i.inside != nil {
		i.inside.Kill()
		i.inside.Wait()
	}
}

// Exceeds returns an error when what runs in a session's sandbox takes more than the limits, or did so when the kernel ended it, or has
// written too much to the disk; nil without a sandbox.
func (i *Instance) Exceeds(l sandbox.Limits) error {
	if i.inside == nil {
		return nil
	}
	return cmp.Or(i.Folder.Group.Exceeds(), i.inside.Exceeds(l), i.Folder.OverDisk())
}
