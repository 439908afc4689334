// Command generate makes the file of package cidmap from Adobe's character maps, as Debian's package poppler-data has them:
//
//	apt-get download poppler-data && dpkg-deb -x poppler-data_*.deb FOLDER
//	go run ./formats/document/internal/pdf/cidmap/generate -out formats/document/internal/pdf/cidmap/cidmaps.zst \
//		FOLDER/usr/share/poppler/cMap
//
// It refuses a file that doesn't state the BSD licence: what else the Debian package has (cidToUnicode, unicodeMap) is under
// another one, and isn't read. The same maps give the same file.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"

	"github.com/klauspost/compress/zstd"

	"github.com/winnow-go/winnow/formats/document/internal/pdf/cidmap"
)

// collections are the folders of the maps that are packed.
var collections = []string{"Adobe-GB1", "Adobe-CNS1", "Adobe-Japan1", "Adobe-Korea1", "Adobe-KR"}

func main() {
	out := flag.String("out", "", "file to write; none when it is empty")
	flag.Parse()
	if err := run(flag.Args(), *out); err != nil {
		fmt.Fprintln(os.Stderr, "generate:", err)
		os.Exit(1)
	}
}

func run(folders []string, out string) error {
	if len(folders) != 1 {
		return errors.New("want one folder, with a folder for each collection in it")
	}
	var all []cidmap.Section
	for _, c := range collections {
		sections, err := collection(folders[0], c)
		if err != nil {
			return err
		}
		all = append(all, sections...)
	}
	data := cidmap.Pack(all)
	packed, err := compress(data)
	if err != nil {
		return err
	}
	fmt.Printf("%d maps, %d bytes, %d compressed\n", len(all), len(data), len(packed))
	if out == "" {
		return nil
	}
	return os.WriteFile(out, packed, 0o666)
}

func compress(data []byte) ([]byte, error) {
	e, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBestCompression), zstd.WithEncoderConcurrency(1),
		zstd.WithWindowSize(4<<20))
	if err != nil {
		return nil, err
	}
	defer e.Close()
	return e.EncodeAll(data, nil), nil
}
