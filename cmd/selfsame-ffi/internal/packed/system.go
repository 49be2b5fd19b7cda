package packed

import (
	"debug/elf"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// system is the folder of the archive with libraries of the system that the packages need, which host/python/embedded loads
// where the system that runs the program lacks them.
const system = "system.libs"

// ofC are the libraries of the C library, which the program needs itself.
var ofC = []string{"libc.so.", "libm.so.", "libdl.so.", "libpthread.so.", "librt.so.", "libutil.so.", "libresolv.so.", "ld-linux"}

// folders are where libraries of the system lie.
var folders = []string{"/lib/*-linux-gnu", "/usr/lib/*-linux-gnu", "/lib64", "/usr/lib64", "/lib", "/usr/lib"}

// addSystem copies the libraries of this system that those in a folder need into it: wheels for manylinux expect the C++
// library and zlib, which small images do not have. It leaves out a library that this system does not have either.
func addSystem(folder string) error {
	var needed []string
	here := map[string]bool{}
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && strings.Contains(entry.Name(), ".so") && entry.Type().IsRegular() {
			here[entry.Name()] = true
			needed = append(needed, imports(path)...)
		}
		return err
	})
	for ; err == nil && len(needed) > 0; needed = needed[1:] {
		name := needed[0]
		if here[name] || slices.ContainsFunc(ofC, func(of string) bool { return strings.HasPrefix(name, of) }) {
			continue
		}
		here[name] = true
		for _, pattern := range folders {
			found, _ := filepath.Glob(filepath.Join(pattern, name))
			if len(found) == 0 {
				continue
			}
			needed = append(needed, imports(found[0])...)
			err = copyTo(filepath.Join(folder, system, name), found[0])
			break
		}
	}
	return err
}

// imports returns the libraries that a library needs, none for a file that is no library.
func imports(path string) []string {
	file, err := elf.Open(path)
	if err != nil {
		return nil
	}
	defer func() { _ = file.Close() }()
	names, _ := file.ImportedLibraries()
	return names
}

func copyTo(path, from string) error {
	content, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, content, 0o644)
}
