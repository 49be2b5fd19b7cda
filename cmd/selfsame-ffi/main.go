// Command selfsame-ffi turns Go packages into Python packages.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"
)

func main() {
	// A signal cancels the context instead of ending the process, so that commands remove their temporary files.
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := newRootCommand().ExecuteContext(ctx)
	stop()
	var status statusError
	switch {
	case errors.As(err, &status):
		os.Exit(int(status))
	case errors.Is(err, context.Canceled):
		fmt.Fprintln(os.Stderr, "selfsame-ffi: interrupted")
		os.Exit(130)
	case err != nil:
		fmt.Fprintln(os.Stderr, "selfsame-ffi:", err)
		os.Exit(1)
	}
}

// newRootCommand makes the command line. Each subcommand has a file of its own and is added here.
func newRootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:           "selfsame-ffi",
		Short:         "Turn Go packages into Python packages whose objects are the same object in both",
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return fmt.Errorf("%w; see `%s --help`", err, cmd.CommandPath())
	})
	root.CompletionOptions.HiddenDefaultCmd = true
	root.AddCommand(newBindCommand(), newBuildCommand(), newConfigCommand(), newDevelopCommand(), newDoctorCommand(), newGraphCommand(), newInspectCommand(), newNewCommand(), newStubgenCommand(), newTopCommand(), newVersionCommand(), newReflectCommand())
	return root
}
