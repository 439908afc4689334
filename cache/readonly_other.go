//go:build !unix

package cache

// isReadOnlySystem: elsewhere missing rights and write protection are both fs.ErrPermission.
func isReadOnlySystem(error) bool { return false }
