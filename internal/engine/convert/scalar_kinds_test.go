package convert

import (
	"testing"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/kinds"
)

// The table of elements of tensors has every scalar that a value of the ABI stands for.
func TestEveryScalarIsReadFromATensor(t *testing.T) {
	for _, s := range kinds.Scalars {
		if _, ok := elementReaders[s.DataType()]; !ok && s.Index != abi.IndexAny {
			t.Errorf("elementReaders has no %v", s.DataType())
		}
	}
}
