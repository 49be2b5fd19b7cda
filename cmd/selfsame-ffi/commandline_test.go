package main

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/release"
	"github.com/selfsame-ffi/selfsame/internal/testenv"
)

func TestExitStatusSaysWhatWentWrong(t *testing.T) {
	for _, c := range []struct {
		args []string
		want int
	}{
		{[]string{"version"}, 0},
		{[]string{"--version"}, 0},
		{[]string{"version", "--nothing"}, exitUsage},
		{[]string{"inspect"}, exitUsage},
		{[]string{"graph", "a", "b"}, exitUsage},
		{[]string{"top", "x"}, exitUsage},
		{[]string{"nothing"}, exitUsage},
		{[]string{"graph", "missing.json"}, exitFailed},
	} {
		_, err := selfsame(t, c.args...)
		if got := report(err); got != c.want {
			t.Errorf("%q: got exit status %d (%v), want %d", c.args, got, err, c.want)
		}
	}
	if got := report(errors.Join(errors.New("build"), context.Canceled)); got != exitInterrupted {
		t.Errorf("an interrupt: got exit status %d", got)
	}
}

func TestHelpHas80Columns(t *testing.T) {
	var look func(cmd *cobra.Command)
	look = func(cmd *cobra.Command) {
		if cmd.DisableFlagParsing || strings.HasPrefix(cmd.CommandPath(), "selfsame-ffi completion") {
			return // others write these texts
		}
		args := append(strings.Fields(cmd.CommandPath())[1:], "--help")
		help := testenv.Value(selfsame(t, args...))(t)
		for _, line := range strings.Split(help, "\n") {
			if len([]rune(line)) > helpWidth {
				t.Errorf("%s: %d columns: %s", cmd.CommandPath(), len([]rune(line)), line)
			}
		}
		for _, sub := range cmd.Commands() {
			look(sub)
		}
	}
	look(newRootCommand())
}

func TestCompletionKnowsCommandsAndValues(t *testing.T) {
	for _, c := range []struct{ args, want string }{
		{"__complete gr", "graph\tDraw a graph"},
		{"__complete graph x.json --layout ", "dagre"},
		{"completion bash", "__start_selfsame-ffi"},
		{"completion zsh", "#compdef selfsame-ffi"},
		{"completion fish", "complete -c selfsame-ffi"},
	} {
		args := strings.Split(c.args, " ")
		if output, err := selfsame(t, args...); err != nil || !strings.Contains(output, c.want) {
			t.Errorf("%s: got %.200s, error %v, want %q", c.args, output, err, c.want)
		}
	}
}

func TestVersionIsJSONWhenAsked(t *testing.T) {
	output, err := selfsame(t, "version", "--json")
	var got map[string]string
	if err != nil || json.Unmarshal([]byte(output), &got) != nil || got["abi"] == "" || got["version"] != release.Version || got["platform"] == "" {
		t.Errorf("got %s, error %v", output, err)
	}
}
