package cache

// Often has a File opened again after every few pages.
func Often(d *File) *File {
	d.refreshed.pages, d.refreshed.bytes = 8, 0
	return d
}
