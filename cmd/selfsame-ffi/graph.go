package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/graphview"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/whole"
)

// graphOptions are the flags of `selfsame-ffi graph`.
type graphOptions struct {
	output string
	format string
	layout string
}

func newGraphCommand() *cobra.Command {
	var o graphOptions
	cmd := &cobra.Command{
		Use:   "graph FILE.json",
		Short: "Draw a graph of native objects as a picture or a page",
		Long: `Graph reads what selfsame_ffi.debug.graph(obj).save("FILE.json") wrote ("-": standard input) and draws it. The picture and
the page need no network. Graphviz places the nodes of a picture where it is installed.`,
		Example: "  selfsame-ffi graph tree.json -o tree.html\n  selfsame-ffi graph tree.json --format svg > tree.svg",
		Args:    arguments(1, 1, "one JSON file"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return drawGraph(cmd.Context(), args[0], o, cmd.InOrStdin(), cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	flags := cmd.Flags()
	flags.StringVarP(&o.output, "output", "o", "", "the file to write (default: standard output)")
	flags.StringVar(&o.format, "format", "", "svg or html (default: by the ending of --output, otherwise html)")
	flags.StringVar(&o.layout, "layout", "auto", "what places the nodes of a picture: dot (Graphviz), dagre, or auto")
	complete := func(values ...string) cobra.CompletionFunc {
		return cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp)
	}
	_ = cmd.RegisterFlagCompletionFunc("format", complete("svg", "html"))
	_ = cmd.RegisterFlagCompletionFunc("layout", complete("auto", "dot", "dagre"))
	return cmd
}

// mayDraw fails for a file that is no picture or page of the tool.
func mayDraw(path string) error {
	if path == "" {
		return nil
	}
	if ours, err := whole.IsOurs(path); ours || err != nil {
		return err
	}
	text, err := os.ReadFile(path)
	if err == nil && !graphview.IsDrawing(text) {
		err = fmt.Errorf("%s was not written by selfsame-ffi graph and is not overwritten; remove it, or give another file with --output", path)
	}
	return err
}

// drawGraph runs `selfsame-ffi graph`.
func drawGraph(ctx context.Context, path string, o graphOptions, in io.Reader, out, log io.Writer) error {
	switch o.layout {
	case "auto", "dot", "dagre":
	default:
		return fmt.Errorf("--layout: expected auto, dot or dagre, got %q", o.layout)
	}
	format := o.format
	if format == "" {
		format = "html"
		if filepath.Ext(o.output) == ".svg" {
			format = "svg"
		}
	}
	if format != "svg" && format != "html" {
		return fmt.Errorf("--format: expected svg or html, got %q", format)
	}
	if err := mayDraw(o.output); err != nil {
		return err
	}
	title := "Native objects"
	if path != "-" {
		file, err := os.Open(path)
		if err != nil {
			return err
		}
		defer file.Close()
		in, title = file, strings.TrimSuffix(filepath.Base(path), ".json")
	}
	graph, err := graphview.Read(in)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	text, leftOut := "", ""
	if format == "html" {
		text = graph.HTML(title)
	} else if text, leftOut, err = graph.SVG(ctx, graphview.Layout(o.layout)); err != nil {
		return err
	}
	if leftOut != "" {
		fmt.Fprintf(log, "graph: %s; a page (--format html) folds and unfolds\n", leftOut)
	}
	if o.output != "" {
		return whole.File(o.output, []byte(text), 0o644)
	}
	_, err = io.WriteString(out, text)
	return err
}
