// Package musl makes libraries with Go in them that musl's dynamic linker can load into a running process.
//
// Go's code has one thread-local word, of the initial-exec kind, for which musl has memory in libraries of the
// process's start only. Go's start takes the process's arguments from where only glibc passes them. Both are
// in the object file that Go's linker gives to the C linker. So [Link] stands between the two, and changes it.
package musl

import (
	_ "embed"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

//go:embed code/word.S
var wordSource []byte

//go:embed code/start.c
var startSource []byte

// goObject is the name that Go's linker gives to the object file with Go's code.
const goObject = "go.o"

// Link runs a C linker as go's linker does, a compiler with arguments, with Go's object file rewritten and the code
// that it needs. A run without such a file, by which go's linker asks what the compiler can do, is passed on.
func Link(compiler, arguments []string) error {
	at := -1
	for i, argument := range arguments {
		if filepath.Base(argument) == goObject {
			at = i
		}
	}
	if at < 0 {
		return run(compiler, arguments)
	}
	data, err := os.ReadFile(arguments[at])
	if err != nil {
		return err
	}
	if data, err = Rewrite(data); err != nil {
		return err
	}
	folder, err := os.MkdirTemp("", "selfsame-musl-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	object := filepath.Join(folder, goObject)
	if err := os.WriteFile(object, data, 0o600); err != nil {
		return err
	}
	inputs := []string{object}
	for name, source := range map[string][]byte{"word.S": wordSource, "start.c": startSource} {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, source, 0o600); err != nil {
			return err
		}
		language := map[string]string{".S": "assembler-with-cpp", ".c": "c"}[filepath.Ext(name)]
		if err := run(compiler, []string{"-x", language, "-O2", "-g0", "-fPIC", "-c", "-o", path + ".o", path}); err != nil {
			return fmt.Errorf("compile %s: %w", name, err)
		}
		inputs = append(inputs, path+".o")
	}
	linked := append([]string{}, arguments[:at]...)
	linked = append(append(linked, inputs...), arguments[at+1:]...)
	return run(compiler, linked)
}

func run(compiler, arguments []string) error {
	if len(compiler) == 0 {
		return errors.New("expected a compiler")
	}
	command := exec.Command(compiler[0], append(append([]string{}, compiler[1:]...), arguments...)...)
	command.Stdout, command.Stderr = os.Stdout, os.Stderr
	return command.Run()
}
