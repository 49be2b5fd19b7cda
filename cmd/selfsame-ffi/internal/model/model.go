// Package model describes a compiled library: its classes and functions, from their reflection data. The types are
// data without behaviour, which is sent as JSON from the process that loads the library to the one that writes the module.
package model

import "iter"

// Library is everything a package registered.
type Library struct {
	Classes   []Class    `json:"classes,omitempty"`
	Functions []Function `json:"functions,omitempty"`

	Errors []ErrorKind `json:"errors,omitempty"` // only as far as the source says
}

// ErrorKind is a kind of errors of the package, such as shop.SoldOut.
type ErrorKind struct {
	Kind string `json:"kind"`
	Doc  string `json:"doc,omitempty"`
	Base string `json:"base,omitempty"` // a builtin exception that it is too
}

// Records returns the records in the signatures of all functions and methods, without repetitions.
func (l *Library) Records() []Record {
	var all []Record
	seen := map[string]bool{}
	for f := range l.Callables() {
		for _, r := range f.Records {
			if !seen[r.Key] {
				seen[r.Key] = true
				all = append(all, r)
			}
		}
	}
	return all
}

// Callables returns all functions, and the constructors and methods of the classes.
func (l *Library) Callables() iter.Seq[*Function] {
	return func(yield func(*Function) bool) {
		for i := range l.Functions {
			if !yield(&l.Functions[i]) {
				return
			}
		}
		for i := range l.Classes {
			c := &l.Classes[i]
			if c.Init != nil && !yield(c.Init) {
				return
			}
			for j := range c.Methods {
				if !yield(&c.Methods[j]) {
					return
				}
			}
		}
	}
}

// Record is a struct without methods in a signature, which crosses by value.
type Record struct {
	Key    string  `json:"key"`
	Doc    string  `json:"doc,omitempty"`
	Fields []Field `json:"fields,omitempty"`
}

// Class is one registered type with the members that it adds to its parent.
type Class struct {
	Key     string     `json:"key"`
	Joined  []string   `json:"joined,omitempty"` // what further packages of the library call the class
	Alias   string     `json:"-"`                // the one of Joined by which a module has it; "": its key
	Parent  string     `json:"parent"`
	Doc     string     `json:"doc,omitempty"`
	Fields  []Field    `json:"fields,omitempty"`
	Init    *Function  `json:"init,omitempty"` // nil: the parent's constructor
	Methods []Function `json:"methods,omitempty"`
	Members []Member   `json:"members,omitempty"` // of an enum
	Enum    *Enum      `json:"enum,omitempty"`    // of a wrapped type of constants, which is a class of Python's enum
	Dynamic bool       `json:"dynamic,omitempty"` // objects take further attributes in Python

	Abstract string `json:"abstract,omitempty"` // the class of collections.abc that it is: Mapping, MutableMapping, Set or Iterator

	Operators []string `json:"operators,omitempty"` // words of the type attribute __ffi_operators__

	Items *Schema `json:"items,omitempty"` // of a class whose objects are lists, dicts or sets: go.Sequence, go.Mapping or go.MutableSet

	Memory *Memory `json:"memory,omitempty"` // nil: the library does not explain it
}

// Memory says what an object consists of, in bytes from its header.
type Memory struct {
	Size  int64  `json:"size"`
	Parts []Part `json:"parts,omitempty"` // in the order of their offsets, inherited ones included
}

// Part is a field in the memory of an object.
type Part struct {
	Name   string `json:"name"`
	Type   string `json:"type"` // as in Schema
	Offset int64  `json:"offset"`
	Size   int64  `json:"size"`
}

// Member is one member of an enum.
type Member struct {
	Name   string `json:"name"`
	Number int64  `json:"number"`
}

// Enum says of which kind the enum for a type of constants is, and what its members are.
type Enum struct {
	Base    string     `json:"base"` // GoIntEnum, GoIntFlag or GoStrEnum
	Members []Constant `json:"members"`
}

// Constant is a member of an Enum.
type Constant struct {
	Name  string `json:"name"`
	Value string `json:"value"` // as Python writes it
	Doc   string `json:"doc,omitempty"`
}

// Field is one field of a class.
type Field struct {
	Name     string `json:"name"`
	Doc      string `json:"doc,omitempty"`
	Type     Schema `json:"type"`
	Writable bool   `json:"writable,omitempty"`
	Default  string `json:"default,omitempty"` // a Python expression, `...` if it has no short one; empty: none
}

// Function is a global function, a method or a constructor. Args does not include a method's object.
type Function struct {
	Name     string   `json:"name"`
	Doc      string   `json:"doc,omitempty"`
	Static   bool     `json:"static,omitempty"`
	Typed    bool     `json:"typed"` // the signature is known; otherwise any arguments are accepted
	Result   Schema   `json:"result"`
	Args     []Schema `json:"args,omitempty"`
	ArgNames []string `json:"arg_names,omitempty"` // empty, or as long as Args
	Keywords bool     `json:"keywords,omitempty"`  // the names are registered, so that a caller may use them

	ArgDefaults []string `json:"arg_defaults,omitempty"` // Python expressions for the last len(ArgDefaults) of Args
	OfFields    bool     `json:"of_fields,omitempty"`    // a constructor that the runtime derives from the fields
	ByName      []Field  `json:"by_name,omitempty"`      // keyword-only arguments

	Property string   `json:"property,omitempty"` // the property that a method gets, if it has its name, or sets
	Variadic bool     `json:"variadic,omitempty"` // the last of Args is an array of any number of arguments
	Context  bool     `json:"context,omitempty"`  // the Go func has a context, which Args does not include
	GoFunc   string   `json:"go_func,omitempty"`  // the Go func's symbol, such as example.com/geo.nearest
	Records  []Record `json:"records,omitempty"`  // in its signature
	Module   bool     `json:"module,omitempty"`   // a function of the library's module, not a global one
}
