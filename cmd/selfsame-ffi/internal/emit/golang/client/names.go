package client

import (
	"regexp"
	"slices"
	"strconv"
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

// initialisms are the words that Go writes in capitals; ids becomes IDs.
var initialisms = strings.Fields(`api ascii ast cpu cuda dns ebnf eof ffi fsm gpu guid html http https id io ip ir json llvm nvcc qps ram
	rpc sql ssh tcp tls ttl udp ui uid uri url utf8 uuid vm xml`)

// capitals matches the words of a registered name that are initialisms.
var capitals = regexp.MustCompile(`(^|[^\p{L}\p{N}])(` + strings.Join(initialisms, "|") + `)(s?)($|[^\p{L}\p{N}])`)

// exported makes an exported name of a registered one: get_next.token becomes GetNextToken, from_json FromJSON.
func exported(name string) string {
	for capitals.MatchString(name) {
		name = capitals.ReplaceAllStringFunc(name, func(word string) string {
			parts := capitals.FindStringSubmatch(word)
			return parts[1] + strings.ToUpper(parts[2]) + parts[3] + parts[4]
		})
	}
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
	if rest, ok := strings.CutPrefix(id, "IDs"); ok {
		id = "Ids" + rest
	}
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

// parameters returns the names of parameters with these Go types, each different. One without a name is called after its type.
func parameters(names, types []string) []string {
	out := make([]string, len(types))
	for i, t := range types {
		named := i < len(names) && names[i] != ""
		if named {
			out[i] = parameter(names[i])
		} else {
			out[i] = afterType(t)
		}
		for base, n := out[i], 2; slices.Contains(out[:i], out[i]); n++ {
			if out[i] += "_"; !named {
				out[i] = base + strconv.Itoa(n)
			}
		}
	}
	return out
}

// typeNames are names of parameters of types that have no name of their own to give.
var typeNames = map[string]string{
	"int64": "n", "float64": "x", "bool": "flag", "string": "text", "[]byte": "data", "any": "v", "selfsame.Native": "object",
	"selfsame.DataType": "dtype", "unsafe.Pointer": "pointer", "selfsame.AnyHandle": "object",
}

// afterType returns a name for a parameter of which only the type is known: primExpr for a *PrimExpr, n for an int64.
func afterType(t string) string {
	t = strings.TrimSuffix(strings.TrimPrefix(t, "selfsame.Optional["), "]")
	if name, ok := typeNames[t]; ok {
		return name
	}
	if strings.HasPrefix(t, "func(") {
		return "f"
	}
	t, _, _ = strings.Cut(strings.TrimPrefix(t, "*"), "[")
	return parameter(strings.TrimPrefix(t, "selfsame."))
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
