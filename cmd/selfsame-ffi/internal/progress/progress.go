// Package progress reports the steps of a long command: one line a step, with a spinner on a terminal.
package progress

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"golang.org/x/term"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/escape"
)

// Reporter writes the steps of one command.
type Reporter struct {
	out     io.Writer
	tty     bool
	verbose bool
}

// New returns a Reporter that writes to out. It uses colours and a spinner if out is a terminal, NO_COLOR is not set
// and TERM is not dumb.
func New(out io.Writer, verbose bool) *Reporter {
	r := &Reporter{out: out, verbose: verbose}
	if f, ok := out.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		r.tty = os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
	}
	return r
}

// Detail writes a line that only a verbose command shows.
func (r *Reporter) Detail(text string) {
	if r.verbose {
		fmt.Fprintln(r.out, escape.Terminal(strings.TrimRight(text, "\n")))
	}
}

// Warning writes a line that a command shows always.
func (r *Reporter) Warning(text string) {
	label := "warning:"
	if r.tty {
		label = "\x1b[33mwarning:\x1b[0m"
	}
	fmt.Fprintln(r.out, label, escape.Terminal(text))
}

// Step runs f and reports it under this name with the time it took.
func (r *Reporter) Step(name string, f func() error) error {
	name = escape.TerminalLine(name)
	start := time.Now()
	stop := r.spin(name)
	err := f()
	stop()
	mark, took := "ok", time.Since(start).Round(100*time.Millisecond).Seconds()
	if err != nil {
		mark = "failed"
	}
	if r.tty {
		mark = map[bool]string{true: "\x1b[32m✓\x1b[0m", false: "\x1b[31m✗\x1b[0m"}[err == nil]
		fmt.Fprintf(r.out, "%s %s \x1b[2m%.1fs\x1b[0m\n", mark, name, took)
		return err
	}
	fmt.Fprintf(r.out, "%s: %s (%.1fs)\n", name, mark, took)
	return err
}

// spin draws the spinner until the returned function is called, which returns after the line was cleared.
func (r *Reporter) spin(name string) (stop func()) {
	if !r.tty || r.verbose {
		return func() {}
	}
	done := make(chan struct{})
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		ticker := time.NewTicker(100 * time.Millisecond)
		defer ticker.Stop()
		for i := 0; ; i++ {
			fmt.Fprintf(r.out, "\r%c %s", []rune("⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏")[i%10], name)
			select {
			case <-done:
				fmt.Fprint(r.out, "\r\x1b[K")
				return
			case <-ticker.C:
			}
		}
	}()
	return func() { close(done); wg.Wait() }
}
