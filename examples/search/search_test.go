package search

import (
	"context"
	"fmt"
	"iter"
	"path/filepath"
	"testing"

	"github.com/blevesearch/bleve/v2"

	"github.com/selfsame-ffi/selfsame"
)

var words = []string{"amber", "basalt", "copper", "diamond", "emerald", "flint", "granite", "halite", "iron", "jade", "kyanite"}

// documents are those of the figures, as in examples/speed.py.
func documents(n int) iter.Seq2[string, map[string]any] {
	return func(yield func(string, map[string]any) bool) {
		for i := range n {
			text := ""
			for k := range 20 {
				text += words[(i*i+k*(i%7)+k*k)%len(words)] + " "
			}
			if !yield(fmt.Sprint(i), map[string]any{"title": words[i%11], "text": text, "n": float64(i)}) {
				return
			}
		}
	}
}

func TestIndexInAFolder(t *testing.T) {
	path := filepath.Join(t.TempDir(), "index")
	h := selfsame.New[index](nil)
	defer h.Release() // also keeps the object alive until then
	x := h.Get()
	if err := x.open(path); err != nil {
		t.Fatal(err)
	}
	if n, err := x.add(context.Background(), documents(1500)); n != 1500 || err != nil {
		t.Fatalf("added %d, error %v", n, err)
	}
	hits, err := x.search(context.Background(), "title:jade +n:>1000", 5)
	if err != nil || len(hits) != 5 || hits[0].Fields["title"] != "jade" || hits[0].Score < hits[4].Score {
		t.Errorf("got %v, error %v", hits, err)
	}
	if err := x.close(); err != nil {
		t.Fatal(err)
	}
	if err := x.open(path); err != nil { // it was closed: its files can be opened
		t.Fatal(err)
	}
	if err := x.delete("7"); err != nil {
		t.Fatal(err)
	}
	if n, err := x.len(); n != 1499 || err != nil {
		t.Errorf("%d documents, error %v", n, err)
	}
	if err := x.close(); err != nil {
		t.Fatal(err)
	}
}

func BenchmarkAdd(b *testing.B) {
	for b.Loop() {
		x, err := bleve.NewMemOnly(bleve.NewIndexMapping())
		if err != nil {
			b.Fatal(err)
		}
		batch := x.NewBatch()
		for id, document := range documents(1000) {
			if err := batch.Index(id, document); err != nil {
				b.Fatal(err)
			}
		}
		if err := x.Batch(batch); err != nil {
			b.Fatal(err)
		}
		if err := x.Close(); err != nil {
			b.Fatal(err)
		}
	}
}

func benchmarkSearch(b *testing.B, limit int) {
	x, err := bleve.NewMemOnly(bleve.NewIndexMapping())
	if err != nil {
		b.Fatal(err)
	}
	batch := x.NewBatch()
	for id, document := range documents(2000) {
		if err := batch.Index(id, document); err != nil {
			b.Fatal(err)
		}
	}
	if err := x.Batch(batch); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		request := bleve.NewSearchRequestOptions(bleve.NewQueryStringQuery("jade copper"), limit, 0, false)
		request.Fields = []string{"*"}
		if _, err := x.Search(request); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkSearch10(b *testing.B)   { benchmarkSearch(b, 10) }
func BenchmarkSearch1000(b *testing.B) { benchmarkSearch(b, 1000) }
