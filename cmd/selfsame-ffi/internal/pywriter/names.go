package pywriter

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/pyname"
)

// identifier makes a Python identifier of a registered name.
func identifier(name string) string { return pyname.Identifier(name) }

// IsPackageName reports whether name can be written in an import statement.
func IsPackageName(name string) bool {
	return name != "" && isASCII(name) && identifier(name) == name
}

func isASCII(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r > unicode.MaxASCII }) < 0
}

// scope holds the names of one Python namespace.
type scope struct {
	where string
	taken map[string]string // Python name: registered name
}

func newScope(where string) *scope { return &scope{where: where, taken: map[string]string{}} }

// take adds a name. It fails if the name is taken.
func (s *scope) take(id, registered string) error {
	if other, ok := s.taken[id]; ok {
		return fmt.Errorf("%s and %s would both be called %s in %s; register one under another name",
			other, registered, id, s.where)
	}
	s.taken[id] = registered
	return nil
}

func (s *scope) has(id string) bool {
	_, taken := s.taken[id]
	return taken
}

// argumentNames makes Python parameter names, which are unique in one function. A repeated name gets its position
// appended.
func argumentNames(names []string, n int) []string {
	out := make([]string, n)
	for i := range out {
		id := fmt.Sprintf("arg%d", i)
		if i < len(names) && names[i] != "" {
			id = identifier(pyname.Snake(names[i]))
		}
		if id == "self" || slices.Contains(out[:i], id) {
			id = fmt.Sprintf("%s%d", id, i)
		}
		out[i] = id
	}
	return out
}
