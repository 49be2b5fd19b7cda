// Package libload asks the loader of the system about shared libraries, and says why one cannot be loaded.
package libload

// #cgo CFLAGS: -I${SRCDIR}/../../abi/include -std=c11 -D_GNU_SOURCE -Wall -Wextra -O2
// #cgo linux LDFLAGS: -ldl
// #include <stdlib.h>
// #include "selfsame/internal/loader.h"
//
// static void* loaded(const char* path) { return dlopen(path, RTLD_LAZY | RTLD_NOLOAD); }
//
// static int in_process(const char* name) { return dlsym(RTLD_DEFAULT, name) != NULL; }
import "C"

import (
	"debug/elf"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"unsafe"

	_ "github.com/selfsame-ffi/selfsame/abi/include" // the headers, see there
)

// Resolve returns the file that a person means by path: for a name without a slash that in the working directory, if
// there is one. Otherwise it returns path, and the loader looks for such a name in its folders.
func Resolve(path string) string {
	if strings.ContainsAny(path, `/`+string(os.PathSeparator)) || path == "" {
		return path
	}
	if _, err := os.Stat(path); err != nil {
		return path
	}
	absolute, err := filepath.Abs(path)
	if err != nil {
		return "./" + path
	}
	return absolute
}

// IsLibrary reports whether a file is a shared library although its name does not end with .so: a version follows, as in
// libgeo.so.1.2, or it has no ending.
func IsLibrary(path string) bool {
	base := filepath.Base(path)
	if isVersioned(base) {
		return true
	}
	if strings.ContainsRune(base, '.') {
		return false
	}
	file, err := os.Open(path)
	if err != nil {
		return false
	}
	defer func() { _ = file.Close() }()
	var magic [4]byte
	_, err = io.ReadFull(file, magic[:])
	return err == nil && string(magic[:]) == elf.ELFMAG
}

// isVersioned reports whether a name ends with .so and numbers: libx.so.1, libx.so.1.20.
func isVersioned(name string) bool {
	for {
		dot := strings.LastIndexByte(name, '.')
		if dot < 0 || dot == len(name)-1 || strings.Trim(name[dot+1:], "0123456789") != "" {
			return false
		}
		if name = name[:dot]; strings.HasSuffix(name, ".so") {
			return true
		}
	}
}

// NoLoader returns why a file whose kind has no loader is not loaded.
func NoLoader(path string) error {
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%w; give the path of a shared library", fs.ErrNotExist)
	}
	return fmt.Errorf("its name is not that of a shared library (.so), and nothing in the process loads files of the kind %q; give a shared "+
		"library, or load the library first that reads such files", filepath.Ext(path))
}

// Symbol returns the address of a symbol of a library that is loaded, or of one that it is linked to; nil when there is
// none. The library must stay loaded.
func Symbol(path, name string) unsafe.Pointer {
	handle := open(path)
	if handle == nil {
		return nil
	}
	defer C.dlclose(handle)
	return symbolOf(handle, name)
}

// open returns the loader's handle of a library that is loaded, which the caller closes; nil when it is not.
func open(path string) unsafe.Pointer {
	cpath := C.CString(path)
	defer C.free(unsafe.Pointer(cpath))
	return C.loaded(cpath)
}

func symbolOf(handle unsafe.Pointer, name string) unsafe.Pointer {
	cname := C.CString(name)
	defer C.free(unsafe.Pointer(cname))
	return C.dlsym(handle, cname)
}

// Lacking returns the names of functions and variables that the loaded library needs, and that no library in the process
// has. The library calls them later, and a call of such a function ends the process. A name with a version is not looked
// at: the loader checks those. Lacking returns nil for a file that it cannot read.
func Lacking(path string) []string {
	file, err := elf.Open(path)
	if err != nil {
		return nil
	}
	defer func() { _ = file.Close() }()
	symbols, err := file.DynamicSymbols()
	if err != nil {
		return nil
	}
	handle := open(path)
	if handle == nil {
		return nil
	}
	defer C.dlclose(handle)
	var lacking []string
	for _, s := range symbols {
		if s.Section != elf.SHN_UNDEF || s.Name == "" || s.Version != "" || elf.ST_BIND(s.Info) == elf.STB_WEAK {
			continue
		}
		if symbolOf(handle, s.Name) == nil && !inProcess(s.Name) {
			lacking = append(lacking, s.Name)
		}
	}
	return lacking
}

