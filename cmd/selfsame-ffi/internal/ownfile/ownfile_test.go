//go:build unix

package ownfile

import (
	"context"
	"errors"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/selfsame-ffi/selfsame/internal/testenv"
)

// Requirement: G5

func refused(t *testing.T, what string, err error, want string) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%s: got %v, expected %q", what, err, want)
	}
}

func TestFoldersBelongToTheUserAlone(t *testing.T) {
	base := t.TempDir()
	const want = "to be a folder that only this user can enter"
	for _, mode := range []os.FileMode{0o700, 0o500, 0o701, 0o710, 0o704, 0o755, 0o777} {
		path := filepath.Join(base, mode.String())
		testenv.OK(t, os.Mkdir(path, 0o700))
		testenv.OK(t, os.Chmod(path, mode))
		if err := Folder(path); mode&0o077 == 0 && err != nil {
			t.Errorf("%s: %v", mode, err)
		} else if mode&0o077 != 0 {
			refused(t, mode.String(), err, want)
		}
	}
	link, file := filepath.Join(base, "link"), filepath.Join(base, "file")
	testenv.OK(t, errors.Join(os.Symlink(base, link), os.WriteFile(file, nil, 0o600)))
	refused(t, "a link", Folder(link), want)
	refused(t, "a file", Folder(file), want)
	if err := Folder(filepath.Join(base, "none")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v", err)
	}
	if os.Getuid() == 0 {
		other := filepath.Join(base, "other")
		testenv.OK(t, errors.Join(os.Mkdir(other, 0o700), os.Chown(other, 65534, 65534)))
		refused(t, "another user's", Folder(other), want)
	}
}

func TestFilesAreReadWithoutLinksAndWaiting(t *testing.T) {
	base := t.TempDir()
	at := func(name string) string { return filepath.Join(base, name) }
	const want = "expected a file that only this user can read"
	if err := errors.Join(os.WriteFile(at("good"), []byte("12345"), 0o600), os.WriteFile(at("open"), nil, 0o644),
		os.Symlink(at("good"), at("link")), syscall.Mkfifo(at("pipe"), 0o600), os.Mkdir(at("folder"), 0o700)); err != nil {
		t.Fatal(err)
	}
	if text, err := Read(at("good"), 5); string(text) != "12345" || err != nil {
		t.Errorf("got %q, %v", text, err)
	}
	for _, name := range []string{"open", "link", "pipe", "folder"} {
		_, err := Read(at(name), 5)
		refused(t, name, err, want)
	}
	_, err := Read(at("good"), 4)
	refused(t, "a long file", err, "expected at most 4 bytes, got 5")
	if _, err := Read(at("none"), 5); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v", err)
	}
}

func TestSocketsAreSocketsOfTheUser(t *testing.T) {
	base := t.TempDir()
	path, link, file := filepath.Join(base, "s"), filepath.Join(base, "l"), filepath.Join(base, "f")
	listener := testenv.Value(net.Listen("unix", path))(t)
	defer listener.Close()
	testenv.OK(t, errors.Join(os.Symlink(path, link), os.WriteFile(file, nil, 0o600)))
	connection := testenv.Value(Dial(context.Background(), path))(t)
	if user, err := peer(connection); user != os.Getuid() || err != nil {
		t.Errorf("the peer is user %d, %v", user, err)
	}
	connection.Close()
	for _, wrong := range []string{link, file} {
		_, err := Dial(context.Background(), wrong)
		refused(t, wrong, err, "expected a socket of this user")
	}
}
