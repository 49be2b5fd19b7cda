package probe

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/model"
)

// ChildCommand is the name of the tool's hidden command that calls Serve with its one argument, JSON.
const ChildCommand = "reflect-library"

// reply is what the child writes to the file that it was passed. Standard output and error are left to the loaded package.
type reply struct {
	Library *model.Library `json:"library,omitempty"`
	Error   string         `json:"error,omitempty"`
}

// Serve runs the child: it loads the libraries that sources, a JSON list of [Source], describes, and writes the reply.
func Serve(sources string) error {
	out := passedFile()
	if out == nil {
		return errors.New("there is no file for the reply; this command is for `selfsame-ffi build` only")
	}
	var list []Source
	if err := json.Unmarshal([]byte(sources), &list); err != nil {
		return fmt.Errorf("the list of libraries: %w", err)
	}
	lib, err := Load(list)
	r := reply{Library: lib}
	if err != nil {
		r.Error = err.Error()
	}
	if err := json.NewEncoder(out).Encode(r); err != nil {
		return err
	}
	return out.Close()
}

// Patience is how long a package may take to load.
var Patience = time.Minute

// Run loads libraries in a child process of this program, in turn, and returns what they registered. If the child died, the
// error has the beginning of its output. Run ends with the child: processes that a package started may live on.
func Run(ctx context.Context, sources ...Source) (*model.Library, error) {
	list, err := json.Marshal(sources)
	if err != nil {
		return nil, err
	}
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	// Files, not pipes, whose end comes when the last process closes them that a package started.
	answer, err := scratch()
	if err != nil {
		return nil, err
	}
	defer discard(answer)
	output, err := scratch()
	if err != nil {
		return nil, err
	}
	defer discard(output)
	limited, cancel := context.WithTimeout(ctx, Patience)
	defer cancel()
	cmd := exec.CommandContext(limited, self, ChildCommand, string(list))
	// Two Go runtimes in a process cannot share the signal that preempts goroutines; neither needs it here.
	cmd.Env = append(os.Environ(), "GODEBUG=asyncpreemptoff=1")
	cmd.Stdout, cmd.Stderr = output, output
	if err = passFile(cmd, answer); err == nil {
		err = cmd.Start()
	}
	if err != nil {
		return nil, err
	}
	waitErr := cmd.Wait()
	data, readErr := os.ReadFile(answer.Name())
	var r reply
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case limited.Err() != nil:
		return nil, fmt.Errorf("the package did not finish loading in %v: an init function or the value of a package variable "+
			"waits, for a lock, a channel or the network; `go test` of the package shows where", Patience)
	case readErr != nil:
		return nil, readErr
	case json.Unmarshal(data, &r) == nil && r.Error != "":
		return nil, errors.New(r.Error)
	case r.Library != nil:
		return r.Library, nil
	case waitErr == nil:
		return nil, errors.New("the package ended the process while it was loaded (os.Exit in an init function?)")
	}
	return nil, fmt.Errorf("the package failed while it was loaded (%w):\n%s", waitErr, head(beginning(output), 40))
}

// scratch makes a temporary file.
func scratch() (*os.File, error) { return os.CreateTemp("", "selfsame-ffi-*") }

// discard removes a temporary file.
func discard(file *os.File) {
	file.Close()
	_ = os.Remove(file.Name())
}

// beginning returns what the first lines of a file have, however long it is.
func beginning(file *os.File) string {
	const most = 1 << 20
	text := make([]byte, most)
	n, _ := file.ReadAt(text, 0)
	return string(text[:n])
}

// head returns the first lines of a text, where a crash report has its reason.
func head(text string, limit int) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	if len(lines) > limit {
		lines = append(lines[:limit:limit], fmt.Sprintf("... %d more lines", len(lines)-limit))
	}
	return "    " + strings.Join(lines, "\n    ")
}
