package main

import (
	"os"
	"runtime"

	"github.com/spf13/cobra"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/whole"
)

// withTemporaryFolder makes a command, and the programs that it runs, keep temporary files in a folder that goes with the command:
// the go command and compilers leave theirs behind when they are interrupted.
func withTemporaryFolder(run func(*cobra.Command, []string) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		names := []string{"TMPDIR"}
		if runtime.GOOS == "windows" {
			names = []string{"TMP", "TEMP"}
		}
		given := os.TempDir()
		if own := os.Getenv("GOTMPDIR"); own != "" { // of the go command alone
			undo, err := inTemporaryFolder(own, "GOTMPDIR")
			if err != nil {
				return err
			}
			defer undo()
		}
		undo, err := inTemporaryFolder(given, names...)
		if err != nil {
			return err
		}
		defer undo()
		return run(cmd, args)
	}
}

// inTemporaryFolder makes a folder in a folder, and sets variables to it until undo is called, which removes it.
func inTemporaryFolder(folder string, variables ...string) (undo func(), err error) {
	made, err := whole.NewTemp(folder)
	if err != nil {
		return nil, err
	}
	values := map[string]string{}
	for _, name := range variables {
		values[name] = made.Path
	}
	restore, err := setEnvironment(values)
	if err != nil {
		_ = made.Close()
		return nil, err
	}
	return func() {
		_ = made.Close()
		restore()
	}, nil
}
