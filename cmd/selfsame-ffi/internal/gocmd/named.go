package gocmd

import (
	"regexp"
	"strings"
)

// Named takes the lines that name packages, which the flag -v asks for, out of what the go command says.
type Named struct {
	Compiled func() // called for each; may be nil

	line string // that has no end yet
	rest strings.Builder
}

// importPath is a line with nothing but the name of a package.
var importPath = regexp.MustCompile(`^[^\s:#]+\n$`)

func (n *Named) Write(text []byte) (int, error) {
	for line := range strings.Lines(n.line + string(text)) {
		switch n.line = ""; {
		case !strings.HasSuffix(line, "\n"):
			n.line = line
		case !importPath.MatchString(line):
			n.rest.WriteString(line)
		case n.Compiled != nil:
			n.Compiled()
		}
	}
	return len(text), nil
}

// String returns the other lines.
func (n *Named) String() string { return n.rest.String() + n.line }
