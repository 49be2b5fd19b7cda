package main

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/doctor"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/escape"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/release"
	"github.com/selfsame-ffi/selfsame/internal/reflection"
)

// doctorOptions are the flags of `selfsame-ffi doctor`.
type doctorOptions struct {
	library string
	python  string
	fix     bool
	json    bool
}

func newDoctorCommand() *cobra.Command {
	var o doctorOptions
	cmd := &cobra.Command{
		Use:   "doctor [LIBRARY]",
		Short: "Say what is missing here, and how to repair it",
		Long: `Doctor looks at Go, the compilers, Python and the package selfsame_ffi in it, the Go module of the current folder, and
LIBRARY (a shared library, the folder of a built Python package, or a wheel) if one is given. Each finding says how to mend
it. The exit status is 0 when there is no problem, 1 otherwise.`,
		Args: arguments(0, 1, "at most one library"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 {
				o.library = args[0]
			}
			return examine(cmd.Context(), o, cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&o.python, "python", "", "the Python to look at (default: that of the active environment)")
	flags.BoolVar(&o.fix, "fix", false, "run the go commands that mend a finding, and look again")
	flags.BoolVar(&o.json, "json", false, "write JSON")
	return cmd
}

// examine runs `selfsame-ffi doctor`.
func examine(ctx context.Context, o doctorOptions, out, log io.Writer) error {
	subject := doctor.Subject{Python: o.python, Library: o.library, Release: release.Version, Sources: release.Checkout(), ABI: reflection.ABIVersion()}
	if subject.Python == "" {
		subject.Python, _ = interpreter() // none is a finding
	}
	findings := doctor.Examine(ctx, subject)
	if o.fix {
		ran, err := doctor.Fix(ctx, findings, func(text string) { fmt.Fprintln(log, escape.Terminal(text)) })
		if err != nil {
			return err
		}
		if ran > 0 {
			findings = doctor.Examine(ctx, subject)
		}
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := writeFindings(findings, o.json, out); err != nil {
		return err
	}
	if !doctor.Healthy(findings) {
		return statusError(1)
	}
	return nil
}

// writeFindings writes the findings as a table, or as JSON.
func writeFindings(findings []doctor.Finding, asJSON bool, out io.Writer) error {
	if asJSON {
		return writeJSON(out, map[string]any{"healthy": doctor.Healthy(findings), "findings": findings})
	}
	colours := map[doctor.Status]string{doctor.OK: "32", doctor.Warning: "33", doctor.Problem: "31"}
	for _, f := range findings {
		status := fmt.Sprintf("%-8s", f.Status)
		if isTerminal(out) {
			status = "\x1b[" + colours[f.Status] + "m" + status + "\x1b[0m"
		}
		if _, err := fmt.Fprintf(out, "%s %s: %s\n", status, f.Check, escape.Terminal(f.Found)); err != nil {
			return err
		}
		if f.Mend != "" {
			if _, err := fmt.Fprintf(out, "         to mend it: %s\n", escape.Terminal(f.Mend)); err != nil {
				return err
			}
		}
	}
	return nil
}
