package main

import (
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/release"
)

// replaceFlag adds the flag --replace to a command that writes a Go module.
func replaceFlag(cmd *cobra.Command, folder *string) {
	const name = "replace"
	cmd.Flags().StringVar(folder, name, release.Checkout(), "folder with the sources of selfsame, to use instead of "+
		"the published module (default: the clone that the tool was built in, none for the tool of a release)")
	cmd.Flags().Lookup(name).DefValue = "" // the help is the same on each machine
}

// absoluteReplace makes the value of --replace absolute, and leaves an empty one.
func absoluteReplace(folder string) (string, error) {
	if folder == "" {
		return "", nil
	}
	return filepath.Abs(folder)
}
