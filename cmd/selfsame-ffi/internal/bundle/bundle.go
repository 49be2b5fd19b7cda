// Package bundle puts selfsame-ffi into the wheel of a package, which then needs nothing else.
package bundle

import (
	"archive/zip"
	"bytes"
	"cmp"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/escape"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/wheel"
)

// Folder is the folder in site-packages below which each distribution has its selfsame-ffi.
const Folder = "selfsame_ffi_bundles"

//go:embed finder.py
var finder []byte

// Bundle is selfsame-ffi for some Pythons on one platform.
type Bundle struct {
	Version string
	files   map[string][]byte // by their paths below site-packages
}

// The folders and files of the package that only builds need, and those of caches.
var left = regexp.MustCompile(`^selfsame_ffi/(include|share|bin)/|(^|/)__pycache__/|\.(c|h|a)$|/libselfsame\.so$`)

// core is the file name of the C core for one Python: for CPython 3.11 on Linux _core.cpython-311-x86_64-linux-gnu.so, on Windows
// _core.cp311-win_amd64.pyd.
var core = regexp.MustCompile(`^selfsame_ffi/_core\.(?:cpython-|cp)3(\d+)(t?)[-.]`)

var wheelName = regexp.MustCompile(`^selfsame_ffi-([^-]+)-cp3(\d+)-cp3\d+(t?)-([^-]+)\.whl$`)

// FromWheels reads the wheels of selfsame-ffi in a folder that are for a platform, such as manylinux_2_28_x86_64, and for the Pythons,
// such as 3.13 and 3.14t; without any for all that are there. It takes the newest version.
func FromWheels(folder, platform string, pythons []string) (*Bundle, error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	byVersion, there := map[string]map[string]string{}, []string{}
	for _, e := range entries {
		m := wheelName.FindStringSubmatch(e.Name())
		if m == nil {
			continue
		}
		there = append(there, e.Name())
		python := "3." + m[2] + m[3]
		if !fits(m[4], platform) || len(pythons) > 0 && !slices.Contains(pythons, python) {
			continue
		}
		if byVersion[m[1]] == nil {
			byVersion[m[1]] = map[string]string{}
		}
		byVersion[m[1]][python] = e.Name()
	}
	if len(byVersion) == 0 {
		return nil, fmt.Errorf("the folder %s has no wheel of selfsame-ffi for %s%s; it has %s", folder, platform, forPythons(pythons),
			cmp.Or(strings.Join(there, ", "), "none at all: give the folder that `make wheels` fills"))
	}
	b := &Bundle{files: map[string][]byte{}}
	b.Version = slices.MaxFunc(slices.Collect(maps.Keys(byVersion)), newer)
	for _, python := range pythons {
		if byVersion[b.Version][python] == "" {
			return nil, fmt.Errorf("the folder %s has no wheel of selfsame-ffi %s for %s and Python %s", folder, b.Version, platform, python)
		}
	}
	for _, name := range byVersion[b.Version] {
		if err := b.read(filepath.Join(folder, name)); err != nil {
			return nil, fmt.Errorf("%s: %w", filepath.Join(folder, name), err)
		}
	}
	return b, b.check()
}

func forPythons(pythons []string) string {
	if len(pythons) == 0 {
		return ""
	}
	return " and Python " + strings.Join(pythons, ", ")
}

// newer compares versions.
func newer(a, b string) int { return slices.Compare(numbers(a), numbers(b)) }

var digits = regexp.MustCompile(`\d+`)

func numbers(version string) []int {
	var all []int
	for _, text := range digits.FindAllString(version, 3) {
		n, _ := strconv.Atoi(text)
		all = append(all, n)
	}
	return all
}

var versioned = regexp.MustCompile(`^(manylinux|musllinux|macosx)_(\d+)_(\d+)_(.+)$`)

// fits reports whether a wheel with the platform tags, separated by dots, serves on all machines of a platform. A wheel for Linux
// that pip built promises no glibc: what its libraries need, the caller finds out.
func fits(tags, platform string) bool {
	for tag := range strings.SplitSeq(tags, ".") {
		machine, plain := strings.CutPrefix(tag, "linux_")
		if tag == platform || plain && strings.HasPrefix(platform, "manylinux_") && strings.HasSuffix(platform, "_"+machine) {
			return true
		}
		m, want := versioned.FindStringSubmatch(tag), versioned.FindStringSubmatch(platform)
		if m != nil && want != nil && m[1] == want[1] && m[4] == want[4] &&
			slices.Compare(numbers(m[2]+"."+m[3]), numbers(want[2]+"."+want[3])) <= 0 {
			return true
		}
	}
	return false
}

