package musl

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"errors"
	"fmt"
)

// Why Go's object file is rewritten for musl. Go's code keeps the running goroutine in one thread-local word, and on
// Linux reads its distance from the thread pointer from a place that the dynamic linker fills when it loads the library
// (initial-exec). musl has memory at a fixed distance for the libraries of the process's start alone, and refuses
// others (golang/go#54805). It gives every other kind of thread-local memory to a library that a running process opens,
// in all threads, those that exist too. And Go's start takes the process's arguments from those of a constructor, which
// musl does not pass (golang/go#13492).
//
// Both are in go.o, the object file that Go's linker gives to the C linker. So cmd/selfsame-ffi/internal/musl stands
// between the two as the C compiler. Each instruction `mov runtime.tlsg@gottpoff(%rip), %register` has 7 bytes and a
// relocation that names it. It becomes a call of a function for that register and a no-op of 2 bytes; the accesses
// behind it stay. The function, in word.S, gets the distance of a word of its own from a TLS descriptor, which musl and
// glibc both have, and keeps the flags and all other registers. The constructor's relocation gets the name of a
// function in start.c. It lays out arguments, environment and auxiliary vector as the kernel does for a program, and
// calls Go's start. The linker does the rest: it takes no relocation of the old kind, and the result can be stripped. A
// use of the word that is not this instruction, another constructor, or a file without an end is an error.
//
// A call needs stack that Go did not count: 48 bytes with musl. Go's linker holds the longest chain of functions that
// do not check their stack to 800 bytes. The longest in a library was 592 (-ldflags=-debugnosplit), and no chain that
// reads the word came to more than 640 with these 48. A signal within the function finds a program counter outside of
// Go's code, as in C code, so Go does not stop the goroutine there.
//
// The price, measured with use.c of that package as the least of ten runs, a call from C into Go and back into C: with
// glibc 97 ns as Go links it and 110 ns rewritten, with musl 143 ns.
//
//   - A loader of our own would have no memory to give either, and its library would be in no list of musl's.
//   - Relocations that the C linker keeps (--emit-relocs) would name the same instructions in the finished library.
//     zig's driver refuses that flag, and the library's own relocation, flag and tables would have to be undone.
//   - A change of Go's compiler would leave everybody who builds a package with a Go of their own.
//
// C code of the project asks for memory at a fixed distance too, where the C library is glibc (SS_STATIC_TLS): an
// access then calls nothing. With musl it calls __tls_get_addr, which takes no lock and no memory there. And musl gives
// threads 128 KB of stack; Go's threads run C code, and call Python, on such a stack. So start.c sets the process's
// default to 8 MB, as glibc has it. Only addresses are taken.

// Names that the linker resolves with the code of this package: see word.S and start.c.
const (
	startName = "selfsame_musl_start" // what the dynamic linker calls instead of Go's start
	entryName = "selfsame_musl_entry" // Go's start, which start.c calls with arguments
	wordName  = "selfsame_musl_word_" // and the name of the register that gets the offset of the word
)

const (
	goWord  = "runtime.tlsg"         // the thread-local word of Go's code
	goStart = "_rt0_amd64_linux_lib" // Go's start in a library
)

// registers has the names of the general registers, by number.
var registers = [16]string{
	"rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15",
}

const (
	stackPointer = 4
	len64        = 7 // of the instruction that loads a 64-bit register from a place in memory
)

// object is a relocatable ELF file that is being changed.
type object struct {
	file    *elf.File
	headers uint64 // where those of the sections begin
	data    []byte
	symbols []elf.Symbol
	added   []elf.Sym64
	names   []byte // what is added to the names of the symbols
	byName  map[string]uint32
	oldEnd  uint32 // length of the names before
}

