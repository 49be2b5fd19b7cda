//go:build !windows

package probe

import (
	"os"
	"os/exec"
)

// passFile gives a process that is not started yet an open file, which this process may close once it has started.
func passFile(cmd *exec.Cmd, file *os.File) error {
	cmd.ExtraFiles = []*os.File{file}
	return nil
}

// passedFile returns the file that this process was given, nil for none.
func passedFile() *os.File { return os.NewFile(3, "reply") }
