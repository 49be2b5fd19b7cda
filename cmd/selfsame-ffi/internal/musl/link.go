// Package musl makes libraries with Go in them that musl's dynamic linker can load into a running process.
//
// Go's code has one thread-local word, of the initial-exec kind, for which musl has memory in libraries of the
// process's start only. Go's start takes the process's arguments from where only glibc passes them. Both are
// in the object file that Go's linker gives to the C linker. So [Link] stands between the two, and changes it.
package musl

import (
	_ "embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
)

//go:embed code/word.S
var word []byte

//go:embed code/start.c
var start []byte

// sources are the code that a rewritten object file needs.
var sources = []struct {
	name, language string
	text           []byte
}{{"word.S", "assembler-with-cpp", word}, {"start.c", "c", start}}

// goObject is the name that Go's linker gives to the object file with Go's code.
const goObject = "go.o"

// Link runs a C compiler as the go command does: words has the compiler with its own first arguments, "--", and the rest.
// Where it links Go's object file into a library, that is rewritten, and linked with the code that it needs then. Any other
// run is passed on.
func Link(words []string) error {
	end := slices.Index(words, "--")
	if end < 1 {
		return fmt.Errorf("expected a C compiler, --, and arguments, got %q", words)
	}
	compiler, arguments := words[:end], words[end+1:]
	at := slices.IndexFunc(arguments, func(argument string) bool { return filepath.Base(argument) == goObject })
	if at < 0 || !slices.Contains(arguments, "-shared") {
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
	for _, source := range sources {
		path := filepath.Join(folder, source.name)
		if err := os.WriteFile(path, source.text, 0o600); err != nil {
			return err
		}
		options := []string{"-x", source.language, "-O2", "-g0", "-fPIC", "-c", "-o", path + ".o", path}
		if err := run(compiler, options); err != nil {
			return fmt.Errorf("compile %s for musl: %w", source.name, err)
		}
		inputs = append(inputs, path+".o")
	}
	return run(compiler, slices.Concat(arguments[:at], inputs, arguments[at+1:]))
}

func run(compiler, arguments []string) error {
	command := exec.Command(compiler[0], slices.Concat(compiler[1:], arguments)...)
	command.Stdin, command.Stdout, command.Stderr = os.Stdin, os.Stdout, os.Stderr
	return command.Run()
}
