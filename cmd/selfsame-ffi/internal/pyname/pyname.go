// Package pyname makes Python names of the names in Go.
package pyname

import (
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/escape"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/model"
	"github.com/selfsame-ffi/selfsame/internal/naming"
)

// reserved are the names that the generated module uses for itself.
var reserved = []string{
	"_ffi", "_typing", "_dataclasses", "_datetime", "_builtins", "_os", "annotations",
	"_ctypes", "_keyword", "_load", "_KWARGS", "_named", "_register", "_keywords", "_with_keywords", "_members",
}

// Identifier makes a Python identifier of a registered name.
func Identifier(name string) string { return escape.PythonName(name, reserved...) }

// Parameter makes the name of a parameter of one in Go, none of them `self`.
func Parameter(name string) string {
	id := Identifier(naming.Snake(name))
	if id == "self" {
		id = "self_"
	}
	return id
}

// Parameters makes the names of the parameters of a Go func, each different. "" stands for a parameter without a name, in
// names and in the result.
func Parameters(names []string) []string { return model.Distinct(names, Parameter) }
