package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/escape"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/ownfile"
)

// topOptions are the flags of `selfsame-ffi top`.
type topOptions struct {
	interval time.Duration
	once     bool
	json     bool
}

func newTopCommand() *cobra.Command {
	var o topOptions
	cmd := &cobra.Command{
		Use:   "top PID",
		Short: "Show the live native objects of a running process",
		Long: `Top asks a process of the same user for its live native objects by class, again and again until it is interrupted, and shows
how they change. The process must have called selfsame_ffi.debug.serve(). When the output is no terminal, it asks once.`,
		Example: "  selfsame-ffi top 4711\n  selfsame-ffi top 4711 --json | jq .classes",
		Args: func(cmd *cobra.Command, args []string) error {
			if err := arguments(1, 1, "one process number")(cmd, args); err != nil {
				return err
			}
			if n, err := strconv.Atoi(args[0]); err != nil || n < 1 {
				return fmt.Errorf("expected a process number, got %q", args[0])
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if o.interval < 100*time.Millisecond {
				return fmt.Errorf("--interval: expected at least 100ms, got %s", o.interval)
			}
			return top(cmd.Context(), args[0], o, cmd.OutOrStdout())
		},
	}
	flags := cmd.Flags()
	flags.DurationVar(&o.interval, "interval", 2*time.Second, "time between two looks")
	flags.BoolVar(&o.once, "once", false, "look once")
	flags.BoolVar(&o.json, "json", false, "look once and write JSON")
	return cmd
}

// processSnapshot is what selfsame_ffi.debug.serve() answers.
type processSnapshot struct {
	Error   string `json:"error"`
	Classes []struct {
		TypeKey string `json:"type_key"`
		Count   int64  `json:"count"`
		Bytes   *int64 `json:"bytes"`
	} `json:"classes"`
	Totals map[string]int64 `json:"totals"`
}

// viewFolder returns the folder in which processes of this user serve their views; selfsame_ffi/_debug/top.py makes it.
func viewFolder() string {
	base := os.Getenv("XDG_RUNTIME_DIR")
	if base == "" {
		base = os.TempDir()
	}
	return filepath.Join(base, fmt.Sprintf("selfsame-ffi-%d", os.Getuid()))
}

// topPatience is how long a process may take to answer. One with many objects takes a second.
var topPatience = 10 * time.Second

// isAlive reports whether there is a process of a number, as far as the system says.
func isAlive(pid string) bool {
	number, err := strconv.Atoi(pid)
	if err != nil {
		return false
	}
	process, err := os.FindProcess(number)
	if err != nil {
		return false
	}
	err = process.Signal(syscall.Signal(0))
	return !errors.Is(err, os.ErrProcessDone) && !errors.Is(err, syscall.ESRCH)
}

// silent says why a process does not answer, as far as the system knows: on Linux the state is behind the name in parentheses.
func silent(pid string) string {
	text, err := os.ReadFile(filepath.Join("/proc", pid, "stat"))
	state := strings.TrimLeft(string(text[bytes.LastIndexByte(text, ')')+1:]), " ")
	if err == nil && (strings.HasPrefix(state, "T") || strings.HasPrefix(state, "t")) {
		return fmt.Sprintf("is stopped and does not answer; `kill -CONT %s` lets it go on", pid)
	}
	return fmt.Sprintf("has not answered within %v; it may be held by a call that does not give Python's lock back", topPatience)
}

// ask gets a snapshot of a process, as JSON.
func ask(ctx context.Context, pid string) ([]byte, error) {
	const most = 64 << 20 // bytes of an answer
	if err := ownfile.Folder(viewFolder()); err != nil {
		return nil, served(pid, err)
	}
	place := filepath.Join(viewFolder(), pid)
	if err := ownfile.Folder(place); err != nil {
		return nil, served(pid, err)
	}
	token, err := ownfile.Read(filepath.Join(place, "token"), 4096)
	if err != nil {
		return nil, served(pid, err)
	}
	user := ctx
	ctx, cancel := context.WithTimeout(ctx, topPatience)
	defer cancel()
	given := func() error { // why the waiting ended, nil while it has not
		if user.Err() == nil && ctx.Err() != nil {
			return fmt.Errorf("process %s %s", pid, silent(pid))
		}
		return user.Err()
	}
	connection, err := ownfile.Dial(ctx, filepath.Join(place, "socket"))
	if given() != nil {
		return nil, given()
	}
	if err != nil {
		return nil, fmt.Errorf("process %s does not answer, it may have ended: %w", pid, err)
	}
	defer connection.Close()
	stop := context.AfterFunc(ctx, func() { connection.Close() })
	defer stop()
	err = json.NewEncoder(connection).Encode(map[string]string{"token": string(token)})
	if given() != nil {
		return nil, given()
	}
	if err != nil {
		return nil, err
	}
	reply, err := bufio.NewReader(io.LimitReader(connection, most)).ReadBytes('\n')
	if given() != nil {
		return nil, given()
	}
	if err != nil && len(reply) == most {
		return nil, fmt.Errorf("process %s: expected an answer of at most %d bytes", pid, most)
	}
	if err != nil {
		return nil, fmt.Errorf("process %s ended its answer: %w", pid, err)
	}
	return reply, nil
}

// served says what a missing file means.
func served(pid string, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		if !isAlive(pid) {
			return fmt.Errorf("there is no process %s", pid)
		}
		return fmt.Errorf("process %s serves no view: call selfsame_ffi.debug.serve() in it", pid)
	}
	return err
}

