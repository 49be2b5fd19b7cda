// Package search is the full-text search engine bleve for Python.
package search

import (
	"context"
	"errors"
	"iter"

	"github.com/blevesearch/bleve/v2"

	"github.com/selfsame-ffi/selfsame"
)

type index struct {
	selfsame.Object
	Path  selfsame.String `ffi:"ro" doc:"the folder; empty for an index in memory"`
	bleve selfsame.Value[bleve.Index]
}

// Hit is a document that a query found.
type Hit struct {
	ID     string
	Score  float64        `doc:"how well it fits, beside the other documents of its index"`
	Fields map[string]any `doc:"the document"`
}

func (x *index) open(path string) error {
	opened, err := bleve.Open(path)
	switch {
	case path == "":
		opened, err = bleve.NewMemOnly(bleve.NewIndexMapping())
	case errors.Is(err, bleve.ErrorIndexPathDoesNotExist):
		opened, err = bleve.New(path, bleve.NewIndexMapping())
	}
	if err == nil {
		x.Path.Set(path)
		x.bleve.Set(opened)
	}
	return err
}

func (x *index) close() error {
	if !x.bleve.IsSet() {
		return nil
	}
	defer x.bleve.Clear()
	return x.bleve.Get().Close()
}

func (x *index) add(ctx context.Context, documents iter.Seq2[string, map[string]any]) (int, error) {
	index, err := x.bleve.Load()
	if err != nil {
		return 0, err
	}
	n, batch := 0, index.NewBatch()
	for id, document := range documents {
		if err := batch.Index(id, document); err != nil {
			return n, err
		}
		if n++; n%1000 == 0 {
			if err := errors.Join(index.Batch(batch), ctx.Err()); err != nil {
				return n, err
			}
			batch.Reset()
		}
	}
	return n, index.Batch(batch)
}

func (x *index) search(ctx context.Context, text string, limit int) ([]Hit, error) {
	query := bleve.NewQueryStringQuery(text)
	if err := query.Validate(); err != nil {
		return nil, selfsame.Errorf("ValueError", "%v", err)
	}
	index, err := x.bleve.Load()
	if err != nil {
		return nil, err
	}
	request := bleve.NewSearchRequestOptions(query, limit, 0, false)
	request.Fields = []string{"*"}
	found, err := index.SearchInContext(ctx, request)
	if err != nil {
		return nil, err
	}
	hits := make([]Hit, len(found.Hits))
	for i, h := range found.Hits {
		hits[i] = Hit{h.ID, h.Score, h.Fields}
	}
	return hits, nil
}

func (x *index) delete(id string) error {
	index, err := x.bleve.Load()
	if err != nil {
		return err
	}
	return index.Delete(id)
}

func (x *index) len() (int, error) {
	index, err := x.bleve.Load()
	if err != nil {
		return 0, err
	}
	count, err := index.DocCount()
	return int(count), err
}

func init() {
	selfsame.MustRegister[index]("search.Index",
		selfsame.Doc("A full-text index in a folder, or in memory. Threads may share it. It is closed when nobody refers to it."),
		selfsame.Init((*index).open, "path=''"), selfsame.OnDrop((*index).close), selfsame.Plain(),
		selfsame.Method("add", (*index).add, "Adds pairs of an id and a document, or replaces documents. The number of pairs.", "documents"),
		selfsame.Method("search", (*index).search, "The best hits of a query, the best first. ValueError for a wrong query.", "query", "limit=10"),
		selfsame.Method("delete", (*index).delete, "Removes a document.", "id"),
		selfsame.Method("close", (*index).close, "Closes the files. The index cannot be used any more."),
		selfsame.Method("__exit__", (*index).close, ""),
		selfsame.Method("__len__", (*index).len, "The number of documents."))
}
