// Package progress reports the steps of a long command: one line a step, with a spinner and the time on a terminal. Elsewhere a step
// that takes long says every ten seconds that it still runs.
package progress

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/term"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/escape"
)

// Reporter writes the steps of one command.
type Reporter struct {
	out     io.Writer
	tty     bool
	verbose bool
	ticks   func() (ticks <-chan time.Time, stop func()) // of a step that runs
	done    atomic.Int64                                 // packages that a step which compiles has come to
}

// locked writes what several goroutines give it, one after another.
type locked struct {
	mu  sync.Mutex
	out io.Writer
}

func (l *locked) Write(text []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.out.Write(text)
}

// The times after which a step that runs writes again.
const (
	frame = 100 * time.Millisecond // on a terminal
	still = 10 * time.Second       // elsewhere, as in the log of a build server
)

// New returns a Reporter that writes to out. It uses colours and a spinner if out is a terminal, NO_COLOR is not set
// and TERM is not dumb.
func New(out io.Writer, verbose bool) *Reporter {
	r := &Reporter{out: &locked{out: out}, verbose: verbose}
	if f, ok := out.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		r.tty = os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
	}
	r.ticks = func() (<-chan time.Time, func()) {
		ticker := time.NewTicker(map[bool]time.Duration{true: frame, false: still}[r.tty])
		return ticker.C, ticker.Stop
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

// Package notes that the step which runs compiles one more package.
func (r *Reporter) Package() { r.done.Add(1) }

// far says how far a step is that began at a time.
func (r *Reporter) far(start time.Time) string {
	text := fmt.Sprintf("%.0fs", time.Since(start).Seconds())
	switch n := r.done.Load(); n {
	case 0:
	case 1:
		text += ", 1 package"
	default:
		text += fmt.Sprintf(", %d packages", n)
	}
	return text
}

// Step runs f and reports it under this name with the time it took.
func (r *Reporter) Step(name string, f func() error) error {
	name = escape.TerminalLine(name)
	start := time.Now()
	r.done.Store(0)
	stop := r.show(name, start)
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

// show says that a step runs until the returned function is called, which returns after the line of a terminal was cleared.
func (r *Reporter) show(name string, start time.Time) (stop func()) {
	if r.tty && r.verbose {
		return func() {}
	}
	done := make(chan struct{})
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		ticks, stop := r.ticks()
		defer stop()
		for i := 0; ; i++ {
			if r.tty {
				fmt.Fprintf(r.out, "\r%c %s %s", []rune("⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏")[i%10], name, r.far(start))
			}
			select {
			case <-done:
				if r.tty {
					fmt.Fprint(r.out, "\r\x1b[K")
				}
				return
			case <-ticks:
			}
			if !r.tty {
				fmt.Fprintf(r.out, "%s: still running (%s)\n", name, r.far(start))
			}
		}
	}()
	return func() { close(done); wg.Wait() }
}
