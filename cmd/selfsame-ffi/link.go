package main

import (
	"errors"
	"os/exec"

	"github.com/spf13/cobra"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/musl"
)

// newLinkCommand makes the hidden command that the go command runs as compiler and linker for musl.
func newLinkCommand() *cobra.Command {
	return &cobra.Command{
		Use:                musl.LinkCommand + " COMPILER... -- ARGUMENT...",
		Hidden:             true,
		DisableFlagParsing: true,
		RunE: func(_ *cobra.Command, args []string) error {
			err := musl.Link(args)
			var failed *exec.ExitError
			if errors.As(err, &failed) { // the compiler has said why
				return statusError(failed.ExitCode())
			}
			return err
		},
	}
}
