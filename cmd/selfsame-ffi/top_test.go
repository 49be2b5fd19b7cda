package main

import (
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/selfsame-ffi/selfsame/internal/testenv"
)

// Requirements: G5, I11

// serve makes the folder in which a process serves its view, and a socket that never answers.
func serve(t *testing.T, pid string) {
	t.Helper()
	runtimes, err := os.MkdirTemp("", "top") // short: the name of a socket has at most 100 bytes
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(runtimes) })
	t.Setenv("XDG_RUNTIME_DIR", runtimes)
	place := filepath.Join(viewFolder(), pid)
	testenv.OK(t, os.MkdirAll(place, 0o700))
	testenv.OK(t, os.WriteFile(filepath.Join(place, "token"), []byte("x"), 0o600))
	listener := testenv.Value(net.Listen("unix", filepath.Join(place, "socket")))(t)
	t.Cleanup(func() { listener.Close() })
}

func TestTopEndsWhenAProcessDoesNotAnswer(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the state of a process is read as Linux has it")
	}
	defer func(before time.Duration) { topPatience = before }(topPatience)
	topPatience = 50 * time.Millisecond
	own := strconv.Itoa(os.Getpid())
	serve(t, own)
	if _, err := selfsame(t, "top", own, "--once"); err == nil || !strings.Contains(err.Error(), "has not answered within 50ms") {
		t.Errorf("a process that is held: %v", err)
	}
	child := exec.Command("sleep", "1000")
	testenv.OK(t, child.Start())
	defer child.Wait()
	defer child.Process.Kill()
	testenv.OK(t, child.Process.Signal(syscall.SIGSTOP))
	var status syscall.WaitStatus
	if _, err := syscall.Wait4(child.Process.Pid, &status, syscall.WUNTRACED, nil); err != nil || !status.Stopped() {
		t.Fatal(status, err)
	}
	pid := strconv.Itoa(child.Process.Pid)
	serve(t, pid)
	if _, err := selfsame(t, "top", pid, "--once"); err == nil || !strings.Contains(err.Error(), "is stopped and does not answer; `kill -CONT "+pid) {
		t.Errorf("a process that is stopped: %v", err)
	}
}

func TestTopSaysWhichProcessThereIs(t *testing.T) {
	t.Setenv("XDG_RUNTIME_DIR", t.TempDir())
	if _, err := selfsame(t, "top", "999999999", "--once"); err == nil || !strings.Contains(err.Error(), "there is no process 999999999") {
		t.Errorf("no process: %v", err)
	}
	own := strconv.Itoa(os.Getpid())
	if _, err := selfsame(t, "top", own, "--once"); err == nil || !strings.Contains(err.Error(), "serves no view: call selfsame_ffi.debug.serve() in it") {
		t.Errorf("this one: %v", err)
	}
}

func TestInspectSaysWhatAFileIs(t *testing.T) {
	folder := t.TempDir()
	writeAll(t, folder, map[string]string{
		"text": "root:x:0:0\n", "empty": "", "archive.a": "!<arch>\n", "pack.zip": "PK\x03\x04rest", "bytes": "\x00\x01\x02\x03\xff", "cut.so": "\x7fELF\x02",
	})
	for name, want := range map[string]string{
		"text": "got a text", "empty": "got an empty file", "archive.a": "got an archive of object files", "pack.zip": "got a zip archive",
		"bytes": "got one that begins with the bytes 00 01 02 03", "cut.so": "got a damaged one",
	} {
		_, err := selfsame(t, "inspect", filepath.Join(folder, name))
		if err == nil || !strings.Contains(err.Error(), "is no shared library: expected a file in the format ELF") || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", name, err, want)
		}
	}
	library := filepath.Join(folder, "plain.so")
	if text, err := exec.Command("cc", "-shared", "-x", "c", os.DevNull, "-o", library).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	output, err := selfsame(t, "inspect", library)
	if err != nil || !strings.Contains(output, "plain.so: it does not use the C ABI of tvm-ffi") {
		t.Errorf("got %q, %v", output, err)
	}
}
