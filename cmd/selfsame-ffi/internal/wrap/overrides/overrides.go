// Package overrides reads what a person asks of a wrapped package: directives in the comments of its Go file overrides.go.
package overrides

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"strings"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/escape"
)

// File is the name of the file.
const File = "overrides.go"

// Rules is what the directives say. Names are those in Go: NewBitmap, Bitmap.Add.
type Rules struct {
	Names  map[string]string // Python names
	Omit   map[string]bool
	Shared map[string]bool   // types that threads may share
	Locked map[string]bool   // types that they may not, whatever their comment says
	Init   map[string]string // the func that constructs a type

	Aliases []Alias

	include, exclude []string
	met              map[string]bool // patterns of include that a name met
}

// Alias is a further name of something in Python, which warns: one that it had in an earlier version.
type Alias struct{ Of, Python string }

// None has no rules.
func None() *Rules {
	return &Rules{Names: map[string]string{}, Omit: map[string]bool{}, Shared: map[string]bool{}, Locked: map[string]bool{}, Init: map[string]string{},
		met: map[string]bool{}}
}

// Read reads the directives of a file; without the file there are none. Its error names the line.
func Read(file string) (*Rules, error) {
	r := None()
	text, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return r, nil
	}
	if err != nil {
		return nil, err
	}
	for i, line := range strings.Split(string(text), "\n") {
		rest, ok := strings.CutPrefix(strings.TrimSpace(line), "//wrap:")
		if !ok {
			continue
		}
		if err := r.add(strings.Fields(rest)); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", file, i+1, err)
		}
	}
	return r, nil
}

// words says how many words each directive has after its name.
var words = map[string]int{"name": 2, "omit": 1, "shared": 1, "locked": 1, "init": 2, "alias": 2}

func (r *Rules) add(f []string) error {
	if len(f) == 0 || words[f[0]] == 0 {
		return errors.New("expected //wrap:name, //wrap:alias, //wrap:omit, //wrap:shared, //wrap:locked or //wrap:init")
	}
	if len(f) != words[f[0]]+1 {
		return fmt.Errorf("//wrap:%s: expected %d words, got %d", f[0], words[f[0]], len(f)-1)
	}
	if f[0] == "name" || f[0] == "alias" {
		if id := escape.PythonName(f[2]); id != f[2] && !escape.IsPythonSpecial(f[2]) {
			return fmt.Errorf("//wrap:%s: expected a name of Python as Python reads it, got %q; %q is one", f[0], f[2], id)
		}
	}
	switch f[0] {
	case "name":
		r.Names[f[1]] = f[2]
	case "alias":
		r.Aliases = append(r.Aliases, Alias{f[1], f[2]})
	case "omit":
		r.Omit[f[1]] = true
	case "shared":
		r.Shared[f[1]] = true
	case "locked":
		r.Locked[f[1]] = true
	case "init":
		r.Init[f[1]] = f[2]
	}
	return nil
}

// Template is the file that a new wrapped package gets.
const Template = `package %[1]s

// This file is yours: selfsame-ffi wrap writes it once and never changes it. Comments like these, without the blank behind the
// slashes, say what to do otherwise:
//
//	// wrap:name Bitmap.AndNot and_not    another Python name
//	// wrap:alias Bitmap.AndNot minus     a further Python name, which warns: that of an earlier version
//	// wrap:omit Bitmap.Validate          leave something out
//	// wrap:shared Client                 threads may use one object at the same time: no lock
//	// wrap:locked Client                 they may not, whatever the type's comment says
//	// wrap:init Bitmap BitmapOf          the func that makes an object
//
// Funcs and classes of your own are registered here as in any package, under names that begin with "%[1]s.". Python code goes into
// files of the folder python; what a file with a leading underscore lists in __all__ becomes part of the package.
`

// Select adds what the flags --include and --exclude say: patterns of names in Go, as those of path.Match.
func (r *Rules) Select(include, exclude []string) error {
	for _, pattern := range append(append([]string{}, include...), exclude...) {
		if _, err := path.Match(pattern, ""); err != nil {
			return fmt.Errorf("%q: %w", pattern, err)
		}
	}
	r.include, r.exclude, r.met = include, exclude, map[string]bool{}
	return nil
}

// Unmet fails when a pattern of the flag --include has named nothing, after all names were looked at.
func (r *Rules) Unmet() error {
	for _, p := range r.include {
		if !r.met[p] {
			return fmt.Errorf("--include %s: no exported name of the packages is like it; names are those in Go, and those of methods stand "+
				"beside their type's, as in --include 'Bitmap,Bitmap.Add'", p)
		}
	}
	return nil
}

// Omits says whether a func, type or member is left out.
func (r *Rules) Omits(name string) bool {
	top, _, _ := strings.Cut(name, ".")
	matches := func(patterns []string) (any bool) {
		for _, p := range patterns {
			for _, n := range []string{name, top} {
				if ok, _ := path.Match(p, n); ok {
					any, r.met[p] = true, true
				}
			}
		}
		return any
	}
	return r.Omit[name] || r.Omit[top] || matches(r.exclude) || len(r.include) > 0 && !matches(r.include)
}