func inProcess(name string) bool {
	cname := C.CString(name)
	defer C.free(unsafe.Pointer(cname))
	return C.in_process(cname) != 0
}

// Lacks returns the end of a message about the names that Lacking has found.
func Lacks(names []string) string {
	const shown = 3
	text := strings.Join(names[:min(shown, len(names))], ", ")
	if more := len(names) - shown; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	if slices.ContainsFunc(names, ofRuntime) {
		return fmt.Sprintf("it needs %s, which this runtime does not have: it was built for a newer version of the C ABI; update "+
			"selfsame, or take a release of the library for an older one", text)
	}
	if slices.ContainsFunc(names, ofPython) {
		return fmt.Sprintf("it needs %s of Python: it is an extension module, which Python alone loads; load the library with the C ABI of "+
			"tvm-ffi that the package has beside it", text)
	}
	return fmt.Sprintf("it needs %s, which no library in the process has; load the library that has it first", text)
}

func ofRuntime(name string) bool { return strings.HasPrefix(name, "TVMFFI") }

// ofPython reports whether a name is one of CPython's interface: PyList_New, _PyObject_New, Py_IncRef.
func ofPython(name string) bool {
	rest, is := strings.CutPrefix(strings.TrimPrefix(name, "_"), "Py")
	word, _, more := strings.Cut(rest, "_")
	return is && more && (word == "" || word[0] >= 'A' && word[0] <= 'Z' && !strings.ContainsFunc(word, notLetter))
}

func notLetter(c rune) bool { return (c < 'A' || c > 'Z') && (c < 'a' || c > 'z') }

// Whole returns an error when a file ends before what its header says is loaded, as after a copy that was cut off. The loader
// maps such a file nevertheless, and ends the process where it uses what is missing. Whole returns nil for any other file: the
// loader says what is wrong with that.
func Whole(path string) error {
	file, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer func() { _ = file.Close() }()
	info, err := file.Stat()
	if err != nil {
		return nil
	}
	var header elf.Header64
	if binary.Read(file, binary.LittleEndian, &header) != nil || string(header.Ident[:elf.EI_DATA+1]) != elf.ELFMAG+"\x02\x01" {
		return nil
	}
	for i := range int64(header.Phnum) {
		var part elf.Prog64
		at := io.NewSectionReader(file, int64(header.Phoff)+i*int64(header.Phentsize), int64(unsafe.Sizeof(part)))
		if err := binary.Read(at, binary.LittleEndian, &part); err != nil || elf.ProgType(part.Type) == elf.PT_LOAD &&
			(part.Off > uint64(info.Size()) || part.Filesz > uint64(info.Size())-part.Off) {
			return fmt.Errorf("it is cut off: it has %d bytes, and its header tells of more; copy or download it again", info.Size())
		}
	}
	return nil
}

