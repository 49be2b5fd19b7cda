package main

import (
	"github.com/spf13/cobra"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/probe"
)

// newReflectCommand makes the hidden command that a tool which reads a library runs in a child process.
func newReflectCommand() *cobra.Command {
	return &cobra.Command{
		Use:    probe.ChildCommand + " LIBRARIES",
		Hidden: true,
		Args:   cobra.ExactArgs(1),
		RunE:   func(_ *cobra.Command, args []string) error { return probe.Serve(args[0]) },
	}
}
