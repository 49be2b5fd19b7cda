// Package pymodule reads what the stubs of a Python module say of it.
package pymodule

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
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
	Stubs     bool     // whether there are any
}

// Function is a function, a method or a constructor.
type Function struct {
	Name   string
	Doc    string
	Params []Param
	Result Type
}

// Param is a parameter.
type Param struct {
	Name     string
	Type     Type
	Kind     string // positional-only, positional, varargs or keyword
	Required bool
}

// Class is a class.
type Class struct {
	Name       string
	Doc        string
	Bases      []string // the first base of the same module, if there is one
	Init       *Function
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
	Kind string // int, float, bool, str, bytes, none, list, dict, optional, iterator, class or any
	Of   []Type
	Text string // the name of a class, or the reason for any
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

//go:embed describe.py
var describe string

// Read describes a module, by an interpreter that has it and the package typeshed_client. It runs the module.
func Read(ctx context.Context, interpreter, module string) (*Module, error) {
	out, err := exec.CommandContext(ctx, interpreter, "-c", describe, module).Output()
	if err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			return nil, fmt.Errorf("cannot run %s: %w; name an interpreter with --interpreter", interpreter, err)
		}
		said := strings.TrimSpace(string(exit.Stderr))
		if strings.Contains(said, "No module named 'typeshed_client'") {
			return nil, fmt.Errorf("%s has no package typeshed_client, which reads stubs; run `%s -m pip install typeshed-client`", interpreter, interpreter)
		}
		last := said[strings.LastIndex(said, "\n")+1:]
		return nil, fmt.Errorf("%s cannot describe the module %s: %s", interpreter, module, last)
	}
	var m Module
	if err := json.Unmarshal(out, &m); err != nil {
		return nil, fmt.Errorf("%s printed no description of %s: %w", interpreter, module, err)
	}
	if !m.Stubs {
		return nil, fmt.Errorf("there are no stubs of %s: install the package with its stubs, such as %s-stubs or types-%s", module, module, module)
	}
	return &m, nil
}
