// Package library reads from a shared library's file what a tool must know before the library is loaded.
package library

import (
	"archive/zip"
	"bytes"
	"cmp"
	"debug/buildinfo"
	"debug/elf"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/gosource"
)

// File describes the file of a shared library.
type File struct {
	Path      string   `json:"path"`
	System    string   `json:"system"`  // that it is for, as GOOS has it
	Machine   string   `json:"machine"` // its processor, as wheels name it, if they do
	Soname    string   `json:"soname,omitempty"`
	Needed    []string `json:"needed,omitempty"`  // the libraries that it is linked to
	Runpath   []string `json:"runpath,omitempty"` // where they are looked for first
	ABI       string   `json:"abi,omitempty"`     // the version of the C ABI it was compiled for, "" if it does not say
	Go        string   `json:"go,omitempty"`      // the Go release that compiled it
	Frontend  string   `json:"frontend,omitempty"`
	Extension bool     `json:"extension"` // `selfsame-ffi build` made it

	Exports   []string       `json:"-"` // names of the functions that it has as a module
	Undefined []string       `json:"-"` // names of the functions that other libraries must have
	Glibc     map[string]int `json:"-"` // newest minor version of GLIBC_2 and GLIBCXX_3.4 that it asks for
}

// Open reads the file of a shared library for Linux, Windows or macOS. It reads only the processor of a library for
// macOS.
func Open(path string) (*File, error) {
	switch system, err := systemOf(path); {
	case errors.Is(err, os.ErrNotExist):
		return nil, fmt.Errorf("%s: no such file", path)
	case err != nil:
		return nil, err
	case system == "windows":
		return openWindows(path)
	case system == "darwin":
		return openMacOS(path)
	}
	return openLinux(path)
}

// kind says what a file is that has none of the formats of libraries.
func kind(path string, failed error) string {
	file, err := os.Open(path)
	if err != nil {
		return err.Error()
	}
	defer file.Close()
	start := make([]byte, 512)
	n, err := io.ReadFull(file, start)
	switch text := start[:n]; {
	case n == 0:
		return "an empty file"
	case err != nil && !errors.Is(err, io.ErrUnexpectedEOF):
		return err.Error()
	case bytes.HasPrefix(text, []byte(elf.ELFMAG)):
		return "a damaged one: " + failed.Error()
	case bytes.HasPrefix(text, []byte("!<arch>\n")):
		return "an archive of object files"
	case bytes.HasPrefix(text, []byte("PK\x03\x04")):
		return "a zip archive"
	case utf8.Valid(text[:n-min(n, utf8.UTFMax)]) && !bytes.ContainsRune(text, 0):
		return "a text"
	default:
		return fmt.Sprintf("one that begins with the bytes % x", text[:min(n, 4)])
	}
}

func openLinux(path string) (*File, error) {
	f, err := elf.Open(path)
	if err != nil {
		return nil, fmt.Errorf("%s is no shared library: expected a file in the format ELF (.so), PE (.dll) or Mach-O (.dylib), got %s", path, kind(path, err))
	}
	defer f.Close()
	if f.Type != elf.ET_DYN {
		return nil, fmt.Errorf("%s is not a shared library but %s", path, f.Type)
	}
	lib := &File{Path: path, System: "linux", Machine: strings.ToLower(strings.TrimPrefix(f.Machine.String(), "EM_")), Glibc: map[string]int{}}
	if lib.Needed, err = f.ImportedLibraries(); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if names, err := f.DynString(elf.DT_SONAME); err == nil && len(names) > 0 {
		lib.Soname = names[0]
	}
	for _, tag := range []elf.DynTag{elf.DT_RPATH, elf.DT_RUNPATH} {
		if texts, err := f.DynString(tag); err == nil {
			for _, text := range texts {
				lib.Runpath = append(lib.Runpath, strings.Split(text, ":")...)
			}
		}
	}
	imported, err := f.ImportedSymbols()
	if err != nil && !errors.Is(err, elf.ErrNoSymbols) {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	for _, s := range imported {
		lib.Undefined = append(lib.Undefined, s.Name)
		for _, prefix := range []string{"GLIBC_2.", "GLIBCXX_3.4."} {
			var minor int
			if rest, ok := strings.CutPrefix(s.Version, prefix); ok {
				if _, err := fmt.Sscanf(rest, "%d", &minor); err == nil {
					name := strings.TrimSuffix(prefix, ".")
					lib.Glibc[name] = max(lib.Glibc[name], minor)
				}
			}
		}
	}
	if err := lib.readDefined(f); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	lib.readBuild(path)
	return lib, nil
}

// exportPrefix begins the symbols of the functions that a library has as a module. An underscore after it marks the library's
// documentation, metadata and context instead.
const exportPrefix = "__tvm_ffi_"

// readDefined reads what the names that the library exports tell.
func (lib *File) readDefined(f *elf.File) error {
	symbols, err := f.DynamicSymbols()
	if err != nil && !errors.Is(err, elf.ErrNoSymbols) {
		return err
	}
	for _, s := range symbols {
		if s.Section == elf.SHN_UNDEF || int(s.Section) >= len(f.Sections) {
			continue
		}
		if name, ok := strings.CutPrefix(s.Name, exportPrefix); ok && elf.ST_TYPE(s.Info) == elf.STT_FUNC && !strings.HasPrefix(name, "_") {
			lib.Exports = append(lib.Exports, name)
		}
		switch s.Name {
		case "SelfsameExtensionInit":
			lib.Extension = true
		case "SelfsameExtensionABI":
			section := f.Sections[s.Section]
			var numbers [12]byte
			if _, err := section.ReadAt(numbers[:], int64(s.Value-section.Addr)); err != nil {
				return fmt.Errorf("SelfsameExtensionABI cannot be read: %w", err)
			}
			lib.ABI = abiOf(f.ByteOrder, numbers)
		}
	}
	slices.Sort(lib.Exports)
	return nil
}

// readBuild reads what the Go compiler noted, if Go compiled the library.
func (lib *File) readBuild(path string) {
	info, err := buildinfo.ReadFile(path)
	if err != nil {
		return
	}
	lib.Go = info.GoVersion
	for _, dep := range append(info.Deps, &info.Main) {
		if dep.Path == gosource.FrontendPath {
			lib.Frontend = dep.Version
		}
	}
}

// abiOf returns the version that SelfsameExtensionABI has.
func abiOf(order binary.ByteOrder, numbers [12]byte) string {
	part := func(i int) uint32 { return order.Uint32(numbers[4*i:]) }
	return fmt.Sprintf("%d.%d.%d", part(0), part(1), part(2))
}

// processors are Go's names of processors, by those that files have.
var processors = map[string]string{"x86_64": "amd64", "aarch64": "arm64", "arm64": "arm64"}

// RunsOn reports whether a machine of this GOOS and GOARCH can load the library.
func (lib *File) RunsOn(goos, goarch string) bool {
	return lib.System == goos && processors[lib.Machine] == goarch
}

// Place names what the library is for, for messages.
func (lib *File) Place() string {
	return Place(lib.System, cmp.Or(processors[lib.Machine], lib.Machine))
}

// Place names a GOOS and a GOARCH for messages.
func Place(goos, goarch string) string {
	names := map[string]string{"linux": "Linux", "windows": "Windows", "darwin": "macOS"}
	return cmp.Or(names[goos], goos) + " on " + goarch
}

// Find returns the path of the shared library that the user means by path: itself, that in the folder of a Python
// package, or that in a wheel, which is unpacked into the folder work.
func Find(path, work string) (string, error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return "", fmt.Errorf("%s: no such file; give a shared library, the folder of a built Python package, or a wheel", path)
	case err != nil:
		return "", err
	case info.IsDir():
		return inFolder(path)
	case strings.HasSuffix(path, ".whl"):
		return inWheel(path, work)
	}
	return path, nil
}

