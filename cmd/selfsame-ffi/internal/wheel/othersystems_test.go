package wheel

// Requirement: G1

import (
	"debug/macho"
	"debug/pe"
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/selfsame-ffi/selfsame/internal/testenv"
)

// written returns the path of a file with the fields, one after another in little-endian order.
func written(t *testing.T, fields ...any) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "library")
	testenv.OK(t, os.WriteFile(file, testenv.Fields(t, fields...), 0o644))
	return file
}

// machO returns the path of a Mach-O file that has nothing but load commands.
func machO(t *testing.T, cpu macho.Cpu, loads ...[]uint32) string {
	t.Helper()
	size, all := 0, []uint32{}
	for _, l := range loads {
		size += 4 * len(l)
		all = append(all, l...)
	}
	return written(t, macho.Magic64, cpu, uint32(0), macho.TypeDylib, uint32(len(loads)), uint32(size), uint32(0), uint32(0), all)
}

func TestLibraryForMacOSIsChecked(t *testing.T) {
	since := func(major, minor uint32) []uint32 { return []uint32{buildVersion, 24, 1, major<<16 | minor<<8, 0, 0} }
	before := []uint32{minimumMacOS, 16, 10<<16 | 9<<8, 0}
	signature := []uint32{codeSignature, 16, 0, 0}
	needs := func(name string) []uint32 { // a name of 24 bytes at most
		padded := make([]byte, 24)
		copy(padded, name)
		load := []uint32{0xc, 48, 24, 0, 0, 0}
		for i := 0; i < 24; i += 4 {
			load = append(load, binary.LittleEndian.Uint32(padded[i:]))
		}
		return load
	}
	for _, c := range []struct {
		name, machine, want string // "" is no error
		cpu                 macho.Cpu
		loads               [][]uint32
	}{
		{"signed", "arm64", "", macho.CpuArm64, [][]uint32{since(12, 0), signature, needs("/usr/lib/libSystem.dylib")}},
		{"older", "x86_64", "", macho.CpuAmd64, [][]uint32{before}},
		{"unsigned", "arm64", "has no signature", macho.CpuArm64, [][]uint32{since(12, 0)}},
		{"newer", "x86_64", "needs macOS 12.1, newer than the target's 12.0", macho.CpuAmd64, [][]uint32{since(12, 1)}},
		{"undated", "x86_64", "does not say for which macOS", macho.CpuAmd64, nil},
		{"processor", "arm64", "not for arm64", macho.CpuAmd64, [][]uint32{since(12, 0)}},
		{"foreign", "x86_64", "needs /opt/lib/libz.dylib", macho.CpuAmd64, [][]uint32{since(12, 0), needs("/opt/lib/libz.dylib")}},
	} {
		err := CheckMacOS(machO(t, c.cpu, c.loads...), MacOS{Major: 12}, c.machine)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: got error %v, want %q", c.name, err, c.want)
		}
	}
}

func TestLibraryForWindowsIsChecked(t *testing.T) {
	library := func(machine uint16) string {
		head := make([]byte, 0x40)
		head[0], head[1], head[0x3c] = 'M', 'Z', 0x40
		return written(t, head, []byte("PE\x00\x00"), pe.FileHeader{Machine: machine}, make([]byte, 64))
	}
	if err := CheckWindows(library(pe.IMAGE_FILE_MACHINE_AMD64)); err != nil {
		t.Error(err)
	}
	if err := CheckWindows(library(pe.IMAGE_FILE_MACHINE_ARM64)); err == nil || !strings.Contains(err.Error(), "another processor") {
		t.Errorf("got error %v", err)
	}
}

func TestFileOfAnotherSystemIsRefused(t *testing.T) {
	own, err := os.Executable() // an ELF file where the tests run
	if err != nil {
		t.Fatal(err)
	}
	if err := CheckWindows(own); err == nil || !strings.Contains(err.Error(), "not a library for Windows") {
		t.Errorf("got error %v", err)
	}
	if err := CheckMacOS(own, MacOS{Major: 12}, "arm64"); err == nil || !strings.Contains(err.Error(), "not a library for macOS") {
		t.Errorf("got error %v", err)
	}
}
