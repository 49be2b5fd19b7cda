// Command selfsame-ffi turns Go packages into Python packages.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
)

func main() {
	// A signal cancels the context instead of ending the process, so that commands remove their temporary files.
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := newRootCommand().ExecuteContext(ctx)
	stop()
	os.Exit(report(err))
}

// furtherCommands make the commands of files with a build tag.
var furtherCommands []func() *cobra.Command

// newRootCommand makes the command line. Each subcommand has a file of its own and is added here.
func newRootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:   "selfsame-ffi",
		Short: "Turn Go packages into Python packages",
		Long: `Selfsame-ffi makes Python packages of Go packages, looks at libraries, and draws what is alive in a process.

Exit status: 0 when all went well, 1 when the command failed or found a problem, 2 when the command line is wrong, 130
when a signal ended it. Colours are used on a terminal alone, and not when NO_COLOR is set.`,
		SilenceUsage:  true,
		SilenceErrors: true,
		Version:       versions(),
	}
	root.SetVersionTemplate("{{.Version}}")
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return usageError{fmt.Errorf("%w; see `%s --help`", err, cmd.CommandPath())}
	})
	root.AddCommand(newBindCommand(), newBuildCommand(), newConfigCommand(), newDevelopCommand(), newDocsCommand(), newDoctorCommand(), newGraphCommand(), newInspectCommand(), newLinkCommand(), newNewCommand(), newPackCommand(), newStubgenCommand(), newTopCommand(), newVersionCommand(), newWrapCommand(), newReflectCommand(), newBackendCommand())
	for _, make := range furtherCommands {
		root.AddCommand(make())
	}
	for _, cmd := range root.Commands() {
		if slices.Contains([]string{"backend", "bind", "build", "develop", "docs", "doctor", "inspect", "new", "wrap"}, cmd.Name()) {
			cmd.RunE = withTemporaryFolder(cmd.RunE)
		}
	}
	unify(root)
	root.SetUsageTemplate(strings.ReplaceAll(root.UsageTemplate(), "FlagUsages", fmt.Sprintf("FlagUsagesWrapped %d", helpWidth)))
	return root
}