// Rewrite returns the object file that Go's linker gives to the C linker for a library, changed so that musl's dynamic
// linker can load the library into a running process. Each instruction that reads the offset of Go's thread-local word
// calls a function of word.S instead, and the constructor is that of start.c. It refuses a file with anything in those
// places that it does not know.
func Rewrite(data []byte) ([]byte, error) {
	file, err := elf.NewFile(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("read Go's object file: %w", err)
	}
	if file.Type != elf.ET_REL || file.Machine != elf.EM_X86_64 || file.Class != elf.ELFCLASS64 {
		return nil, fmt.Errorf("the object file of Go: expected a relocatable one for x86-64, got %s for %s", file.Type, file.Machine)
	}
	symbols, err := file.Symbols()
	if err != nil {
		return nil, fmt.Errorf("read the symbols of Go's object file: %w", err)
	}
	var header elf.Header64
	if _, err := binary.Decode(data, binary.LittleEndian, &header); err != nil {
		return nil, err
	}
	o := &object{file: file, headers: header.Shoff, data: bytes.Clone(data), symbols: symbols, byName: map[string]uint32{}}
	table := file.SectionByType(elf.SHT_SYMTAB)
	if int(table.Link) >= len(file.Sections) {
		return nil, errors.New("the object file of Go: the names of its symbols are missing")
	}
	names := file.Sections[table.Link]
	o.oldEnd = uint32(names.Size)
	words, starts := 0, 0
	for _, section := range file.Sections {
		if section.Type != elf.SHT_RELA {
			continue
		}
		w, s, err := o.relocations(section)
		if err != nil {
			return nil, fmt.Errorf("the object file of Go, %s: %w", section.Name, err)
		}
		words, starts = words+w, starts+s
	}
	if words == 0 || starts != 1 {
		return nil, fmt.Errorf("the object file of Go: expected uses of %s and one constructor %s, got %d and %d", goWord, goStart, words, starts)
	}
	return o.bytes(table, names)
}

// relocations changes those of a section that are about the word or the start. It returns how many of each there were.
func (o *object) relocations(section *elf.Section) (words, starts int, err error) {
	if int(section.Info) >= len(o.file.Sections) {
		return 0, 0, errors.New("it belongs to no section")
	}
	target := o.file.Sections[section.Info]
	table, err := o.bytesOf(section)
	if err != nil {
		return 0, 0, err
	}
	const size = 24
	for ; len(table) >= size; table = table[size:] {
		var r elf.Rela64
		if _, err := binary.Decode(table, binary.LittleEndian, &r); err != nil {
			return 0, 0, err
		}
		number := elf.R_SYM64(r.Info)
		if number == 0 || int(number) > len(o.symbols) {
			continue
		}
		symbol := o.symbols[number-1] // debug/elf leaves symbol 0 out
		switch {
		case elf.ST_TYPE(symbol.Info) == elf.STT_TLS:
			if r, err = o.useOfWord(target, symbol, r); err != nil {
				return 0, 0, err
			}
			words++
		case target.Type == elf.SHT_INIT_ARRAY:
			if symbol.Name != goStart || elf.R_X86_64(elf.R_TYPE64(r.Info)) != elf.R_X86_64_64 || r.Addend != 0 {
				return 0, 0, fmt.Errorf("the constructor is %s", symbol.Name)
			}
			o.define(entryName, symbol)
			r.Info = elf.R_INFO(o.undefined(startName), uint32(elf.R_X86_64_64))
			starts++
		default:
			continue
		}
		if _, err := binary.Encode(table, binary.LittleEndian, &r); err != nil {
			return 0, 0, err
		}
	}
	return words, starts, nil
}

