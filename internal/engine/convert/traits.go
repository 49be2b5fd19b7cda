package selfsame

import (
	"strings"

	"github.com/selfsame-ffi/selfsame/abi"
)

// traits are what is known of a conversion without converting a value: which values it accepts, what it makes of them and who
// owns the memory.
type traits struct {
	fast  fastKind // how its values are converted without reflection; noFastPath: they are not
	plain int32    // the type index of the values whose 8 bytes are the Go value, or noPlain
	// handleOf is set for a Go type that is the address of a handle state and does not accept None: for an instance of the
	// class handleOf, the address that handles.Fetch returns is the Go value.
	handleOf *class

	borrows      bool         // the Go value is valid only while the value it was made from is
	lends        bool         // from accepts lent values too
	lendsNumbers bool         // from accepts a lent DLTensor
	lendsBytes   bool         // the Go value is the caller's own memory of bytes
	elements     abi.DataType // of a slice type with lendsNumbers: of its elements

	callsOnly     bool   // only parameters and results may have the type, and what they contain: no field of a class
	onlyResult    string // why values only leave Go, and what to write instead; "": they also enter it
	onlyParameter string // why values only enter Go, and what to write instead; "": they also leave it

	classes []*class  // the classes that occur in name and schema
	records []*record // the records that occur in name and schema
}

// traitsOf returns the traits of a type that is made of parts, whose values it copies: it borrows where a part does, and is
// limited as its parts are.
func traitsOf(parts ...*conv) traits {
	made := traits{plain: noPlain}
	for _, p := range parts {
		made.borrows = made.borrows || p.borrows
		made.callsOnly = made.callsOnly || p.callsOnly
		made.onlyParameter += p.onlyParameter
		made.onlyResult += p.onlyResult
		made.classes = append(made.classes, p.classes...)
		made.records = append(made.records, p.records...)
	}
	return made
}

// keptTraitsOf does traitsOf's work for a type whose values keep those of their parts alive, such as the handle of a
// container.
func keptTraitsOf(parts ...*conv) traits {
	made := traitsOf(parts...)
	made.borrows = false
	return made
}

// namesOf joins the names of conversions in messages.
func namesOf(parts []*conv) string {
	names := make([]string, len(parts))
	for i, p := range parts {
		names[i] = p.name()
	}
	return strings.Join(names, ", ")
}

// schemasOf returns the schemas of conversions.
func schemasOf(parts []*conv) []string {
	schemas := make([]string, len(parts))
	for i, p := range parts {
		schemas[i] = p.schema()
	}
	return schemas
}
