package document

import (
	"context"

	"github.com/winnow-go/winnow/formats/document/internal/pictures"
)

// convertPictured reads a file whose pictures are kept.
func convertPictured(ctx context.Context, in Input, o Options) (*Result, error) {
	keep := func(p pictures.Picture) (string, error) {
		return o.KeepPicture(p.Hash, Image{Body: p.Body, MediaType: p.MediaType})
	}
	o.pictures = pictures.New(keep, pictures.Limits{Count: o.Limits.Pictures, Bytes: o.Limits.PictureBytes})
	res, err := Convert(ctx, in, o)
	if err != nil {
		return nil, err
	}
	if err := o.pictures.Err(); err != nil {
		return nil, err
	}
	res.Warnings = append(res.Warnings, o.pictures.Warnings()...)
	return res, nil
}