// top runs `selfsame-ffi top`.
func top(ctx context.Context, pid string, o topOptions, out io.Writer) error {
	live := isTerminal(out) && !o.once && !o.json
	first := map[string]int64(nil)
	for {
		reply, err := ask(ctx, pid)
		if err != nil {
			return err
		}
		var now processSnapshot
		if err := json.Unmarshal(reply, &now); err != nil {
			return fmt.Errorf("process %s: %w", pid, err)
		}
		if now.Error != "" {
			return fmt.Errorf("process %s: %s", pid, now.Error)
		}
		if o.json {
			_, err := out.Write(escape.JSON(reply))
			return err
		}
		if first == nil {
			first = map[string]int64{}
			for _, class := range now.Classes {
				first[class.TypeKey] = class.Count
			}
		}
		text := topTable(pid, now, first)
		if live {
			text = "\x1b[H\x1b[2J" + text
		}
		if _, err := io.WriteString(out, text); err != nil || !live {
			return err
		}
		select {
		case <-ctx.Done():
			return nil // the user has seen enough
		case <-time.After(o.interval):
		}
	}
}

// topTable makes the text of one look, at most 80 columns wide.
func topTable(pid string, now processSnapshot, first map[string]int64) string {
	const most = 40
	var text strings.Builder
	fmt.Fprintf(&text, "process %s\n%-44s %10s %10s %12s\n", pid, "class", "natives", "change", "bytes")
	for i, class := range now.Classes {
		if i == most {
			fmt.Fprintf(&text, "... %d more\n", len(now.Classes)-most)
			break
		}
		size := "?"
		if class.Bytes != nil {
			size = strconv.FormatInt(*class.Bytes, 10)
		}
		key := []rune(escape.TerminalLine(class.TypeKey))
		if len(key) > 44 {
			key = append(append(key[:21:21], '…'), key[len(key)-22:]...)
		}
		fmt.Fprintf(&text, "%-44s %10d %+10d %12s\n", string(key), class.Count, class.Count-first[class.TypeKey], size)
	}
	var names []string
	for name := range now.Totals {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		fmt.Fprintf(&text, "%-44s %10d\n", escape.TerminalLine(strings.ReplaceAll(name, "_", " ")), now.Totals[name])
	}
	return text.String()
}
