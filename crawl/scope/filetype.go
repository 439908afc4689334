package scope

import "strings"

// fileType is the extension of a path whose file a crawl leaves out, in lower case; "" for all others, PDF and office documents among them.
func fileType(path string) string {
	const maxLen = 6
	dot := strings.LastIndexByte(path, '.')
	if dot < 0 || len(path)-dot > maxLen {
		return ""
	}
	switch ext := strings.ToLower(path[dot:]); ext {
	case ".png", ".jpg", ".jpeg", ".gif", ".ico", ".svg", ".tiff", ".webp",
		".css", ".js", ".inc", ".woff", ".woff2", ".ttf",
		".zip", ".exe", ".dmg",
		".mp4", ".mp3", ".wav", ".avi", ".flv":
		return ext
	}
	return ""
}
