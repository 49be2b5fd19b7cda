package markdown

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/text"
)

// Against the time that goldmark takes by itself, this shows what the objects cost.
func BenchmarkParse(b *testing.B) {
	source, err := os.ReadFile(filepath.Join("testdata", "handbook.md"))
	if err != nil {
		b.Fatal(err)
	}
	b.Run("goldmark", func(b *testing.B) {
		for range b.N {
			goldmark.DefaultParser().Parse(text.NewReader(source))
		}
	})
	b.Run("objects", func(b *testing.B) {
		for range b.N {
			doc := convert(source)
			doc.Release()
		}
	})
}
