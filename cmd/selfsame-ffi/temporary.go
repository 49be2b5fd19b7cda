package main

import (
	"fmt"
	"os"
	"runtime"

	"github.com/spf13/cobra"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/whole"
)

// withTemporaryFolder makes a command, and the programs that it runs, keep temporary files in a folder that goes with the command:
// the go command and compilers leave theirs behind when they are interrupted. The command doctor runs where none can be made, too: it
// tells why.
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
		switch {
		case err == nil:
			defer undo()
		case cmd.Name() != "doctor":
			return fmt.Errorf("no folder for temporary files can be made: %w; set %s to a folder that exists and has room", err, names[0])
		}
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
