// Package form has what wrap decides of Go packages as data: what each class, func, constant and error becomes in Python. It has no text of
// Go or Python: the packages that write a language read it.
package form

import (
	"go/constant"
	"go/types"
	"slices"
	"strings"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/wrap/reason"
)

// Plan is what to write.
type Plan struct {
	Name      string // of the Python package
	Doc       string
	Packages  []*types.Package // those that are wrapped
	Classes   []*Class
	Functions []*Item
	Constants []*Constant
	Errors    []*Item
	Declared  []Declared
	Unions    []*Union                   // those of more methods first
	Anys      []*types.Named             // interfaces without methods
	Records   map[string]string          // comments of records and their fields, by symbol
	ByValue   map[string]string          // the records, by type string, under their names in the Python package
	Aliases   map[string]*types.TypeName // the other name of a type that has no other outside of its package, by path and name

	Submodules []*Submodule // of several wrapped packages, one each
	Foreign    []*Submodule // of the packages whose types signatures mention
}

// Submodule has the names of one of several wrapped packages.
type Submodule struct {
	Name, Path string      // of the Python module and the Go package
	Names      [][2]string // the names in it, and those of the same things in the Python package
}

// Declared is a type that the generated package needs for itself: either is set.
type Declared struct {
	Type  *types.Named // of a struct or interface that has no name in a wrapped package
	Place *Place
}

// Union is what a Python class implements that derives from several interfaces.
type Union struct {
	Of      []*Class
	Both    []Implemented // the methods that more than one of them has
	Methods int           // how many they have
}

// Place is the type of objects that hold a value for Go code with a pointer to it.
type Place struct {
	Of types.Type // of the value
	Go string     // the name of the type
}

// Kind says what a class stands for.
type Kind int

// The kinds of classes.
const (
	Pointer   Kind = iota // a Go type T, as *T and T
	Interface             // an interface type
)

// Class is a class that stands for a Go type.
type Class struct {
	Kind    Kind
	Named   *types.Named // the type, or an instance of it
	Place   *Place       // of a class of places, which has no other type; nil for others
	Go      string       // the name of the struct in the generated package
	Key     string       // the type key, such as roaring.Bitmap
	Doc     string
	ByValue bool
	Shared  bool
	Target  bool  // of a package that is wrapped, not of one that it mentions
	Depth   int   // how many types lead to it from a wrapped package
	Enum    *Enum // for a type of constants; nil for others
	// Abstract is the class of collections.abc that the class is, beside Sequence: Mapping, MutableMapping, Set, Iterator or "".
	Abstract string
	Init     *Item
	Members  []*Item
	Adapter  *Item // how Python classes implement the interface; nil: they cannot
	Names    Names // of the members
}

// Enum is a number or text type with constants, as a class of Python's enum.
type Enum struct {
	Flags   bool // its constants are bits
	Members []EnumMember
}

// EnumMember is a member of an enum: a constant of Go.
type EnumMember struct {
	Python string
	Const  *types.Const
	Doc    string
}

// Python returns the name of the class in Python.
func (c *Class) Python() string { return c.Key[strings.LastIndexByte(c.Key, '.')+1:] }

// Path returns that name with the submodule in front that the class of a foreign type has.
func (c *Class) Path() string {
	_, path, _ := strings.Cut(c.Key, ".")
	return path
}

// InPackage returns the name under which the Python package itself has the class: its own one, or one that is private.
func (c *Class) InPackage() string {
	if of, name, found := strings.Cut(c.Path(), "."); found {
		return PrivateName(of, name)
	}
	return c.Python()
}

// PrivateName returns the name in the Python package of what a submodule has.
func PrivateName(submodule, name string) string { return "_" + submodule + "_" + name }

// Has says whether the class has a member of a name in Python.
func (c *Class) Has(python string) bool {
	return slices.ContainsFunc(c.Members, func(i *Item) bool { return i.Python == python })
}

// Item is one thing that is registered.
type Item struct {
	ID      string // as in Go: NewBitmap, Bitmap.Add
	Python  string
	Counted bool // an exported func or method of a wrapped package
	Doc     string
	Form    Form           // what it becomes; nil: nothing
	Reason  *reason.Reason // why it is left out; nil: it is not
	Notes   []string       // what of it does not come back or is not seen, and why
}

// IsWritten says whether there is something to write for an item, which may be nil.
func (i *Item) IsWritten() bool { return i != nil && i.Reason == nil && i.Form != nil }

// Constant is a constant of the Python package: a value, another name for an exception or a class, or a name for a type.
type Constant struct {
	ID, Python string
	Doc        string

	Value    constant.Value
	Float    bool   // the type is one of floats, whatever the value
	Duration bool   // the type is time.Duration
	Class    *Class // the class of the type, if it has one
	Member   string // the member that it is in an enum's class

	Other   string // another exception or a class of the package, by its name in it
	Builtin string // an exception of Python's, by its name

	Alias types.Type // a type whose values cross as plain ones
}

// Items returns all items of the plan.
func (p *Plan) Items() []*Item {
	var all []*Item
	for _, c := range p.Classes {
		if c.Init != nil {
			all = append(all, c.Init)
		}
		all = append(all, c.Members...)
		if c.Adapter != nil {
			all = append(all, c.Adapter)
		}
	}
	all = append(all, p.Functions...)
	return append(all, p.Errors...)
}

// Reach leaves out of the submodules the records that nothing written mentions, by type string: Python has no class of those.
func (p *Plan) Reach(mentioned map[string]bool) {
	for _, s := range slices.Concat(p.Submodules, p.Foreign) {
		s.Names = slices.DeleteFunc(s.Names, func(n [2]string) bool {
			key, record := p.ByValue[n[1]]
			return record && !mentioned[key]
		})
	}
}

// Refuse gives the item of a registered name its reason: the frontend does not take it. It returns false when there is no such item.
func (p *Plan) Refuse(name, text string) bool {
	why := reason.New(reason.RefusedByRuntime, text)
	for _, c := range p.Classes {
		if name == c.Key && c.Init != nil {
			c.Init.Reason = why
			return true
		}
		member, ok := strings.CutPrefix(name, c.Key+".")
		if !ok {
			continue
		}
		for _, i := range c.Members {
			if i.Python == member {
				i.Reason = why
				return true
			}
		}
	}
	for _, i := range p.Functions {
		if p.Name+"."+i.Python == name {
			i.Reason = why
			return true
		}
	}
	return false
}
