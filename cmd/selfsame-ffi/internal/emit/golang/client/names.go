package client

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/escape"
)

// The rule for names, which docs/go-clients.md tells: the parts of a registered name are joined with capitals. A class comes
// before all else; a function whose name is taken gets Func at its end; then a name that is taken gets an underscore.

// scope holds the names of a package or a class.
type scope struct{ taken map[string]bool }

func newScope(reserved ...string) *scope {
	s := &scope{map[string]bool{}}
	for _, name := range reserved {
		s.taken[name] = true
	}
	return s
}

// take returns the first of the names that is free, or else the first with underscores at its end, and takes it.
func (s *scope) take(names ...string) string {
	for _, name := range names {
		if !s.taken[name] {
			s.taken[name] = true
			return name
		}
	}
	return s.take(names[0] + "_")
}

// exported makes an exported name of a registered one: get_next.token becomes GetNextToken.
func exported(name string) string {
	var b strings.Builder
	start := true
	for _, r := range escape.Letters(name) {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			start = true
		case start && !(unicode.IsDigit(r) && b.Len() > 0 && endsInDigit(b.String())):
			b.WriteRune(unicode.ToUpper(r))
			start = false
		case start: // 1_2 stays apart from 12
			b.WriteByte('_')
			b.WriteRune(r)
			start = false
		default:
			b.WriteRune(r)
		}
	}
	text := b.String()
	if first, _ := firstRune(text); !unicode.IsUpper(first) { // a digit, a letter without capitals, or nothing
		text = "X" + text
	}
	return text
}

func firstRune(text string) (rune, bool) {
	for _, r := range text {
		return r, true
	}
	return 0, false
}

func endsInDigit(text string) bool {
	last := rune(text[len(text)-1])
	return unicode.IsDigit(last)
}

// parameterNames are names that a parameter must not have: a body uses them, or they would hide a predeclared type.
var parameterNames = strings.Fields(`any append bool byte cap clear close comparable complex complex128 complex64 copy delete error
	false float32 float64 imag int int16 int32 int64 int8 iota len make max min new nil panic print println real recover rune
	string true uint uint16 uint32 uint64 uint8 uintptr selfsame gen overlay unsafe library h args all value err`)

// parameter makes the name of a parameter.
func parameter(name string) string {
	id := exported(name)
	runes := []rune(id)
	for i, r := range runes {
		// HTTPServer becomes httpServer
		if i > 0 && i+1 < len(runes) && !unicode.IsUpper(runes[i+1]) {
			break
		}
		if !unicode.IsUpper(r) {
			break
		}
		runes[i] = unicode.ToLower(r)
	}
	id = escape.GoName(string(runes), parameterNames...)
	if strings.HasPrefix(id, callPrefix) || strings.HasPrefix(id, fieldPrefix) || unicode.IsUpper([]rune(id)[0]) {
		id = "_" + id // it could hide a package variable
	}
	return id
}

// parameters returns the names of n parameters, each different. A parameter without a name is called arg and its position.
func parameters(names []string, n int) []string {
	out := make([]string, n)
	for i := range out {
		if i < len(names) && names[i] != "" {
			out[i] = parameter(names[i])
		} else {
			out[i] = fmt.Sprintf("arg%d", i)
		}
		for slices.Contains(out[:i], out[i]) {
			out[i] += "_"
		}
	}
	return out
}

// What the names of package variables begin with. No exported name does.
const (
	callPrefix  = "call"
	fieldPrefix = "field"
)

// handleMethods are the methods of gen.ObjectHandle. A class of such a name would hide the method where it is embedded.
var handleMethods = strings.Fields(`TypeKey Release Released String`)

// reservedMethods are further names that methods of a class must not have: the type that their handles begin with, and those
// that go vet wants with another signature.
var reservedMethods = strings.Fields(`ObjectHandle
	Format GobDecode GobEncode MarshalJSON MarshalXML ReadByte ReadFrom ReadRune Scan Seek UnmarshalJSON UnmarshalXML UnreadByte
	UnreadRune WriteByte WriteTo Is As Unwrap`)

// fileName makes the name of a file of a namespace. Its end keeps Go from taking the namespace for a platform or a test.
func fileName(namespace string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(namespace) {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			b.WriteRune(r)
		} else {
			b.WriteByte('_')
		}
	}
	name := strings.Trim(b.String(), "_") // a leading one would hide the file from Go
	if name == "" {
		name = "x"
	}
	return name + "_ffi.go"
}
