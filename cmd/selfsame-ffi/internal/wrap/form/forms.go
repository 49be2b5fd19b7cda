package form

import (
	"go/types"
	"strconv"
)

// Form is what an item becomes: one of the types below.
type Form interface{ form() }

// Way is how a value crosses between Python and Go.
type Way int

// The ways.
const (
	Same          Way = iota // as its type
	Renamed                  // as its type, which the generated package declares for one without a name
	Number                   // an address, as a number
	Optional                 // as its type, or not at all
	InPlace                  // a pointer, as an object that holds the value
	Pointed                  // the same, or as the value, which gets what the func writes
	Anything                 // as an object whose type has no class
	Uncalled                 // a func that Python could not call, as such an object
	Hidden                   // a type that cannot be written, as the plain value or whatever Go code returned
	Within                   // the context of the call
	Stored                   // a pointer to any type, through which the func stores a result
	Sending                  // a channel to which Python's callable gets what is sent
	KeptSending              // the same, which Go code keeps
	Receiving                // a channel which gives what Python's iterable has
	SentToHere               // a channel of Go code to which Python sends by a callable
	Writes                   // as its type; the func writes through it
	MaybeWrites              // as its type; whether the func writes through it is not known
	WritesCopy               // the same of a copy, as the func may keep it
	ShownIn                  // a container or a struct in an object, where it is
	ShownOf                  // the same in a package variable
	ShownResult              // a container that a func returned and Go goes on using
	ShownByMethod            // the same of a method
	Typed                    // an error, which Go has as one of a type of its own
)

// Value is a value that crosses: a parameter, a result or a field.
type Value struct {
	Type  types.Type // of the value; for Hidden the one that callers give; for channels the channel
	Way   Way
	Place *Place // of InPlace and Pointed
	Nil   bool   // of a slice or a map: None is nil, which is another argument than an empty list or dict

	Letter bool // of a rune that Python gives: a text of one character is one too
}

// Call calls a func, a method or a value of a func type.
type Call struct {
	Func      *types.Func // nil: a value of the class is called
	Signature *types.Signature
	TypeArgs  []types.Type
	Class     *Class   // of whose object it is a method; nil for a func
	Static    bool     // a static method
	Through   *Through // nil: nothing is between
	Params    []*Param // in the order of Go
	Options   *Options // keyword arguments behind the fixed ones; nil: none
	Results   Results
	Python    string      // what messages call it
	Stopper   *types.Func // the method that ends this one when its caller must end; nil: none, or none is needed
	Unlocked  bool        // it is called while another call has the lock of the object
	Malformed bool        // an error of which nothing is known speaks of the text that is read
}

// Name returns the name of the func, "" for a value.
func (c *Call) Name() string {
	if c.Func == nil {
		return ""
	}
	return c.Func.Name()
}

// Stores says whether a parameter takes what the func stores.
func (c *Call) Stores() bool {
	for _, p := range c.Params {
		if p.Way == Stored {
			return true
		}
	}
	return false
}

// Param is a parameter.
type Param struct {
	Value
	Index     int    // among those in Go
	Python    string // its name
	MayBeLeft bool   // it has a default: none
	Rest      bool   // any number of them
	Locks     bool   // its value may be an object whose calls are serialised
	Needed    bool   // the func fails for nil
}

// Shown names a parameter in messages: by its name, or by its place among the others.
func Shown(p *types.Var, i int) string {
	if p.Name() == "" || p.Name() == "_" {
		return strconv.Itoa(i)
	}
	return "'" + p.Name() + "'"
}

// Results are the results of a call.
type Results struct {
	Values []Value
	Fails  bool // an error is behind them
	Typed  bool // that error is of a type of its own
	Found  bool // the only value, Optional or not, has a bool behind it that says whether there is one
}

// Through is a generic func that leads to one whose signature has types that the generated package cannot write: the compiler finds
// them. A parameter of a basic type takes the plain value, another one what funcs of the wrapped package return.
type Through struct {
	Go      string             // its name
	Params  map[int]types.Type // what callers give for those parameters
	Results map[int]bool       // those of such types
}

// Options are keyword arguments that stand for the options of a func: for the fields of a struct of options, or for the funcs that make
// options of the type that a variadic func takes, as WithPort(80) does.
type Options struct {
	Struct  *types.Named // nil: there are funcs
	Pointer bool         // the parameter is a pointer to the struct
	Param   *Param       // that takes the options
	All     []Option
}

// Option is a keyword argument that stands for one option. Its value is Same, where nil is none, or Optional.
type Option struct {
	Python string
	Value  Value
	Field  string      // of a struct
	Func   *types.Func // that makes the option
	Flag   bool        // the func takes nothing
	Spread bool        // the func takes any number of values, which are one here
}

// Constructor makes objects by a func.
type Constructor struct {
	*Call
	Of     *Class
	Value  bool    // the func returns a value, not a pointer
	Fields []Field // to set; behind the parameters of the func they are keyword arguments
}

// Zero makes objects of the zero value of a struct, and sets fields.
type Zero struct {
	Of     *Class
	Fields []Field
}

// Field is a field that an argument sets, which may be left out. The value is Same, where nil is none, or Optional.
type Field struct {
	Go, Python string
	Value      Value
}

// Conversion makes objects of plain values of the type below.
type Conversion struct{ Of *Class }

// Items is what a list, a dict or a set has, for the class of a slice, array or map type.
type Items struct{ Of *Class }

// Reading is a method that fills bytes of its caller, as Read of io.Reader and ReadAt of io.ReaderAt. In Python it returns bytes.
type Reading struct {
	Of *Class
	Go string
	At bool
}

// Property is a field of a struct as an attribute.
type Property struct {
	Of       *Class
	Go       string
	Get      Value
	Set      Value
	Writable bool
}

// Variable is a package variable, which a func returns.
type Variable struct {
	Var   *types.Var
	Value Value
}

// SetVariable is a func that sets a package variable.
type SetVariable struct{ Var *types.Var }

// ErrorValue makes an exception of an error that is a variable or a constant.
type ErrorValue struct {
	Object types.Object
	Base   string // a builtin exception that it is too, "" for none
}

// ErrorType makes an exception of the errors of a type.
type ErrorType struct {
	Named   *types.Named
	ByValue bool // errors are values of the type, not pointers to them
	Base    string
}

// ErrorDetails is a func that returns the value of a type behind an exception.
type ErrorDetails struct{ ErrorType }

// Implementation is how Python classes implement an interface: by a struct whose methods call the object's.
type Implementation struct {
	Of      *Class
	Methods []Implemented
}

// Implemented is one of those methods.
type Implemented struct {
	Func    *types.Func
	Python  string
	Special Special
	Params  []Value // what the Python method gets
	Results []Value // what it returns
}

// Special says that a method of an interface is one which Python writes in another way.
type Special int

// The ways of those methods.
const (
	Ordinary Special = iota
	Reads            // as Reading
	ReadsAt
	Opens // as Open of a file system, which returns any binary file
)

func (*Call) form()           {}
func (*Constructor) form()    {}
func (*Zero) form()           {}
func (*Conversion) form()     {}
func (*Items) form()          {}
func (*Reading) form()        {}
func (*Property) form()       {}
func (*Variable) form()       {}
func (*SetVariable) form()    {}
func (*ErrorValue) form()     {}
func (*ErrorType) form()      {}
func (*ErrorDetails) form()   {}
func (*Implementation) form() {}
func (*Operation) form()      {}
