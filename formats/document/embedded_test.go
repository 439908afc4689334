package document

import (
	"slices"
	"testing"
)

func TestConvert_picturesOfAPDFAreNamedAsLeftOut(t *testing.T) {
	keep := func(string, Image) (string, error) {
		t.Error("a picture is kept")
		return "", nil
	}
	for name, c := range map[string]struct {
		keep func(string, Image) (string, error)
		want []string
	}{
		"wanted":     {keep, []string{"Pictures in PDF files are not kept."}},
		"not wanted": {nil, nil},
	} {
		res, err := Convert(t.Context(), Input{Body: madePDF("A line")}, Options{KeepPicture: c.keep})
		if err != nil || !slices.Equal(res.Warnings, c.want) {
			t.Errorf("%s: got %+v, %v", name, res, err)
		}
	}
}
