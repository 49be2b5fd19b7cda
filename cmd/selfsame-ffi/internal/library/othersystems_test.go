package library

// Requirement: G3

import (
	"archive/zip"
	"bytes"
	"debug/macho"
	"debug/pe"
	"encoding/binary"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/selfsame-ffi/selfsame/internal/testenv"
)

// exported is a name that a file for Windows exports, with what its address leads to.
type exported struct {
	name string
	data []byte
}

// windowsLibrary returns a file for Windows that has nothing but a section with its exports.
func windowsLibrary(t *testing.T, machine, kind uint16, names ...exported) []byte {
	t.Helper()
	const base, headers, directory = 0x1000, 0x200, 40
	n := uint32(len(names))
	functionsAt := uint32(base + directory)
	namesAt, orderAt := functionsAt+4*n, functionsAt+8*n
	var functions, texts []uint32
	var order []uint16
	var tail []byte
	at := func() uint32 { return orderAt + 2*n + uint32(len(tail)) }
	for i, e := range names {
		texts, order = append(texts, at()), append(order, uint16(i))
		tail = append(tail, e.name+"\x00"...)
		functions = append(functions, at())
		tail = append(tail, e.data...)
	}
	section := testenv.Fields(t, [20]byte{}, n, n, functionsAt, namesAt, orderAt, functions, texts, order, tail)
	optional := pe.OptionalHeader64{Magic: 0x20b, NumberOfRvaAndSizes: 16}
	optional.DataDirectory[0] = pe.DataDirectory{VirtualAddress: base, Size: uint32(len(section))}
	header := pe.SectionHeader32{
		Name: [8]uint8{'.', 'e', 'd', 'a', 't', 'a'}, VirtualAddress: base, VirtualSize: uint32(len(section)),
		SizeOfRawData: uint32(len(section)), PointerToRawData: headers,
	}
	dos := make([]byte, 0x40)
	dos[0], dos[1], dos[0x3c] = 'M', 'Z', 0x40
	file := pe.FileHeader{Machine: machine, NumberOfSections: 1, SizeOfOptionalHeader: uint16(binary.Size(optional)), Characteristics: kind}
	head := testenv.Fields(t, dos, []byte("PE\x00\x00"), file, optional, header)
	return append(append(head, make([]byte, headers-len(head))...), section...)
}

func saved(t *testing.T, name string, content []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	testenv.OK(t, os.WriteFile(path, content, 0o644))
	return path
}

func TestLibraryForWindowsTellsItsExports(t *testing.T) {
	content := windowsLibrary(t, pe.IMAGE_FILE_MACHINE_AMD64, pe.IMAGE_FILE_DLL,
		exported{"SelfsameExtensionABI", testenv.Fields(t, [3]uint32{1, 2, 33})}, exported{"SelfsameExtensionInit", []byte{0xc3}},
		exported{"__tvm_ffi_add", []byte{0xc3}}, exported{"__tvm_ffi__doc_add", []byte{0xc3}})
	path := saved(t, "_geo.dll", content)
	lib := testenv.Value(Open(path))(t)
	if !lib.Extension || lib.ABI != "1.2.33" || lib.System != "windows" || !slices.Equal(lib.Exports, []string{"add"}) {
		t.Errorf("got %+v", lib)
	}
	if !lib.RunsOn("windows", "amd64") || lib.RunsOn("linux", "amd64") || lib.RunsOn("windows", "arm64") || lib.Place() != "Windows on amd64" {
		t.Errorf("it is for %s", lib.Place())
	}
	names, err := Defined(path)
	if err != nil || len(names) != 4 || !names["__tvm_ffi_add"] {
		t.Errorf("it exports %v, error %v", names, err)
	}
	cut := saved(t, "cut.dll", content)
	for end := len(content) - 1; end >= 0; end-- {
		testenv.OK(t, os.Truncate(cut, int64(end)))
		if _, err := Open(cut); err == nil {
			t.Fatalf("the first %d bytes of %d are a library", end, len(content))
		}
	}
	_, err = Open(saved(t, "program.exe", windowsLibrary(t, pe.IMAGE_FILE_MACHINE_AMD64, 0)))
	if err == nil || !strings.Contains(err.Error(), "is not a shared library but a program") {
		t.Errorf("a program as a library: got error %v", err)
	}
}

func TestLibraryForAnotherProcessorIsNamed(t *testing.T) {
	windows := windowsLibrary(t, pe.IMAGE_FILE_MACHINE_ARM64, pe.IMAGE_FILE_DLL)
	mac := testenv.Fields(t, macho.Magic64, macho.CpuArm64, uint32(0), macho.TypeDylib, [4]uint32{})
	for _, c := range []struct {
		name, want string
		content    []byte
	}{{"_x.dll", "Windows on arm64", windows}, {"_x.so", "macOS on arm64", mac}} {
		lib, err := Open(saved(t, c.name, c.content))
		if err != nil {
			t.Errorf("%s: %v", c.want, err)
		} else if lib.Place() != c.want || lib.RunsOn("linux", "arm64") {
			t.Errorf("%s: it is for %s", c.want, lib.Place())
		}
	}
}

func TestLibraryOfAWheelForWindowsIsFound(t *testing.T) {
	var archive bytes.Buffer
	w := zip.NewWriter(&archive)
	out := testenv.Value(w.Create("geo/_geo.dll"))(t)
	testenv.Value(out.Write(windowsLibrary(t, pe.IMAGE_FILE_MACHINE_AMD64, pe.IMAGE_FILE_DLL)))(t)
	testenv.OK(t, w.Close())
	found, err := Find(saved(t, "geo-1.0-py3-none-win_amd64.whl", archive.Bytes()), t.TempDir())
	if err != nil || filepath.Base(found) != "_geo.dll" {
		t.Errorf("got %q, error %v", found, err)
	}
	if found, err = Find(filepath.Dir(found), t.TempDir()); err != nil || filepath.Base(found) != "_geo.dll" {
		t.Errorf("in its folder: got %q, error %v", found, err)
	}
}
