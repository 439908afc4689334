package document

import "context"

// convertOther reads everything but PDF.
func convertOther(ctx context.Context, kind Kind, in Input, o Options) (*Result, error) {
	return nil, &UnsupportedError{Kind: kind}
}