// endings are those of the libraries of Python packages.
var endings = []string{".so", ".dll"}

// inFolder finds the library of a built package, or the only one in a folder.
func inFolder(folder string) (string, error) {
	absolute, err := filepath.Abs(folder)
	if err != nil {
		return "", err
	}
	var found []string
	for _, ending := range endings {
		some, err := filepath.Glob(filepath.Join(folder, "*"+ending))
		if err != nil {
			return "", err
		}
		found = append(found, some...)
	}
	own := filepath.Join(folder, "_"+filepath.Base(absolute))
	isOwn := func(path string) bool { return strings.TrimSuffix(path, filepath.Ext(path)) == own }
	switch {
	case slices.ContainsFunc(found, isOwn):
		return found[slices.IndexFunc(found, isOwn)], nil
	case len(found) == 1:
		return found[0], nil
	case len(found) == 0:
		return "", fmt.Errorf("%s has no shared library; build it with `selfsame-ffi build`, and give the folder of the Python package", folder)
	}
	return "", fmt.Errorf("%s has %d shared libraries; give one of them", folder, len(found))
}

// maxUnpacked is the size of a library beyond which a wheel is not unpacked: a small wheel may say anything.
const maxUnpacked = 1 << 31

// inWheel unpacks the library of a wheel, and the Python module beside it.
func inWheel(wheel, work string) (string, error) {
	archive, err := zip.OpenReader(wheel)
	if err != nil {
		return "", fmt.Errorf("%s: %w", wheel, err)
	}
	defer archive.Close()
	var libraries []*zip.File
	for _, f := range archive.File {
		if slices.Contains(endings, path.Ext(f.Name)) {
			libraries = append(libraries, f)
		}
	}
	if len(libraries) != 1 {
		return "", fmt.Errorf("%s has %d shared libraries; unpack it and give one of them", wheel, len(libraries))
	}
	beside := path.Join(path.Dir(libraries[0].Name), "__init__.py")
	for _, f := range archive.File {
		if f.Name == beside {
			if _, err := unpack(f, wheel, work); err != nil {
				return "", err
			}
			break
		}
	}
	return unpack(libraries[0], wheel, work)
}

// unpack writes a file of a wheel into a folder, and returns its path there.
func unpack(f *zip.File, wheel, folder string) (string, error) {
	in, err := f.Open()
	if err != nil {
		return "", err
	}
	defer in.Close()
	unpacked := filepath.Join(folder, path.Base(f.Name))
	out, err := os.Create(unpacked)
	if err != nil {
		return "", err
	}
	n, err := io.CopyN(out, in, maxUnpacked+1)
	if closed := out.Close(); errors.Is(err, io.EOF) {
		err = closed
	} else if err == nil && n > maxUnpacked {
		err = fmt.Errorf("%s: %s has more than %d bytes", wheel, f.Name, int64(maxUnpacked))
	}
	return unpacked, err
}

// Defined returns the names of the functions and variables that a library exports.
func Defined(path string) (map[string]bool, error) {
	if system, err := systemOf(path); err != nil || system == "windows" {
		return definedOnWindows(path)
	}
	f, err := elf.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	symbols, err := f.DynamicSymbols()
	if err != nil {
		return nil, err
	}
	names := map[string]bool{}
	for _, s := range symbols {
		if s.Section != elf.SHN_UNDEF {
			names[s.Name] = true
		}
	}
	return names, nil
}
