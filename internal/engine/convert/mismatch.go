package selfsame

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/kinds"
)

// pythonWords replaces the names of types by what Python code calls them.
var pythonWords = strings.NewReplacer(append([]string{"Array<", "list[", "Map<", "dict[", "Tuple<", "tuple["}, kinds.Words()...)...)

// typeWords returns a type of a signature, such as Array<float>, as Python code calls it.
func typeWords(name string) string { return pythonWords.Replace(name) }

// words says what the value was instead, and where in a container.
func (m *mismatch) words() string {
	text := typeWords(cmp.Or(m.inner, m.got))
	if m.path != "" {
		text += " at " + m.path
	}
	return text
}

// wrongSize returns the mismatch of an Array with n elements.
func wrongSize(n int) *mismatch {
	return &mismatch{got: fmt.Sprintf("Array[size=%d]", n), inner: fmt.Sprintf("list of length %d", n)}
}

// inside returns the mismatch of a container, of which the element at a path does not fit. got names the container's type
// and its place there.
func (m *mismatch) inside(got, path string) *mismatch {
	return &mismatch{got: got + ": " + m.got + "]", inner: cmp.Or(m.inner, m.got), path: path + m.path}
}

// mismatched returns the mismatch of a value.
func mismatched(v *abi.Any) error {
	if v.TypeIndex == abi.IndexOpaquePyObject && pythonUnpack.function() != nil {
		if _, err := unpack("type", v); err != nil { // with the name of the Python type
			return err
		}
	}
	return &mismatch{got: valueTypeKey(v)}
}

// mismatch is the error of a value whose type is not the expected one. The caller adds the expected type and the place.
type mismatch struct {
	got   string // the value's type key
	inner string // in words, or of the element at path, if the mismatch is inside a container; may be empty
	path  string // such as [2]["name"]
}

func (m *mismatch) Error() string { return m.got }

// valueTypeKey returns the type key of a value, for messages.
func valueTypeKey(v *abi.Any) string {
	if v.IsObject() {
		return typeInfo(v.TypeIndex).Key.String()
	}
	if k, ok := kinds.Of(v.TypeIndex); ok {
		return k.Key
	}
	return fmt.Sprintf("type index %d", v.TypeIndex)
}

// atEntry adds to an error which entry of a map it is about.
func atEntry(typeName, part string, key *abi.Any, err error) error {
	if m, ok := err.(*mismatch); ok {
		got := typeName + "[" + part + " at " + keyText(key)
		if part == "key" {
			m = m.inside(got, "")
			m.inner += " as a key"
			return m
		}
		return m.inside(got, "["+keyText(key)+"]")
	}
	return inElement(typeName+"["+part+" at "+keyText(key)+"]", err)
}

// atIndex adds to an error which element of a sequence it is about. nil gives nil.
func atIndex(typeName string, i int, err error) error {
	if m, ok := err.(*mismatch); ok {
		return m.inside(fmt.Sprintf("%s[index %d", typeName, i), fmt.Sprintf("[%d]", i))
	}
	if err == nil {
		return nil
	}
	return inElement(fmt.Sprintf("%s[index %d]", typeName, i), err)
}

// inElement adds to an error which element it is about. It leaves native errors as they are.
func inElement(where string, err error) error {
	if e, ok := madeInGo(err); ok {
		return newError(e.Kind, "%s: %s", where, e.Message)
	}
	return err
}

func resultError(c *conv, err error) error {
	if m, ok := err.(*mismatch); ok {
		return newError("TypeError", "Cannot convert from type `%s` to `%s`", m.got, c.name())
	}
	return err
}
