package control

import (
	"path/filepath"
	"testing"

	"github.com/selfsame-ffi/selfsame/internal/testenv"
)

// A Go program that imports the runtime defines the C functions that the C modules it loads call.
// Requirement: A9
func TestProgramServesTheModulesItLoads(t *testing.T) {
	dir := t.TempDir()
	program, module := filepath.Join(dir, "program"), filepath.Join(dir, "module.so")
	testenv.Run(t, "go", "build", "-o", program, "./testdata/linked_program")
	testenv.Run(t, "gcc", "-std=c11", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-I", filepath.Join("..", "..", "abi", "include"),
		"-o", module, filepath.Join("testdata", "module.c"))
	testenv.Run(t, program, module)
}
