package library

import (
	"bytes"
	"debug/macho"
	"debug/pe"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
)

// systemOf returns the system that a file's first bytes tell of, as GOOS has it, "" for none that is known.
func systemOf(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	var start [4]byte
	if _, err := io.ReadFull(f, start[:]); err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return "", err
	}
	switch number := binary.LittleEndian.Uint32(start[:]); {
	case string(start[:2]) == "MZ":
		return "windows", nil
	case number == macho.Magic64 || number == macho.Magic32:
		return "darwin", nil
	case string(start[:]) == "\x7fELF":
		return "linux", nil
	}
	return "", nil
}

// openMacOS reads the processor: what else it could tell nothing asks for, since nothing here runs on macOS.
func openMacOS(path string) (*File, error) {
	f, err := macho.Open(path)
	if err != nil {
		return nil, fmt.Errorf("%s is not a shared library for macOS: %w", path, err)
	}
	defer f.Close()
	machine := map[macho.Cpu]string{macho.CpuAmd64: "x86_64", macho.CpuArm64: "arm64"}[f.Cpu]
	if machine == "" {
		machine = f.Cpu.String()
	}
	return &File{Path: path, System: "darwin", Machine: machine}, nil
}

func openWindows(path string) (*File, error) {
	f, err := pe.Open(path)
	if err != nil {
		return nil, fmt.Errorf("%s is not a shared library for Windows: %w", path, err)
	}
	defer f.Close()
	if f.Characteristics&pe.IMAGE_FILE_DLL == 0 {
		return nil, fmt.Errorf("%s is not a shared library but a program", path)
	}
	lib := &File{Path: path, System: "windows"}
	switch f.Machine {
	case pe.IMAGE_FILE_MACHINE_AMD64:
		lib.Machine = "x86_64"
	case pe.IMAGE_FILE_MACHINE_ARM64:
		lib.Machine = "aarch64"
	default:
		lib.Machine = fmt.Sprintf("processor 0x%x", f.Machine)
	}
	if lib.Undefined, lib.Needed, err = WindowsImports(f); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	exported, err := exports(f)
	if err != nil {
		return nil, fmt.Errorf("%s: its list of exports: %w", path, err)
	}
	for name, at := range exported {
		if rest, ok := strings.CutPrefix(name, exportPrefix); ok && !strings.HasPrefix(rest, "_") {
			lib.Exports = append(lib.Exports, rest)
		}
		switch name {
		case "SelfsameExtensionInit":
			lib.Extension = true
		case "SelfsameExtensionABI":
			var numbers [12]byte
			if err := readAt(f, at, numbers[:]); err != nil {
				return nil, fmt.Errorf("%s: SelfsameExtensionABI cannot be read: %w", path, err)
			}
			lib.ABI = abiOf(binary.LittleEndian, numbers)
		}
	}
	slices.Sort(lib.Exports)
	lib.readBuild(path)
	return lib, nil
}

// WindowsImports returns the names that a file for Windows asks other libraries for, and these libraries.
func WindowsImports(f *pe.File) (names, libraries []string, err error) {
	symbols, err := f.ImportedSymbols() // "name:library"; ImportedLibraries of debug/pe returns none
	for _, s := range symbols {
		name, from, _ := strings.Cut(s, ":")
		names = append(names, name)
		if !slices.Contains(libraries, from) {
			libraries = append(libraries, from)
		}
	}
	return names, libraries, err
}

// definedOnWindows returns the names that a library for Windows exports.
func definedOnWindows(path string) (map[string]bool, error) {
	f, err := pe.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	exported, err := exports(f)
	names := map[string]bool{}
	for name := range exported {
		names[name] = true
	}
	return names, err
}

// maxExports is a number of exported names that no file has: those of files that say more are not read.
const maxExports = 1 << 16

// exports returns the names that a file for 64-bit Windows exports, with the addresses from the begin of its image.
func exports(f *pe.File) (map[string]uint32, error) {
	header, ok := f.OptionalHeader.(*pe.OptionalHeader64)
	if !ok || header.NumberOfRvaAndSizes == 0 || header.DataDirectory[0].Size == 0 {
		return nil, nil
	}
	var directory struct {
		_                           [20]byte
		Functions, Names            uint32
		FunctionsAt, NamesAt, Order uint32
	}
	raw := make([]byte, binary.Size(directory))
	if err := readAt(f, header.DataDirectory[0].VirtualAddress, raw); err != nil {
		return nil, err
	}
	if _, err := binary.Decode(raw, binary.LittleEndian, &directory); err != nil {
		return nil, err
	}
	if directory.Functions > maxExports || directory.Names > maxExports {
		return nil, fmt.Errorf("%d names of %d functions", directory.Names, directory.Functions)
	}
	functions, names := make([]byte, 4*directory.Functions), make([]byte, 4*directory.Names)
	order := make([]byte, 2*directory.Names)
	if err := errors.Join(readAt(f, directory.FunctionsAt, functions), readAt(f, directory.NamesAt, names), readAt(f, directory.Order, order)); err != nil {
		return nil, err
	}
	found := map[string]uint32{}
	for i := range int(directory.Names) {
		name, err := textAt(f, binary.LittleEndian.Uint32(names[4*i:]))
		if err != nil {
			return nil, err
		}
		number := uint32(binary.LittleEndian.Uint16(order[2*i:]))
		if number >= directory.Functions {
			return nil, fmt.Errorf("%q has the number %d of %d functions", name, number, directory.Functions)
		}
		found[name] = binary.LittleEndian.Uint32(functions[4*number:])
	}
	return found, nil
}

// readAt fills b with what the file has for an address of its image.
func readAt(f *pe.File, address uint32, b []byte) error {
	if len(b) == 0 {
		return nil
	}
	for _, s := range f.Sections {
		if address >= s.VirtualAddress && uint64(address)+uint64(len(b)) <= uint64(s.VirtualAddress)+uint64(s.Size) {
			if n, err := s.ReadAt(b, int64(address-s.VirtualAddress)); n < len(b) {
				return err
			}
			return nil
		}
	}
	return fmt.Errorf("no section has %d bytes at 0x%x", len(b), address)
}

// textAt returns the text that ends with a zero byte.
func textAt(f *pe.File, address uint32) (string, error) {
	const longest = 4096
	for _, s := range f.Sections {
		if address >= s.VirtualAddress && address < s.VirtualAddress+s.Size {
			text := make([]byte, min(longest, s.VirtualAddress+s.Size-address))
			if err := readAt(f, address, text); err != nil {
				return "", err
			}
			if end := bytes.IndexByte(text, 0); end >= 0 {
				return string(text[:end]), nil
			}
			break
		}
	}
	return "", fmt.Errorf("no text ends behind 0x%x", address)
}
