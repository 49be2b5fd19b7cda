package wheel

import (
	"debug/macho"
	"debug/pe"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/library"
)

// windowsLibraries are the libraries of Windows itself that compilers and Go link to, besides those of the C library.
var windowsLibraries = []string{
	"advapi32.dll", "bcrypt.dll", "bcryptprimitives.dll", "crypt32.dll", "dbghelp.dll", "dnsapi.dll", "iphlpapi.dll",
	"kernel32.dll", "mswsock.dll", "msvcrt.dll", "ncrypt.dll", "netapi32.dll", "ntdll.dll", "ole32.dll", "oleaut32.dll",
	"powrprof.dll", "psapi.dll", "secur32.dll", "shell32.dll", "shlwapi.dll", "synchronization.dll", "ucrtbase.dll",
	"user32.dll", "userenv.dll", "version.dll", "winmm.dll", "ws2_32.dll",
}

// CheckWindows fails when a library is not for Windows on x86-64, or needs what other machines may not have.
func CheckWindows(file string) error {
	f, err := pe.Open(file)
	if err != nil {
		return fmt.Errorf("it is not a library for Windows: %w", err)
	}
	defer f.Close()
	if f.Machine != pe.IMAGE_FILE_MACHINE_AMD64 {
		return fmt.Errorf("it is for another processor than x86-64 (0x%x)", f.Machine)
	}
	_, needed, err := library.WindowsImports(f)
	if err != nil {
		return err
	}
	var others []string
	for _, name := range needed {
		lower := strings.ToLower(name)
		if !slices.Contains(windowsLibraries, lower) && !strings.HasPrefix(lower, "api-ms-win-") {
			others = append(others, name)
		}
	}
	if others != nil {
		return fmt.Errorf("it needs %s, which other machines may not have: link it statically", strings.Join(others, " and "))
	}
	return nil
}

// MacOS is a version of macOS.
type MacOS struct{ Major, Minor int }

func (v MacOS) newerThan(other MacOS) bool {
	return v.Major > other.Major || v.Major == other.Major && v.Minor > other.Minor
}

// The load commands of Mach-O files that debug/macho has no names for.
const (
	codeSignature = 0x1d
	minimumMacOS  = 0x24 // in files for macOS before 10.14
	buildVersion  = 0x32
)

// CheckMacOS fails when a library is not for macOS from oldest on and for the processor, x86_64 or arm64. It fails when
// the library needs what other machines may not have, and when one for arm64 lacks the signature that Apple asks for.
func CheckMacOS(file string, oldest MacOS, machine string) error {
	f, err := macho.Open(file)
	if err != nil {
		return fmt.Errorf("it is not a library for macOS: %w", err)
	}
	defer f.Close()
	if want := map[string]macho.Cpu{"x86_64": macho.CpuAmd64, "arm64": macho.CpuArm64}[machine]; f.Cpu != want {
		return fmt.Errorf("it is for the processor %s, not for %s", f.Cpu, machine)
	}
	needed, err := f.ImportedLibraries()
	if err != nil {
		return err
	}
	for _, name := range needed {
		if !strings.HasPrefix(name, "/usr/lib/") && !strings.HasPrefix(name, "/System/Library/") {
			return fmt.Errorf("it needs %s, which other machines may not have: link it statically", name)
		}
	}
	signed, dated := false, false
	for _, load := range f.Loads {
		raw := load.Raw()
		switch command := f.ByteOrder.Uint32(raw); {
		case command == codeSignature:
			signed = true
		case command == buildVersion && len(raw) >= 16:
			dated = true
			if got := macOSVersion(f.ByteOrder, raw[12:]); got.newerThan(oldest) {
				return tooNew(got, oldest)
			}
		case command == minimumMacOS && len(raw) >= 12:
			dated = true
			if got := macOSVersion(f.ByteOrder, raw[8:]); got.newerThan(oldest) {
				return tooNew(got, oldest)
			}
		}
	}
	switch {
	case !dated:
		return fmt.Errorf("it does not say for which macOS it is")
	case !signed && machine == "arm64":
		return fmt.Errorf("it has no signature, not even one of its own (ad hoc), without which arm64 runs nothing")
	}
	return nil
}

func macOSVersion(order binary.ByteOrder, raw []byte) MacOS {
	v := order.Uint32(raw)
	return MacOS{Major: int(v >> 16), Minor: int(v >> 8 & 0xff)}
}

func tooNew(got, oldest MacOS) error {
	return fmt.Errorf("it needs macOS %d.%d, newer than the target's %d.%d", got.Major, got.Minor, oldest.Major, oldest.Minor)
}
