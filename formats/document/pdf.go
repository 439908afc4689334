package document

import "context"

// convertPDF reads a PDF.
func convertPDF(ctx context.Context, in Input, o Options) (*Result, error) {
	if o.Extractor != nil {
		return o.Extractor.ExtractPDF(ctx, in, o)
	}
	return nil, &UnsupportedError{Kind: PDF}
}
