// Package browser makes a Chromium ready and lends isolated pages of it.
package browser
