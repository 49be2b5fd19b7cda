// Package reason is the list of the reasons why wrap leaves something out, each with the advice what its user can write instead.
package reason

import "fmt"

// Kind is one of the reasons.
type Kind int

// The reasons. Those about a type name it, and some a part of it.
const (
	Omitted          Kind = iota // a person asked for it
	NoCounterpart                // Python has nothing like a value of the type
	Channel                      // a channel stands where none can cross
	Unnamed                      // a struct or interface without a name
	NotInstantiated              // a generic type without type arguments
	ByValue                      // a type crosses only by pointer
	Constraint                   // an interface that is no type of values
	NotExported                  // another package cannot name the type
	InFunc                       // the type is declared in a func
	Internal                     // the type is of an internal package
	PartNotExported              // another package cannot write the type, because of one part
	Unwritable                   // another package cannot write the type
	NoInstances                  // no type of Python's fits a generic func
	OnlyItsPackage               // only the package of an interface can implement a method
	DoesNotCompile               // the compiler refuses the generated code
	RefusedByRuntime             // the frontend refuses to register it
)

// rows are the texts of the reasons, in which %s is what the reason names, and the advice, "" for none.
var rows = [...]struct{ text, advice string }{
	Omitted:          {"left out by //wrap:omit", ""},
	NoCounterpart:    {"%s has no counterpart in Python", "write a func that returns the value instead of storing it through a pointer"},
	Channel:          {"channels cross only as results", "write a func that takes an iter.Seq and feeds the channel"},
	Unnamed:          {"%s without a name has no class", "write a func that takes a named type"},
	NotInstantiated:  {"%s was not instantiated", ""},
	ByValue:          {"%s by value cannot cross", ""},
	Constraint:       {"%s is a constraint, not a type of values", ""},
	NotExported:      {"the type %s is not exported", callIt},
	InFunc:           {"the type %s is declared in a func", ""},
	Internal:         {"the type %s is of an internal package", ""},
	PartNotExported:  {"%s, which is not exported, cannot be written", callIt},
	Unwritable:       {"%s cannot be written", ""},
	NoInstances:      {"no type that Python has meets the constraints of its type parameters", "write a func that instantiates it"},
	OnlyItsPackage:   {"it is not exported, so only its package can implement the interface", callIt},
	DoesNotCompile:   {"its code does not compile: %s", ""},
	RefusedByRuntime: {"%s", ""},
}

const callIt = "a func of your own in overrides.go may call it with a value that it gets from an exported func"

// Reason is why something is left out.
type Reason struct {
	Kind  Kind
	what  string // fills the text
	where string // stands before it
}

// New returns a reason. what names a type, or says what a compiler or the frontend said.
func New(kind Kind, what string) *Reason { return &Reason{Kind: kind, what: what} }

// In returns the reason with words in front that say where it holds, such as which parameter has the type.
func (r *Reason) In(format string, args ...any) *Reason {
	return &Reason{r.Kind, r.what, fmt.Sprintf(format, args...) + r.where}
}

// String returns the text without advice.
func (r *Reason) String() string {
	if r.what == "" {
		return r.where + rows[r.Kind].text
	}
	return r.where + fmt.Sprintf(rows[r.Kind].text, r.what)
}

// Advice says what to write instead, "" where there is nothing.
func (r *Reason) Advice() string { return rows[r.Kind].advice }
