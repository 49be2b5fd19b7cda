// Package pymodule reads what the stubs and the sources of a Python module say of it.
package pymodule

import (
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
)

// Module is a Python module.
type Module struct {
	Name      string `json:"module"`
	Doc       string
	Functions []Function
	Classes   []Class
	Constants []Property
	LeftOut   []Reason `json:"left_out"`
}

// Function is a function, a method or a constructor.
type Function struct {
	Name   string
	Doc    string
	Params []Param
	Result Type
	Async  bool // whether a call makes a coroutine, whose result it is
}

// Param is a parameter.
type Param struct {
	Name     string
	Type     Type
	Kind     string // positional-only, positional, varargs, keyword or keywords
	Required bool
}

// Class is a class.
type Class struct {
	Name       string
	Doc        string
	Kind       string   // record, typeddict, protocol or empty
	Exists     bool     // whether the module has it when it runs; stubs may have others
	Bases      []string // the first base of the same module, if there is one
	Members    []string // of an enum
	Init       *Function
	Item       *Function // __getitem__
	Iterates   *Type     // elements of __iter__
	Enters     *Type     // what __enter__ returns
	Methods    []Function
	Statics    []Function
	Properties []Property
}

// Property is a property of a class, or a constant of a module.
type Property struct {
	Name     string
	Doc      string
	Type     Type
	Settable bool
}

// Type is a type: of a kind, with types in it or a text.
type Type struct {
	Kind   string // any, class, or one of those that package hosted lists
	Of     []Type // of a callable its parameters and its result
	Length int    // of a tuple
	Text   string // the name of a class, or the reason for any
}

// UnmarshalJSON reads ["list", element] and the like.
func (t *Type) UnmarshalJSON(text []byte) error {
	var parts []json.RawMessage
	if err := json.Unmarshal(text, &parts); err != nil {
		return err
	}
	if len(parts) == 0 {
		return errors.New("expected a type, got an empty list")
	}
	if err := json.Unmarshal(parts[0], &t.Kind); err != nil {
		return err
	}
	if t.Kind == "class" || t.Kind == "any" {
		return json.Unmarshal(parts[1], &t.Text)
	}
	switch t.Kind {
	case "tuple":
		if err := json.Unmarshal(parts[2], &t.Length); err != nil {
			return err
		}
		parts = parts[:2]
	case "callable":
		if err := json.Unmarshal(parts[1], &t.Of); err != nil {
			return err
		}
		parts = parts[1:]
	}
	for _, part := range parts[1:] {
		var of Type
		if err := json.Unmarshal(part, &of); err != nil {
			return err
		}
		t.Of = append(t.Of, of)
	}
	return nil
}

// Reason says why a name is left out.
type Reason [2]string

//go:embed selfsame_describe/*.py
var program embed.FS

// start runs the program from the folder that is its first argument. The module's own folder stays the first of the path.
const start = "import sys; sys.path.append(sys.argv.pop(1)); from selfsame_describe import main; main()"

// Read describes a module, by an interpreter that has it and the package typeshed_client. It runs the module. Overrides are the
// text of a stub that goes before what the module says.
func Read(ctx context.Context, interpreter, module, overrides string) (m *Module, err error) {
	folder, err := os.MkdirTemp("", "selfsame-describe-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	if err := os.CopyFS(folder, program); err != nil {
		return nil, err
	}
	command := exec.CommandContext(ctx, interpreter, "-c", start, folder, module)
	command.Stdin = strings.NewReader(overrides)
	out, err := command.Output()
	if err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			return nil, fmt.Errorf("cannot run %s: %w; name an interpreter with --interpreter", interpreter, err)
		}
		said := strings.TrimSpace(string(exit.Stderr))
		if strings.Contains(said, "No module named 'typeshed_client'") {
			return nil, fmt.Errorf("%s has no package typeshed_client, which reads stubs and sources; run `%s -m pip install typeshed-client`", interpreter, interpreter)
		}
		last := said[strings.LastIndex(said, "\n")+1:]
		return nil, fmt.Errorf("%s cannot describe the module %s: %s", interpreter, module, last)
	}
	m = &Module{}
	if err := json.Unmarshal(out, m); err != nil {
		return nil, fmt.Errorf("%s printed no description of %s: %w", interpreter, module, err)
	}
	return m, nil
}
