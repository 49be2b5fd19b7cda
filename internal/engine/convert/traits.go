package convert

import (
	"strings"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/engine/typetable"
)

// Traits are what is known of a conversion without converting a value: which values it accepts, what it makes of them and who
// owns the memory.
type Traits struct {
	Fast      FastKind // how its values are converted without reflection; NoFastPath: they are not
	BitsIndex int32    // the type index of the values whose 8 bytes are the Go value, or NoBitsIndex
	// HandleOf is set for a Go type that is the address of a handle state: for an instance of the class HandleOf, the address
	// that handles.Fetch returns is the Go value. Nilable says that its Check accepts None, which is nil in Go.
	HandleOf *typetable.Class
	Nilable  bool
	// Required is how messages name an argument that must not be nil; "" where nil is None.
	Required string
	// container is set for a pointer to a container's reference, whose first word is the container's address; nil is None.
	container bool

	Borrows      bool         // the Go value is valid only while the value it was made from is
	Lends        bool         // From accepts lent values too
	LendsNumbers bool         // From accepts a lent DLTensor
	CopiesBytes  bool         // of an array of bytes: From copies lent bytes
	lendsBytes   bool         // the Go value is the caller's own memory of bytes
	Writes       bool         // From accepts a Python object through which the func writes, opaque; lent memory can be written
	WritesAny    bool         // of those From accepts lists and dicts only
	LendsTensor  bool         // the Go value is the address of a DLTensor, the caller's
	Elements     abi.DataType // of a slice type with LendsNumbers: of its elements

	CallsOnly     bool   // only parameters and results may have the type, and what they contain: no field of a class
	OnlyResult    string // why values only leave Go, and what to write instead; "": they also enter it
	OnlyParameter string // why values only enter Go, and what to write instead; "": they also leave it

	Classes []*typetable.Class // the classes that occur in name and schema
	Records []*Record          // the records that occur in name and schema
}

// TraitsOf returns the traits of a type that is made of parts, whose values it copies: it borrows where a part does, and is
// limited as its parts are.
func TraitsOf(parts ...*Conv) Traits {
	made := Traits{BitsIndex: NoBitsIndex}
	for _, p := range parts {
		made.Borrows = made.Borrows || p.Borrows
		made.CallsOnly = made.CallsOnly || p.CallsOnly
		made.OnlyParameter += p.OnlyParameter
		made.OnlyResult += p.OnlyResult
		made.Classes = append(made.Classes, p.Classes...)
		made.Records = append(made.Records, p.Records...)
	}
	return made
}

// KeptTraitsOf does TraitsOf's work for a type whose values keep those of their parts alive, such as the handle of a
// container.
func KeptTraitsOf(parts ...*Conv) Traits {
	made := TraitsOf(parts...)
	made.Borrows = false
	return made
}

// NamesOf joins the names of conversions in messages.
func NamesOf(parts []*Conv) string {
	names := make([]string, len(parts))
	for i, p := range parts {
		names[i] = p.Name()
	}
	return strings.Join(names, ", ")
}

// SchemasOf returns the schemas of conversions.
func SchemasOf(parts []*Conv) []string {
	schemas := make([]string, len(parts))
	for i, p := range parts {
		schemas[i] = p.Schema()
	}
	return schemas
}
