package target

import (
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/escape"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/gocmd"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/whole"
)

// appleStubs writes what zig's linker needs for Go code for macOS, and zig does not bring: a text file for each framework
// and library of the system that Go's standard library links to, with the names that it uses. It returns the flags for
// that folder. The files lie in the user's cache, since the flags are a part of what the go command caches by.
func (t Target) appleStubs(ctx context.Context) (string, error) {
	out, err := gocmd.Command(ctx, "", nil, "env", "GOROOT", "GOVERSION").Output()
	if err != nil {
		return "", fmt.Errorf("go env: %w", err)
	}
	root, version, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
	if oldest := oldestMacOS(version); t.MacOS.Major < oldest {
		return "", fmt.Errorf("--target macosx_%d_%d_%s: what %s makes runs on macOS %d and later; give macosx_%d_0_%s",
			t.MacOS.Major, t.MacOS.Minor, t.Machine, version, oldest, oldest, t.Machine)
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	folder := filepath.Join(cache, "selfsame", "apple-"+version)
	if err := writeAppleStubs(root, folder); err != nil {
		return "", err
	}
	quoted, err := escape.Flag(folder)
	if err != nil {
		return "", err
	}
	return " -F " + quoted + " -L " + quoted, nil
}

var goVersion = regexp.MustCompile(`^go1\.(\d+)`)

// oldestMacOS returns the oldest macOS that programs of a version of Go run on, as Go's release notes say.
func oldestMacOS(version string) int {
	m := goVersion.FindStringSubmatch(version)
	if m == nil {
		return 13
	}
	minor, err := strconv.Atoi(m[1])
	switch {
	case err != nil || minor >= 27:
		return 13
	case minor >= 25:
		return 12
	}
	return 11
}

// imported is a line of Go's sources that takes a name from a library of macOS.
var imported = regexp.MustCompile(`(?m)^//go:cgo_import_dynamic \S+ (\w+) "(/System/Library/Frameworks/[^"]+|/usr/lib/libresolv[^"]*)"`)

// appleImports are the files of Go's standard library, below src, that have such lines.
var appleImports = []string{"crypto/x509/internal/macos/*.go", "internal/syscall/unix/*_darwin.go"}

// writeAppleStubs writes the text files for the linker, for the Go installation at root.
func writeAppleStubs(root, folder string) error {
	// CoreFoundation is linked to by each program for arm64, even if it uses nothing of it.
	names := map[string][]string{"/System/Library/Frameworks/CoreFoundation.framework/Versions/A/CoreFoundation": nil}
	for _, pattern := range appleImports {
		files, err := filepath.Glob(filepath.Join(root, "src", pattern))
		if err != nil {
			return err
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				return err
			}
			for _, m := range imported.FindAllStringSubmatch(string(text), -1) {
				names[m[2]] = append(names[m[2]], "_"+m[1])
			}
		}
	}
	for library, symbols := range names {
		file := filepath.Join(folder, "libresolv.tbd")
		if framework := path.Base(library); !strings.HasPrefix(framework, "lib") {
			file = filepath.Join(folder, framework+".framework", framework+".tbd")
		}
		slices.Sort(symbols)
		if err := whole.File(file, []byte(tbd(library, slices.Compact(symbols))), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// tbd returns the text that stands for a library of macOS when one links to it.
func tbd(library string, symbols []string) string {
	const targets = "[ x86_64-macos, arm64-macos ]"
	exports := ""
	if len(symbols) > 0 {
		exports = "exports:\n  - targets: " + targets + "\n    symbols: [ " + strings.Join(symbols, ", ") + " ]\n"
	}
	return "--- !tapi-tbd\ntbd-version: 4\ntargets: " + targets + "\ninstall-name: '" + library + "'\n" + exports + "...\n"
}
