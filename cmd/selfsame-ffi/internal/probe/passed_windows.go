package probe

import (
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"syscall"
)

// passedVariable has the number of the file's handle, which is the same in both processes.
const passedVariable = "SELFSAME_FFI_REPLY"

// passFile gives a process that is not started yet an open file, which this process may close once it has started. The
// process's environment must have been set.
func passFile(cmd *exec.Cmd, file *os.File) error {
	handle := syscall.Handle(file.Fd())
	if err := syscall.SetHandleInformation(handle, syscall.HANDLE_FLAG_INHERIT, syscall.HANDLE_FLAG_INHERIT); err != nil {
		return err
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{AdditionalInheritedHandles: []syscall.Handle{handle}}
	cmd.Env = append(cmd.Env, fmt.Sprintf("%s=%d", passedVariable, handle))
	return nil
}

// passedFile returns the file that this process was given, nil for none.
func passedFile() *os.File {
	handle, err := strconv.ParseUint(os.Getenv(passedVariable), 10, 64)
	if err != nil {
		return nil
	}
	return os.NewFile(uintptr(handle), "reply")
}
