package wrapped

import (
	"go/types"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/typeparts"
)

// unaliased returns a type with what aliases stand for in the place of the aliases within it: one may be of a package that nobody else can
// import, and stand for a type that all can name.
func unaliased(t types.Type) types.Type {
	if made := typeparts.Rebuilt(t, unaliased); made != nil {
		return made
	}
	return types.Unalias(t)
}