// read adds the files of a wheel.
func (b *Bundle) read(file string) error {
	archive, err := zip.OpenReader(file)
	if err != nil {
		return err
	}
	defer archive.Close()
	for _, f := range archive.File {
		if !strings.HasPrefix(f.Name, "selfsame_ffi/") || strings.HasSuffix(f.Name, "/") || left.MatchString(f.Name) {
			continue
		}
		in, err := f.Open()
		if err != nil {
			return err
		}
		text, err := io.ReadAll(in)
		in.Close()
		if err != nil {
			return err
		}
		if before, ok := b.files[f.Name]; ok && !bytes.Equal(before, text) && path.Ext(f.Name) == ".py" {
			return fmt.Errorf("its %s is not that of the other wheels of this version: build them again, all from the same sources", f.Name)
		}
		b.files[f.Name] = text
	}
	return nil
}

// FromPackage reads an installed package, which has the core for one Python. folder is its folder selfsame_ffi.
func FromPackage(folder, version string) (*Bundle, error) {
	b := &Bundle{Version: version, files: map[string][]byte{}}
	err := b.walk(folder, "selfsame_ffi")
	if err != nil {
		return nil, err
	}
	return b, b.check()
}

// walk adds the files of a folder. It follows links, of which an editable installation has some.
func (b *Bundle) walk(folder, called string) error {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return err
	}
	for _, e := range entries {
		file, name := filepath.Join(folder, e.Name()), path.Join(called, e.Name())
		if left.MatchString(name+"/") || left.MatchString(name) {
			continue
		}
		info, err := os.Stat(file)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue
		case err != nil:
			return err
		case info.IsDir():
			err = b.walk(file, name)
		default:
			b.files[name], err = os.ReadFile(file)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// check fails when something is missing without which nothing could be imported.
func (b *Bundle) check() error {
	if b.files["selfsame_ffi/__init__.py"] == nil {
		return errors.New("selfsame-ffi has no selfsame_ffi/__init__.py")
	}
	if len(b.Pythons()) == 0 {
		return errors.New("selfsame-ffi has no core for any Python; install a wheel of it")
	}
	for _, name := range []string{"libtvm_ffi.so", "libtvm_ffi.dylib", "tvm_ffi.dll"} {
		if b.files["selfsame_ffi/lib/"+name] != nil {
			return nil
		}
	}
	return errors.New("selfsame-ffi has no runtime library in selfsame_ffi/lib")
}

// Pythons returns the Pythons that the bundle has a core for, such as 3.9 and 3.14t, in order.
func (b *Bundle) Pythons() []string {
	var all []string
	for name := range b.files {
		if m := core.FindStringSubmatch(name); m != nil {
			all = append(all, "3."+m[1]+m[2])
		}
	}
	slices.SortFunc(all, func(a, b string) int { return cmp.Or(newer(a, b), cmp.Compare(a, b)) })
	return all
}

// Serves returns the Pythons as metadata names them: from the oldest to the newest.
func (b *Bundle) Serves() wheel.Pythons {
	all := b.Pythons()
	return wheel.Pythons{Oldest: numbers(all[0])[1], Newest: numbers(all[len(all)-1])[1]}
}

// Libraries returns the contents of the shared libraries, by their paths.
func (b *Bundle) Libraries() map[string][]byte {
	found := map[string][]byte{}
	for name, text := range b.files {
		if strings.HasSuffix(name, ".so") {
			found[name] = text
		}
	}
	return found
}

// Files returns the files of the wheel of a distribution.
func (b *Bundle) Files(dist string) []wheel.File {
	folder := path.Join(Folder, wheel.Escaped(dist))
	module := Module(dist)
	hook := fmt.Sprintf("try:\n from importlib import import_module as m; m(%s).offer()\nexcept ImportError: pass", escape.PythonString(module))
	files := []wheel.File{
		{Path: path.Join(folder, "VERSION"), Content: []byte(b.Version + "\n")},
		{Path: path.Join(folder, "finder.py"), Content: finder},
		// For a process that imports selfsame_ffi before the package, as one that unpickles its objects.
		{Path: "__selfsame_bundle__." + wheel.Escaped(dist) + ".pth", Content: []byte("import sys; exec(" + escape.PythonLine(hook) + ")\n")},
	}
	for name, text := range b.files {
		executable := strings.HasSuffix(name, ".so") || strings.HasSuffix(name, ".pyd")
		files = append(files, wheel.File{Path: path.Join(folder, name), Content: text, Executable: executable})
	}
	return files
}

// Module returns the name of the module that finds selfsame-ffi for a distribution that brings it along.
func Module(dist string) string { return Folder + "." + wheel.Escaped(dist) + ".finder" }
