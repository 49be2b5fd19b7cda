package whole

// Requirements: G1, I13

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"

	"github.com/selfsame-ffi/selfsame/internal/testenv"
)

func names(t *testing.T, folder string) (all []string) {
	t.Helper()
	entries := testenv.Value(os.ReadDir(folder))(t)
	for _, e := range entries {
		all = append(all, e.Name())
	}
	return all
}

func text(t *testing.T, path string) string {
	t.Helper()
	content := testenv.Value(os.ReadFile(path))(t)
	return string(content)
}

func TestAFileIsReplacedWhole(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "new")
	file, link := filepath.Join(folder, "file"), filepath.Join(folder, "link")
	testenv.OK(t, errors.Join(File(file, []byte("one"), 0o600), os.Symlink("file", link)))
	reader := testenv.Value(os.Open(file))(t)
	defer reader.Close()
	testenv.OK(t, File(link, []byte("two"), 0o644))
	old := make([]byte, 3)
	if _, err := reader.Read(old); err != nil || string(old) != "one" {
		t.Errorf("a reader of the old file got %q, %v", old, err)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode().Type() != fs.ModeSymlink || text(t, file) != "two" {
		t.Errorf("the link: %v, %v, %q", info.Mode(), err, text(t, file))
	}
	info, err := os.Stat(file)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the mode is %v, %v", info.Mode(), err)
	}
	testenv.OK(t, File(file, []byte("two"), 0o644))
	if again, err := os.Stat(file); err != nil || !os.SameFile(info, again) {
		t.Error("a file that had the content already was replaced")
	}
	if all := names(t, folder); len(all) != 2 {
		t.Errorf("the folder has %q", all)
	}
}

func TestAFileThatCannotBeWrittenStaysAsItWas(t *testing.T) {
	folder := t.TempDir()
	inside := filepath.Join(folder, "inside")
	testenv.OK(t, errors.Join(os.Mkdir(inside, 0o700), os.WriteFile(filepath.Join(folder, "f"), nil, 0o600)))
	for _, path := range []string{inside, filepath.Join(folder, "f", "x")} {
		if err := File(path, []byte("x"), 0o644); err == nil {
			t.Errorf("%s was written", path)
		}
	}
	if all := names(t, folder); len(all) != 2 {
		t.Errorf("the folder has %q", all)
	}
}

func TestTheFullDevice(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("the system has no /dev/full")
	}
	if err := File("/dev/full", []byte("x"), 0o644); err == nil {
		t.Error("a full disk was not noticed")
	}
	if err := File("/dev/null", []byte("x"), 0o644); err != nil {
		t.Errorf("a device: %v", err)
	}
}

func TestOnlyFilesOfTheToolAreOurs(t *testing.T) {
	const header = "// Written by a tool.\n"
	folder := t.TempDir()
	for name, c := range map[string]struct {
		text string
		ours bool
	}{
		"whole": {header + "package a\n", true}, "cut": {"// Writ", true}, "empty": {"", true}, "own": {"package a\n", false},
		"other": {"// Written by a person.\n", false},
	} {
		path := filepath.Join(folder, name)
		testenv.OK(t, os.WriteFile(path, []byte(c.text), 0o600))
		if ours, err := IsOurs(path, "# another", header); ours != c.ours || err != nil {
			t.Errorf("%s: %v, %v", name, ours, err)
		}
	}
	if ours, err := IsOurs(filepath.Join(folder, "none"), header); !ours || err != nil {
		t.Errorf("no file: %v, %v", ours, err)
	}
}

func TestWhatKilledRunsLeftIsRemoved(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the system has no locks of folders")
	}
	folder := filepath.Join(t.TempDir(), "[out]")
	live := testenv.Value(NewWork(folder))(t)
	killed := filepath.Join(folder, workPrefix+"killed")
	if err := errors.Join(os.Mkdir(killed, 0o700), os.WriteFile(filepath.Join(killed, "x"), nil, 0o600),
		os.WriteFile(filepath.Join(folder, ".x.1"+Unfinished), nil, 0o600)); err != nil {
		t.Fatal(err)
	}
	next := testenv.Value(NewWork(folder))(t)
	if _, err := os.Stat(killed); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the folder of a killed run is there: %v", err)
	}
	for _, w := range []*Work{live, next} {
		if _, err := os.Stat(w.Path); err != nil {
			t.Errorf("the folder of a run that lives: %v", err)
		}
		if err := w.Close(); err != nil {
			t.Error(err)
		}
	}
	testenv.OK(t, Sweep(folder))
	if all := names(t, folder); len(all) != 0 {
		t.Errorf("the folder has %q", all)
	}
}

func TestALockedFileIsBusy(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the system has no locks")
	}
	path := filepath.Join(t.TempDir(), "lock")
	first := testenv.Value(TryLockFile(path))(t)
	if _, err := TryLockFile(path); !errors.Is(err, ErrBusy) {
		t.Errorf("a second time: %v", err)
	}
	first.Close()
	again := testenv.Value(TryLockFile(path))(t)
	again.Close()
}

func TestTemporaryFoldersOfKilledRunsGo(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the system has no locks of folders")
	}
	folder := t.TempDir()
	killed, open := filepath.Join(folder, "selfsame-ffi-temp-1"), filepath.Join(folder, "selfsame-ffi-temp-2")
	testenv.OK(t, errors.Join(os.MkdirAll(filepath.Join(killed, "go-build1"), 0o700), os.Mkdir(open, 0o700), os.Chmod(open, 0o777)))
	live := testenv.Value(NewTemp(folder))(t)
	next := testenv.Value(NewTemp(folder))(t)
	if all := names(t, folder); len(all) != 3 || !slices.Contains(all, filepath.Base(open)) {
		t.Errorf("the folder has %q", all)
	}
	if err := errors.Join(live.Close(), next.Close()); err != nil {
		t.Error(err)
	}
}

func TestOldGeneratedFilesGo(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "a[b]")
	if err := os.Mkdir(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"old.py": "# made\nx", "new.py": "# made\n", "mine.py": "x = 1\n", "old.txt": "# made\n"} {
		if err := File(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := RemoveOld(folder, "*.py", "# made\n", map[string]bool{"new.py": true}); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{"old.py": false, "new.py": true, "mine.py": true, "old.txt": true} {
		if _, err := os.Stat(filepath.Join(folder, name)); (err == nil) != want {
			t.Errorf("%s: %v", name, err)
		}
	}
}
