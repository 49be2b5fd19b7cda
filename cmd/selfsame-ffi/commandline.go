package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/escape"
)

// The exit statuses of the tool; config and stubgen have those of the Python modules that do their work.
const (
	exitFailed      = 1   // the command failed, or doctor found a problem
	exitUsage       = 2   // the command line is wrong
	exitInterrupted = 130 // a signal ended the command
)

// helpWidth is the number of columns of help texts.
const helpWidth = 80

// A usageError says what is wrong with the command line.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

// many is any number of arguments.
const many = math.MaxInt

// arguments accepts at least so many arguments, and at most so many. Its error says what the command expects, with an example.
func arguments(least, most int, wanted string, example ...string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) >= least && len(args) <= most {
			return nil
		}
		text := fmt.Sprintf("expected %s, got %s", wanted, counted(len(args), "argument", "arguments"))
		for _, one := range example {
			text += fmt.Sprintf("; try `selfsame-ffi %s %s`", cmd.Name(), one)
		}
		return errors.New(text)
	}
}

// report writes what an error means for the user to standard error, and returns the exit status.
func report(err error) int {
	var status statusError
	var usage usageError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &status):
		return int(status)
	case errors.Is(err, context.Canceled):
		fmt.Fprintln(os.Stderr, "selfsame-ffi: interrupted")
		return exitInterrupted
	}
	fmt.Fprintln(os.Stderr, "selfsame-ffi:", escape.Terminal(err.Error()))
	if next := nextStep(err); next != "" {
		fmt.Fprintln(os.Stderr, "  "+next)
	}
	if errors.As(err, &usage) || strings.HasPrefix(err.Error(), "unknown command") {
		return exitUsage
	}
	return exitFailed
}

// unify gives a command and its subcommands what they have in common: errors that begin with
// the name of the command, errors of usage, help of 80 columns.
func unify(cmd *cobra.Command) {
	if check := cmd.Args; check != nil {
		cmd.Args = func(cmd *cobra.Command, args []string) error {
			if err := check(cmd, args); err != nil {
				return usageError{fmt.Errorf("%s: %w", cmd.Name(), err)}
			}
			return nil
		}
	}
	if run := cmd.RunE; run != nil && !cmd.Hidden { // a user has called no hidden command
		cmd.RunE = func(cmd *cobra.Command, args []string) error {
			if err := run(cmd, args); err != nil {
				return fmt.Errorf("%s: %w", cmd.Name(), err)
			}
			return nil
		}
	}
	cmd.Long = wrapped(cmd.Long, helpWidth)
	for _, sub := range cmd.Commands() {
		unify(sub)
	}
}

// wrapped breaks the paragraphs of a text into lines. Indented lines, and lists, stay as they are.
func wrapped(text string, width int) string {
	paragraphs := strings.Split(text, "\n\n")
	for i, paragraph := range paragraphs {
		if strings.HasPrefix(paragraph, " ") || strings.Contains(paragraph, "\n ") {
			continue
		}
		var lines []string
		line := ""
		for _, word := range strings.Fields(paragraph) {
			if line != "" && len(line)+1+len(word) > width {
				lines, line = append(lines, line), ""
			}
			line = strings.TrimPrefix(line+" "+word, " ")
		}
		paragraphs[i] = strings.Join(append(lines, line), "\n")
	}
	return strings.Join(paragraphs, "\n\n")
}
