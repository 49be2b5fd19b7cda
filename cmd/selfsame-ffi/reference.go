//go:build docs

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/whole"
)

// With the build tag docs the tool writes its own reference: `make docs` runs `go run -tags docs ./cmd/selfsame-ffi
// reference DIR`. The tool that users get has no need of the libraries for it.
func init() {
	furtherCommands = append(furtherCommands, func() *cobra.Command {
		return &cobra.Command{
			Use:    "reference DIR",
			Hidden: true,
			Args:   cobra.ExactArgs(1),
			RunE:   func(cmd *cobra.Command, args []string) error { return writeReference(cmd.Root(), args[0]) },
		}
	})
}

// writeReference writes man pages into DIR/man1, and one page in Markdown.
func writeReference(root *cobra.Command, dir string) error {
	man := filepath.Join(dir, "man1")
	if err := os.MkdirAll(man, 0o755); err != nil {
		return err
	}
	root.DisableAutoGenTag = true
	var unchanging time.Time
	header := &doc.GenManHeader{Title: "SELFSAME-FFI", Section: "1", Source: "selfsame", Manual: "selfsame", Date: &unchanging}
	if err := doc.GenManTree(root, header, man); err != nil {
		return err
	}
	var page strings.Builder
	fmt.Fprintf(&page, "# The command line tool\n\n%s\n\n", root.Long)
	for _, cmd := range root.Commands() {
		if cmd.Hidden || cmd.Name() == "help" {
			continue
		}
		text := cmd.Long
		if text == "" {
			text = cmd.Short + "."
		}
		fmt.Fprintf(&page, "## %s\n\n```text\n%s\n```\n\n%s\n\n", cmd.Name(), cmd.UseLine(), text)
		if cmd.Example != "" {
			fmt.Fprintf(&page, "```text\n%s\n```\n\n", cmd.Example)
		}
		if flags := cmd.LocalFlags().FlagUsagesWrapped(helpWidth); flags != "" {
			fmt.Fprintf(&page, "```text\n%s```\n\n", flags)
		}
	}
	return whole.File(filepath.Join(dir, "command-line.md"), []byte(page.String()), 0o644)
}
