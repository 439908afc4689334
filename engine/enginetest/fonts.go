package enginetest

import (
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/gomono"
	"golang.org/x/image/font/gofont/goregular"
)

// The fonts of pictures: the Go fonts, with Latin, Greek and Cyrillic letters. They come with their license, that of Go, in the module
// golang.org/x/image.
const (
	sansFamily = "Enginetest Sans"
	monoFamily = "Enginetest Mono"
)

// fontFace is a font as still.js takes it.
type fontFace struct {
	Family string `json:"family"`
	Weight string `json:"weight"`
	Data   []byte `json:"data"`
}

func fontFaces() []fontFace {
	return []fontFace{
		{sansFamily, "400", goregular.TTF}, {sansFamily, "700", gobold.TTF}, {monoFamily, "400", gomono.TTF},
	}
}