// Why returns why a library could not be loaded and what to do, from its path and what the loader said. It is fs.ErrNotExist
// when there is no such file.
func Why(path, loader string) error {
	err := unreadable(path)
	var file *elf.File
	if err == nil {
		file, err = elf.Open(path)
	}
	switch {
	case errors.Is(err, fs.ErrNotExist) && strings.ContainsAny(path, `/`+string(os.PathSeparator)):
		return fmt.Errorf("%w; give the path of the library", fs.ErrNotExist)
	case errors.Is(err, fs.ErrNotExist):
		if strings.HasPrefix(loader, path+cannotOpen) {
			return fmt.Errorf("%w in %s, and the loader does not find it either; give its path, or put its folder into LD_LIBRARY_PATH",
				fs.ErrNotExist, workingDirectory())
		}
	case err != nil && runtime.GOOS != "linux":
		return errors.New(loader)
	case errors.As(err, new(*fs.PathError)):
		return fmt.Errorf("it cannot be read (%v)", err)
	case err != nil && is32Bit(path):
		return for32Bit()
	case err != nil:
		return fmt.Errorf("it is not a shared library for Linux (%v)", err)
	default:
		defer func() { _ = file.Close() }()
		if file.Class == elf.ELFCLASS32 {
			return for32Bit()
		}
		if machine, ok := machines[runtime.GOARCH]; ok && file.Machine != machine {
			return fmt.Errorf("it is for another machine, %s, and this program is for %s; take the library for this machine",
				strings.ToLower(strings.TrimPrefix(file.Machine.String(), "EM_")), runtime.GOARCH)
		}
	}
	if strings.Contains(loader, "initial-exec TLS") { // musl's words
		return errors.New("it asks for thread-local memory that musl gives to no library which a running process opens; link it for " +
			"musl: selfsame-ffi build does that, with --target musllinux_1_2_x86_64 or where it runs with musl")
	}
	if strings.Contains(loader, "/libc.so: invalid ELF header") { // with glibc's headers it is a text for the linker
		return forMusl("libc.so")
	}
	if before, _, ok := strings.Cut(loader, cannotOpen); ok {
		name := before[strings.LastIndexByte(before, ' ')+1:]
		if (strings.HasPrefix(name, "libc.musl-") || name == "libc.so") && runtime.GOOS == "linux" {
			return forMusl(name)
		}
		return fmt.Errorf("it needs the library %s, which the loader does not find; install that, put it beside the library if the "+
			"library looks there ($ORIGIN), or put its folder into LD_LIBRARY_PATH", name)
	}
	if _, rest, ok := strings.Cut(loader, "undefined symbol: "); ok {
		name := strings.FieldsFunc(rest, func(r rune) bool { return r == ' ' || r == ',' })
		return errors.New(Lacks(name[:min(1, len(name))]))
	}
	if _, rest, ok := strings.Cut(loader, "version `"); ok && strings.Contains(loader, "not found") {
		version, _, _ := strings.Cut(rest, "'")
		if of, _, _ := strings.Cut(loader, ": version `"); !ofSystem(version) {
			return fmt.Errorf("it needs version %s of the library %s, which the one here does not have; install the version that it was built "+
				"for", version, of)
		}
		return fmt.Errorf("it was built on a newer system than this one, with %s; take a build for an older system (a manylinux "+
			"wheel with a lower number), or run on a newer one", version)
	}
	return errors.New(loader)
}

func forMusl(name string) error {
	return fmt.Errorf("it was built for musl, such as Alpine Linux has, and needs its %s; take a build for glibc, such as a "+
		"manylinux wheel has", name)
}

// unreadable returns why a file cannot be opened or read; nil for one that can, and for an empty one. Since Go 1.27 package elf
// has only the text of such an error.
func unreadable(path string) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }()
	if _, err := file.Read(make([]byte, 1)); !errors.Is(err, io.EOF) {
		return err
	}
	return nil
}

func for32Bit() error {
	return fmt.Errorf("it is for a machine of 32 bits, and this program is for %s; take the library for this machine", runtime.GOARCH)
}

func is32Bit(path string) bool {
	file, err := os.Open(path)
	if err != nil {
		return false
	}
	defer func() { _ = file.Close() }()
	var ident [elf.EI_CLASS + 1]byte
	_, err = io.ReadFull(file, ident[:])
	return err == nil && string(ident[:]) == elf.ELFMAG+"\x01"
}

// ofSystem reports whether a version of symbols is one of glibc or of the runtime of GCC.
func ofSystem(version string) bool {
	name, _, _ := strings.Cut(version, "_")
	return slices.Contains([]string{"GLIBC", "GLIBCXX", "CXXABI", "GCC", "GOMP", "OMP"}, name)
}

// cannotOpen is what glibc's loader says behind the name of a file that it cannot open.
const cannotOpen = ": cannot open shared object file"

func workingDirectory() string {
	if dir, err := os.Getwd(); err == nil {
		return dir
	}
	return "the working directory"
}

var machines = map[string]elf.Machine{"amd64": elf.EM_X86_64, "arm64": elf.EM_AARCH64}
