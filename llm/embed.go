package llm

import "context"

// Embedder makes vectors of texts: those of texts with a like meaning point in a like direction. Implementations are safe
// for concurrent use and return soon after ctx has ended.
type Embedder interface {
	// Embedding describes the embedder. It doesn't change.
	Embedding() Embedding
	// Embed returns a vector for each text, in their order: all of one length, with finite numbers. Errors: [ErrUnavailable],
	// [ErrRefused], [ErrTooLong], [ErrMalformed], a context's, found by errors.Is.
	Embed(ctx context.Context, r EmbedRequest) (Embedded, error)
}

// Embedding describes an embedder.
type Embedding struct {
	// Name of its vectors: those of one name can be compared, and are kept under it. Another model has another name, and so
	// has the same model with another prefix or length.
	Name string
	// Local declares that requests to the embedder stay on machines of the operator. Only a local one is called under lockdown
	// and zero data retention.
	Local bool
	// Dimensions are the length of its vectors. 0: as they come.
	Dimensions int
	// Context is the most tokens of one text, as [Tokens] estimates them. Batch is the most texts of one request. Both are at
	// least 1.
	Context, Batch int
}

// EmbedRequest are texts that vectors are made of.
type EmbedRequest struct {
	// Texts aren't empty. At least one, at most Embedding.Batch.
	Texts []string
	// Query: the texts are queries, which many embedders treat otherwise than what is to be found by them.
	Query bool
}

// Embedded are the vectors of a request. The caller may change them.
type Embedded struct {
	Vectors [][]float32
	Usage   Usage
}
