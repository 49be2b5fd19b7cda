package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/spf13/cobra"
)

// A statusError is the exit status of a program that has said itself what was wrong.
type statusError int

func (status statusError) Error() string { return fmt.Sprintf("exit status %d", int(status)) }

// newConfigCommand makes the command that prints paths and flags for building extensions.
func newConfigCommand() *cobra.Command {
	return newPythonCommand("config", "selfsame_ffi.config",
		"Print the paths and flags for building an extension in C++")
}

// newStubgenCommand makes the command that writes stubs of registered functions and types between markers.
func newStubgenCommand() *cobra.Command {
	return newPythonCommand("stubgen", "selfsame_ffi.stub.cli",
		"Write or refresh Python or Rust stubs in source files")
}

// newPythonCommand makes a command whose work a module of the Python package does, since it asks a loaded runtime. The
// module gets all arguments as they are, and its exit status becomes the tool's.
func newPythonCommand(name, module, short string) *cobra.Command {
	return &cobra.Command{
		Use:                name + " [ARGUMENT...]",
		Short:              short,
		DisableFlagParsing: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			python, err := interpreter()
			if err != nil {
				return err
			}
			if lacksPackage(cmd.Context(), python) {
				return fmt.Errorf("%s has no package selfsame_ffi; activate the environment where it is installed, or name its "+
					"interpreter with SELFSAME_PYTHON", python)
			}
			child := exec.CommandContext(cmd.Context(), python, append([]string{"-m", module}, args...)...)
			child.Stdin, child.Stdout, child.Stderr = cmd.InOrStdin(), cmd.OutOrStdout(), cmd.ErrOrStderr()
			err = child.Run()
			var exit *exec.ExitError
			if errors.As(err, &exit) && exit.ExitCode() > 0 {
				return statusError(exit.ExitCode())
			}
			if err != nil {
				return fmt.Errorf("%s: %w", python, err)
			}
			return nil
		},
	}
}

// lacksPackage says whether an interpreter runs and does not find the Python package.
func lacksPackage(ctx context.Context, python string) bool {
	const lacks = 41 // a status that an interpreter does not end with for other reasons
	look := fmt.Sprintf("import importlib.util, sys; sys.exit(importlib.util.find_spec('selfsame_ffi') is None and %d)", lacks)
	var exit *exec.ExitError
	err := exec.CommandContext(ctx, python, "-c", look).Run()
	return errors.As(err, &exit) && exit.ExitCode() == lacks
}

// interpreter returns the Python to run: SELFSAME_PYTHON, that of the active virtual environment, that of the
// environment in which the tool lies, or the first one on PATH.
func interpreter() (string, error) {
	if chosen := os.Getenv("SELFSAME_PYTHON"); chosen != "" {
		return chosen, nil
	}
	var folders []string
	if active := os.Getenv("VIRTUAL_ENV"); active != "" {
		folders = append(folders, active)
	}
	if self, err := os.Executable(); err == nil {
		// ENV/lib/python3.N/site-packages/selfsame_ffi/bin/selfsame-ffi, ENV/Lib/site-packages/... on Windows
		site := filepath.Dir(filepath.Dir(filepath.Dir(self)))
		if filepath.Base(site) == "site-packages" {
			folders = append(folders, filepath.Join(site, fromSite))
		}
	}
	for _, folder := range folders {
		for _, place := range pythonPlaces {
			python := filepath.Join(folder, filepath.FromSlash(place))
			if info, err := os.Stat(python); err == nil && !info.IsDir() {
				return python, nil
			}
		}
	}
	for _, name := range []string{"python3", "python"} {
		if found, err := exec.LookPath(name); err == nil {
			return found, nil
		}
	}
	return "", errors.New("no Python interpreter was found: install one with selfsame-ffi, or set SELFSAME_PYTHON")
}
