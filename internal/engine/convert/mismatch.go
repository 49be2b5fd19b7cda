package convert

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/engine/typetable"
	"github.com/selfsame-ffi/selfsame/internal/fault"
	"github.com/selfsame-ffi/selfsame/internal/kinds"
)

// pythonWords are pairs of the name of a type and what Python code calls it.
var pythonWords = append([]string{"Array<", "list[", "Map<", "dict[", "Set<", "set[", "Tuple<", "tuple["}, kinds.Words()...)

// TypeWords returns a type of a signature, such as Array<float>, as Python code calls it. It leaves alone what is only a part of a
// longer name, as in another_ffi.String.
func TypeWords(name string) string {
	var b strings.Builder
	for i := 0; i < len(name); {
		taken := 1
		words := name[i : i+1]
		for pairs := pythonWords; len(pairs) > 0; pairs = pairs[2:] {
			if isWholeName(name, i, pairs[0]) {
				taken, words = len(pairs[0]), pairs[1]
				break
			}
		}
		b.WriteString(words)
		i += taken
	}
	return withoutOptional(b.String())
}

// withoutOptional writes Optional[X] as "X or None".
func withoutOptional(text string) string {
	const optional = "Optional["
	at := strings.LastIndex(text, optional) // the innermost
	if at < 0 || at > 0 && isOfName(text[at-1]) {
		return text
	}
	inside, depth, end := text[at+len(optional):], 1, 0
	for ; end < len(inside); end++ {
		switch inside[end] {
		case '[':
			depth++
		case ']':
			depth--
		}
		if depth == 0 {
			return withoutOptional(text[:at] + inside[:end] + " or None" + inside[end+1:])
		}
	}
	return text
}

// isWholeName reports whether text has the name at a place, and neither before nor behind it what belongs to a longer name.
func isWholeName(text string, at int, name string) bool {
	end := at + len(name)
	switch {
	case !strings.HasPrefix(text[at:], name):
		return false
	case at > 0 && isOfName(text[at-1]) && isOfName(name[0]):
		return false
	}
	return end == len(text) || !isOfName(text[end]) || name[len(name)-1] == '.' || !isOfName(name[len(name)-1])
}

// isOfName reports whether a byte is one of a dotted name.
func isOfName(c byte) bool {
	return c == '.' || c == '_' || c >= 0x80 || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// words returns what the value was instead, and behind that where in a container, and what to do.
func (m *Mismatch) words() (got, behind string) {
	if len(m.path) > 0 {
		behind = " at " + m.path.String()
	}
	return TypeWords(cmp.Or(m.inner, m.Got)), behind + m.hint
}

// Words says what the value was instead, and where in a container.
func (m *Mismatch) Words() string {
	got, behind := m.words()
	return got + behind
}

// Refused returns the error that says what it is about ("": nothing), the name of the type that was expected, and Words.
func (m *Mismatch) Refused(subject, typeName string) *fault.Error {
	return m.RefusedFor(subject, TypeWords(typeName))
}

// RefusedFor does the same with words for what was expected.
func (m *Mismatch) RefusedFor(subject, expected string) *fault.Error {
	got, behind := m.words()
	return fault.Refused(subject, expected, got, behind, m.path)
}

// WithHint returns the mismatch with what the caller should do, behind all else that messages say of it.
func (m *Mismatch) WithHint(hint string) *Mismatch {
	m.hint = "; " + hint
	return m
}

// WrongSize returns the mismatch of an Array with n elements.
func WrongSize(n int) *Mismatch {
	return &Mismatch{Got: fmt.Sprintf("Array[size=%d]", n), inner: fmt.Sprintf("list of length %d", n)}
}

// inside returns the mismatch of a container, of which the element behind a step does not fit. got names the container's type
// and its place there.
func (m *Mismatch) inside(got string, step ...string) *Mismatch {
	return &Mismatch{Got: got + ": " + m.Got + "]", inner: cmp.Or(m.inner, m.Got), path: append(step, m.path...), hint: m.hint}
}

// Mismatched returns the mismatch of a value.
func Mismatched(v *abi.Any) error {
	if v.TypeIndex == abi.IndexOpaquePyObject && pythonUnpack.Function() != nil {
		if _, err := Unpack("type", v); err != nil { // with the name of the Python type
			return err
		}
	}
	return &Mismatch{Got: ValueTypeKey(v)}
}

// Mismatch is the error of a value whose type is not the expected one. The caller adds the expected type and the place.
type Mismatch struct {
	Got   string // the value's type key
	inner string // in words, or of the element at path, if the mismatch is inside a container; may be empty
	path  fault.Path
	hint  string // what to do, behind "; "; may be empty
}

func (m *Mismatch) Error() string { return m.Got }

// ValueTypeKey returns the type key of a value, for messages.
func ValueTypeKey(v *abi.Any) string {
	if v.IsObject() {
		return typetable.TypeInfo(v.TypeIndex).Key.String()
	}
	if k, ok := kinds.Of(v.TypeIndex); ok {
		return k.Key
	}
	return fmt.Sprintf("type index %d", v.TypeIndex)
}

// atEntry adds to an error which entry of a map it is about.
func atEntry(typeName, part string, key *abi.Any, err error) error {
	place, step := typeName+"["+part+" at "+KeyText(key), KeyText(key)
	if part == "key" {
		step = ""
	}
	m, ok := err.(*Mismatch)
	switch {
	case !ok:
		return within(place+"]", step, err)
	case step == "":
		m = m.inside(place)
		m.inner += " as a key"
		return m
	}
	return m.inside(place, step)
}

// AtIndex adds to an error which element of a sequence it is about. nil gives nil.
func AtIndex(typeName string, i int, err error) error {
	if err == nil {
		return nil
	}
	place, step := fmt.Sprintf("%s[index %d", typeName, i), strconv.Itoa(i)
	if m, ok := err.(*Mismatch); ok {
		return m.inside(place, step)
	}
	return within(place+"]", step, err)
}

// InElement adds to an error which element it is about, of which Python code could not write the path. It leaves native errors as
// they are, and those of values that are nested too deep.
func InElement(where string, err error) error { return within(where, "", err) }

func within(where, step string, err error) error {
	if e, ok := fault.MadeInGo(err); ok && e.Kind != deepKind {
		return e.Within(where, step)
	}
	return err
}

func ResultError(c *Conv, err error) error {
	if m, ok := err.(*Mismatch); ok {
		return fault.New("TypeError", "Cannot convert from type `%s` to `%s`", m.Got, c.Name())
	}
	return err
}
