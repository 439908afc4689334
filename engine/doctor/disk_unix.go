//go:build unix

package doctor

import "golang.org/x/sys/unix"

// freeSpace is how many bytes this user can still write below a folder.
func freeSpace(dir string) (bytes int64, known bool) {
	var s unix.Statfs_t
	if err := unix.Statfs(dir, &s); err != nil {
		return 0, false
	}
	return int64(s.Bavail) * int64(s.Bsize), true
}
