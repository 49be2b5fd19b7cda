// Package pycalls reads from the sources of Python packages what they say of the native functions that they call: names, types and
// defaults of arguments, and documentation.
package pycalls

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"strings"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/model"
)

// Calls are the calls that the packages make, by registered name. A method of a class that a Python class holds a handle of is
// *.Class.method.
type Calls map[string][]Call

// Call is one call in the sources.
type Call struct {
	Args   []Arg
	Doc    string // of the Python function, if it makes this call alone
	Result string // its type as overrides write it, "" if it is not known
}

// Arg is an argument of a call.
type Arg struct {
	Name     string
	Type     string // as overrides write it, "" if it is not known
	Optional bool   // None may be given
	Default  string // a literal of Python, "" for none
}

//go:embed calls.py
var script string

// Read reads the sources of packages, which are names of packages that an interpreter finds, or folders. Nothing of them is run.
func Read(ctx context.Context, interpreter string, packages []string) (Calls, error) {
	out, err := exec.CommandContext(ctx, interpreter, append([]string{"-c", script}, packages...)...).Output()
	if err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			return nil, fmt.Errorf("cannot run %s: %w; name an interpreter with --interpreter", interpreter, err)
		}
		said := strings.TrimSpace(string(exit.Stderr))
		return nil, fmt.Errorf("%s: %s", strings.Join(packages, ", "), said[strings.LastIndex(said, "\n")+1:])
	}
	var calls Calls
	if err := json.Unmarshal(out, &calls); err != nil {
		return nil, fmt.Errorf("%s printed no calls of %s: %w", interpreter, strings.Join(packages, ", "), err)
	}
	return calls, nil
}

// Apply adds to a library what its own description lacks.
func (c Calls) Apply(lib *model.Library) {
	keys := map[string]bool{}
	for _, class := range lib.Classes {
		keys[class.Key] = true
	}
	for i := range lib.Functions {
		f := &lib.Functions[i]
		apply(f, keys, c[f.Name])
	}
	for i := range lib.Classes {
		class := &lib.Classes[i]
		name := class.Key[strings.LastIndexByte(class.Key, '.')+1:]
		if class.Init != nil {
			apply(class.Init, keys, append(c[class.Key+".__init__"], c[class.Key]...))
		}
		for j := range class.Methods {
			m := &class.Methods[j]
			apply(m, keys, append(c[class.Key+"."+m.Name], c["*."+name+"."+m.Name]...))
		}
	}
}

// apply adds to a function what calls of it say, the first that say something before others.
func apply(f *model.Function, keys map[string]bool, calls []Call) {
	if len(calls) == 0 || f.Variadic {
		return
	}
	if !f.Typed {
		count := len(calls[0].Args)
		for _, call := range calls {
			if len(call.Args) != count {
				return // it takes more or fewer
			}
		}
		f.Typed, f.Args, f.Result = true, make([]model.Schema, count), model.Schema{Type: "Any"}
	}
	names := make([]string, len(f.Args))
	copy(names, f.ArgNames)
	defaults := make([]string, len(f.Args))
	for _, call := range calls {
		if len(call.Args) != len(f.Args) {
			continue
		}
		for i, arg := range call.Args {
			if names[i] == "" {
				names[i] = arg.Name
			}
			if defaults[i] == "" {
				defaults[i] = arg.Default
			}
			f.Args[i] = better(f.Args[i], arg, keys)
		}
		f.Result = better(f.Result, Arg{Type: call.Result}, keys)
		if f.Doc == "" {
			f.Doc = call.Doc
		}
	}
	f.ArgNames = names
	if len(f.ArgDefaults) == 0 && len(f.ByName) == 0 {
		for len(defaults) > 0 && defaults[len(defaults)-1] != "" {
			f.ArgDefaults = append([]string{defaults[len(defaults)-1]}, f.ArgDefaults...)
			defaults = defaults[:len(defaults)-1]
		}
	}
}

// better returns the type that is known of an argument: the library's own, unless that is any value or any object.
func better(s model.Schema, arg Arg, keys map[string]bool) model.Schema {
	said, err := model.ParseSchema(arg.Type, keys)
	known := arg.Type != "" && arg.Type != "None" && err == nil
	switch s.Type {
	case "", "Any":
		if known {
			return said
		}
	case "ffi.Object", "Object":
		inner := said
		if said.Type == "Optional" && len(said.Args) == 1 {
			inner = said.Args[0]
		}
		if known && keys[inner.Type] {
			return said
		}
	}
	if arg.Optional && (keys[s.Type] || s.Type == "ffi.Object" || s.Type == "Object") {
		return model.Schema{Type: "Optional", Args: []model.Schema{s}}
	}
	return s
}
