package wheel

import (
	"debug/elf"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Glibc is a version of glibc, 2.Glibc.
type Glibc int

// machines are the processors that wheels are made for, by their names in tags.
var machines = map[elf.Machine]string{elf.EM_X86_64: "x86_64", elf.EM_AARCH64: "aarch64"}

// Machine returns the name of a library's processor in tags, "" for one that wheels are not made for.
func Machine(f *elf.File) string { return machines[f.Machine] }

// shared are the libraries that every Linux system with glibc has.
var shared = []string{
	"libc.so.6", "libm.so.6", "libdl.so.2", "libpthread.so.0", "librt.so.1", "libresolv.so.2", "libutil.so.1",
	"ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1", "libgcc_s.so.1", "libstdc++.so.6",
}

// libstdcxx is the newest version of libstdc++ that the systems of a tag are sure to have.
var libstdcxx = []struct {
	glibc  Glibc
	newest int // of GLIBCXX_3.4.newest
}{{17, 19}, {24, 22}, {28, 24}, {31, 28}, {34, 29}, {35, 30}, {39, 33}}

var symbolVersion = regexp.MustCompile(`^(GLIBC_2|GLIBCXX_3\.4)\.(\d+)`)

// Oldest returns the oldest glibc on which the library loads. It fails when the library needs what other machines may not
// have.
func Oldest(library string) (Glibc, error) {
	f, err := elf.Open(library)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	needed, err := f.ImportedLibraries()
	if err != nil {
		return 0, err
	}
	var others []string
	for _, name := range needed {
		if strings.HasPrefix(name, "libc.musl-") || name == "libc.so" {
			return 0, fmt.Errorf("it is linked to musl's %s", name)
		}
		if !slices.Contains(shared, name) {
			others = append(others, name)
		}
	}
	if others != nil {
		return 0, fmt.Errorf("it needs %s, which other machines may not have: link it statically, "+
			"or make a wheel for machines like this one with --target linux", strings.Join(others, " and "))
	}
	symbols, err := f.ImportedSymbols()
	if err != nil {
		return 0, err
	}
	oldest := Glibc(17) // no tag is older than that of 2.17 for all processors
	for _, s := range symbols {
		m := symbolVersion.FindStringSubmatch(s.Version)
		if m == nil {
			continue
		}
		n, err := strconv.Atoi(m[2])
		if err != nil {
			continue
		}
		if m[1] == "GLIBC_2" {
			oldest = max(oldest, Glibc(n))
			continue
		}
		for _, l := range libstdcxx {
			if l.newest >= n {
				oldest = max(oldest, l.glibc)
				break
			}
		}
	}
	return oldest, nil
}

// CheckMusl fails when a library is not for musl and the processor, or needs what other machines may not have. It also fails
// for thread-local variables of the kind for which musl has no memory when a running process opens the library.
func CheckMusl(library, machine string) error {
	f, err := elf.Open(library)
	if err != nil {
		return err
	}
	defer f.Close()
	if Machine(f) != machine {
		return fmt.Errorf("it is for the processor %s, not for %s", f.Machine, machine)
	}
	needed, err := f.ImportedLibraries()
	if err != nil {
		return err
	}
	for _, name := range needed {
		if name != "libc.so" && !strings.HasPrefix(name, "libc.musl-") {
			return fmt.Errorf("it needs %s, which other machines with musl may not have: link it statically", name)
		}
	}
	flags, err := f.DynValue(elf.DT_FLAGS)
	if err != nil {
		return err
	}
	for _, value := range flags {
		if elf.DynFlag(value)&elf.DF_STATIC_TLS != 0 {
			return fmt.Errorf("it has thread-local variables of the kind initial-exec, which musl refuses in a running process: " +
				"compile its C code without -ftls-model and without the attribute tls_model")
		}
	}
	return nil
}

// Manylinux returns the platform tag for glibc 2.g and a processor.
func Manylinux(g Glibc, machine string) string { return fmt.Sprintf("manylinux_2_%d_%s", g, machine) }
