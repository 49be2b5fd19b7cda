// Package shipped has what published native libraries do not say of their functions: names and types of arguments.
package shipped

import (
	"embed"
	"fmt"
	"path/filepath"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/model"
)

//go:embed *.json
var files embed.FS

// known are the files by the name of a library.
var known = map[string]string{
	"libxgrammar_bindings.so": "xgrammar.json",
	"libtvm_compiler.so":      "tvm.json",
	"libtilelang.so":          "tvm.json",
}

// Known applies the overrides that the tool has for libraries of these names, as far as they fit the version.
func Known(libraries []string, content *model.Library) error {
	for _, path := range libraries {
		name, ok := known[filepath.Base(path)]
		if !ok {
			continue
		}
		file, err := files.Open(name)
		if err != nil {
			return err
		}
		overrides, err := model.ReadOverrides(file)
		if err == nil {
			err = overrides.ApplyKnown(content)
		}
		file.Close()
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}
