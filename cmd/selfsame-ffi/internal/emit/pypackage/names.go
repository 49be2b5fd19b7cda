package pypackage

import (
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

// parameter makes the name of a parameter of a registered one.
func parameter(name string) string { return pyname.Parameter(name) }
