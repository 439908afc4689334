package engine

import (
	"github.com/winnow-go/winnow/engine/internal/searchindex"
	"github.com/winnow-go/winnow/engine/search"
)

// attachIndex gives the index the pages of the cache. It is kept in the folder "index" of [Options.Dir].
func (e *Engine) attachIndex() (err error) {
	setup := search.Setup{Folder: e.folder("index"), Now: e.now, Logger: e.log}
	e.index, err = searchindex.Attach(e.options.Search, searchindex.StoredIn(e.pageStore), setup)
	return err
}
