package pageimage_test

import (
	"context"
	"fmt"
	"image/png"
	"log"
	"os"
	"path/filepath"

	"github.com/winnow-go/winnow/formats/document"
	"github.com/winnow-go/winnow/formats/document/internal/pdf/pdftest"
	"github.com/winnow-go/winnow/formats/document/pageimage"
)

// A page as a picture, and beside it the place of a text that is cited.
func Example() {
	ctx := context.Background()
	cache, err := os.UserCacheDir()
	if err != nil {
		log.Fatal(err)
	}
	renderer, err := pageimage.New(pageimage.Options{CacheDir: filepath.Join(cache, "winnow", "pdfium")})
	if err != nil {
		log.Fatal(err)
	}
	defer renderer.Close()

	body := pdftest.Text("The harbour at low water", "is quiet in the morning.") // or os.ReadFile
	file, err := renderer.Open(ctx, body, "")
	if err != nil {
		log.Fatal(err)
	}
	defer file.Close()
	page, err := file.Draw(ctx, 1, pageimage.View{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("page 1 of", file.NumPages(), "has", page.Bounds().Max, "pixels")

	read, err := document.Convert(ctx, document.Input{Body: body}, document.Options{Blocks: true})
	if err != nil {
		log.Fatal(err)
	}
	block := read.Pages[0].Blocks[0]
	place, err := file.Draw(ctx, 1, pageimage.View{DPI: 300, Region: block.BBox})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(block.Text)
	fmt.Println("has", place.Bounds().Max, "pixels")

	out, err := os.CreateTemp("", "*.png")
	if err != nil {
		log.Fatal(err)
	}
	defer os.Remove(out.Name())
	defer out.Close()
	if err := png.Encode(out, place); err != nil {
		log.Fatal(err)
	}
	// Output:
	// page 1 of 1 has (1275,1650) pixels
	// The harbour at low water is quiet in the morning.
	// has (554,108) pixels
}