// useOfWord changes the instruction mov runtime.tlsg@gottpoff(%rip), %register into a call and two bytes that do
// nothing. It returns the call's relocation.
func (o *object) useOfWord(target *elf.Section, symbol elf.Symbol, r elf.Rela64) (elf.Rela64, error) {
	code, err := o.bytesOf(target)
	if err != nil {
		return r, err
	}
	kind := elf.R_X86_64(elf.R_TYPE64(r.Info))
	inside := len(code) >= len64 && r.Off >= 3 && r.Off <= uint64(len(code)-4)
	if symbol.Name != goWord || kind != elf.R_X86_64_GOTTPOFF || r.Addend != -4 || !inside {
		return r, fmt.Errorf("at %#x: %s of %s%+d, which is not how Go reads its thread-local word", r.Off, kind, symbol.Name, r.Addend)
	}
	instruction := code[r.Off-3 : r.Off+4]
	rex, opcode, operands := instruction[0], instruction[1], instruction[2]
	if rex&^4 != 0x48 || opcode != 0x8b || operands&0xc7 != 0x05 {
		return r, fmt.Errorf("at %#x: the instruction % x, which does not load a register", r.Off-3, instruction)
	}
	register := operands>>3&7 | rex&4<<1
	if register == stackPointer {
		return r, fmt.Errorf("at %#x: an instruction loads the stack pointer", r.Off-3)
	}
	copy(instruction, []byte{0xe8, 0, 0, 0, 0, 0x66, 0x90})
	return elf.Rela64{
		Off:    r.Off - 2,
		Info:   elf.R_INFO(o.undefined(wordName+registers[register]), uint32(elf.R_X86_64_PLT32)),
		Addend: -4,
	}, nil
}

// bytesOf returns the part of the file that a section is.
func (o *object) bytesOf(section *elf.Section) ([]byte, error) {
	if section.Type == elf.SHT_NOBITS || section.Offset > uint64(len(o.data)) || section.FileSize > uint64(len(o.data))-section.Offset {
		return nil, fmt.Errorf("the file ends before %s does", section.Name)
	}
	return o.data[section.Offset : section.Offset+section.FileSize], nil
}

// undefined returns the number of the symbol of that name, which another object file defines.
func (o *object) undefined(name string) uint32 {
	return o.add(name, elf.Sym64{Info: elf.ST_INFO(elf.STB_GLOBAL, elf.STT_NOTYPE)})
}

// define adds a name of a function for other object files.
func (o *object) define(name string, like elf.Symbol) {
	o.add(name, elf.Sym64{
		Info: elf.ST_INFO(elf.STB_GLOBAL, elf.STT_FUNC), Other: byte(elf.STV_HIDDEN),
		Shndx: uint16(like.Section), Value: like.Value, Size: like.Size,
	})
}

func (o *object) add(name string, symbol elf.Sym64) uint32 {
	if number, known := o.byName[name]; known {
		return number
	}
	symbol.Name = o.oldEnd + uint32(len(o.names))
	o.names = append(append(o.names, name...), 0)
	o.added = append(o.added, symbol)
	number := uint32(len(o.symbols) + len(o.added)) // symbol 0 is in neither list
	o.byName[name] = number
	return number
}

// bytes returns the file with the added symbols. The table of symbols and its names are copied to the end.
func (o *object) bytes(table, names *elf.Section) ([]byte, error) {
	oldTable, err := o.bytesOf(table)
	if err != nil {
		return nil, err
	}
	oldNames, err := o.bytesOf(names)
	if err != nil {
		return nil, err
	}
	newTable := bytes.Clone(oldTable)
	for _, symbol := range o.added {
		if newTable, err = binary.Append(newTable, binary.LittleEndian, symbol); err != nil {
			return nil, err
		}
	}
	if err := o.move(table, newTable); err != nil {
		return nil, err
	}
	return o.data, o.move(names, append(bytes.Clone(oldNames), o.names...))
}

// move puts a section with new contents at the end of the file.
func (o *object) move(section *elf.Section, contents []byte) error {
	for len(o.data)%8 != 0 {
		o.data = append(o.data, 0)
	}
	for i, other := range o.file.Sections {
		if other != section {
			continue
		}
		// Those that debug/elf has read are inside of the file. What a section of code overlaps may have changed since.
		var s elf.Section64
		at := o.data[o.headers+uint64(i)*uint64(binary.Size(s)):]
		if _, err := binary.Decode(at, binary.LittleEndian, &s); err != nil {
			return err
		}
		s.Off, s.Size = uint64(len(o.data)), uint64(len(contents))
		if _, err := binary.Encode(at, binary.LittleEndian, &s); err != nil {
			return err
		}
	}
	o.data = append(o.data, contents...)
	return nil
}
