package musl

// Requirement: F5

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/selfsame-ffi/selfsame/internal/testenv"
)

// The test binary replaces the tool: the go command runs it as the compiler.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == LinkCommand {
		if err := Link(os.Args[2:]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

func needAMD64(t testing.TB) {
	t.Helper()
	if runtime.GOARCH != "amd64" || runtime.GOOS != "linux" {
		t.Skip("rewritten libraries are for Linux on x86-64")
	}
}

// must runs a command and returns its output.
func must(t testing.TB, env []string, words ...string) string {
	t.Helper()
	command := exec.CommandContext(t.Context(), words[0], words[1:]...)
	command.Env = append(os.Environ(), env...)
	out, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", strings.Join(words, " "), err, out)
	}
	return string(out)
}

// assembled returns the object file that the assembler makes of a text.
func assembled(t testing.TB, text string) []byte {
	t.Helper()
	source := filepath.Join(t.TempDir(), "go.s")
	testenv.OK(t, os.WriteFile(source, []byte(text+"\n\t.section .note.GNU-stack, \"\", @progbits\n"), 0o600))
	must(t, nil, "gcc", "-c", "-o", source+".o", source)
	object := testenv.Value(os.ReadFile(source + ".o"))(t)
	return object
}

// goObjectWith returns assembly in the form of Go's object file, with some code in it. In relocations the assembler names
// the section instead of a function that is not global.
func goObjectWith(code string) string {
	return `
	.section .tbss, "awT", @nobits
	.type runtime.tlsg, @object
	.size runtime.tlsg, 8
runtime.tlsg:
	.zero 8
	.text
	.globl _rt0_amd64_linux_lib, other
	.type _rt0_amd64_linux_lib, @function
	.type other, @function
other:
	nop
_rt0_amd64_linux_lib:
` + code + `
	ret
	.size _rt0_amd64_linux_lib, . - _rt0_amd64_linux_lib
	.section .init_array, "aw", @init_array
	.quad _rt0_amd64_linux_lib
`
}

func TestUseOfTheWordBecomesACallOfTheSameLength(t *testing.T) {
	needAMD64(t)
	for _, register := range registers {
		if register == "rsp" {
			continue
		}
		rewritten := testenv.Value(Rewrite(assembled(t, goObjectWith("\tmovq runtime.tlsg@gottpoff(%rip), %"+register))))(t)
		file := testenv.Value(elf.NewFile(bytes.NewReader(rewritten)))(t)
		code := testenv.Value(file.Section(".text").Data())(t)
		if want := []byte{0x90, 0xe8, 0, 0, 0, 0, 0x66, 0x90, 0xc3}; !bytes.Equal(code, want) {
			t.Errorf("%s: got the code % x, want % x", register, code, want)
		}
		symbols := testenv.Value(file.Symbols())(t)
		found := map[string]elf.Symbol{}
		for _, symbol := range symbols {
			found[symbol.Name] = symbol
		}
		start, entry := found[goStart], found[entryName]
		if entry.Value != start.Value || entry.Section != start.Section || elf.ST_BIND(entry.Info) != elf.STB_GLOBAL {
			t.Errorf("%s: %s is %+v, want a global name of %+v", register, entryName, entry, start)
		}
		for _, name := range []string{startName, wordName + register} {
			if symbol, known := found[name]; !known || symbol.Section != elf.SHN_UNDEF {
				t.Errorf("%s: %s is not a name that the linker has to find", register, name)
			}
		}
	}
}

func TestOtherUsesOfTheWordAreRefused(t *testing.T) {
	needAMD64(t)
	load := "\tmovq runtime.tlsg@gottpoff(%rip), %rax\n"
	for name, test := range map[string]struct{ text, want string }{
		"addition":          {goObjectWith("\taddq runtime.tlsg@gottpoff(%rip), %rax"), "which does not load a register"},
		"32-bit register":   {goObjectWith("\tmovl runtime.tlsg@gottpoff(%rip), %eax"), "which does not load a register"},
		"stack pointer":     {goObjectWith("\tmovq runtime.tlsg@gottpoff(%rip), %rsp"), "loads the stack pointer"},
		"offset":            {goObjectWith("\tmovq runtime.tlsg@gottpoff+8(%rip), %rax"), "not how Go reads its thread-local word"},
		"executable's way":  {goObjectWith("\tmovq $runtime.tlsg@tpoff, %rax"), "R_X86_64_TPOFF32"},
		"another word":      {strings.ReplaceAll(goObjectWith(load), "runtime.tlsg", "another"), "of another"},
		"no word":           {goObjectWith(""), "expected uses of runtime.tlsg"},
		"other constructor": {strings.Replace(goObjectWith(load), ".quad _rt0_amd64_linux_lib", ".quad other", 1), "the constructor is"},
		"two constructors":  {goObjectWith(load) + "\t.quad _rt0_amd64_linux_lib\n", "one constructor"},
		"no constructor":    {strings.Replace(goObjectWith(load), ".quad _rt0_amd64_linux_lib", ".quad 0", 1), "one constructor"},
	} {
		if _, err := Rewrite(assembled(t, test.text)); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got error %v, want one that contains %q", name, err, test.want)
		}
	}
}

func TestCutFilesAreRefused(t *testing.T) {
	needAMD64(t)
	object := assembled(t, goObjectWith("\tmovq runtime.tlsg@gottpoff(%rip), %r14"))
	testenv.Value(Rewrite(object))(t)
	for size := range object {
		if _, err := Rewrite(object[:size]); err == nil {
			t.Errorf("the first %d of %d bytes are accepted", size, len(object))
		}
	}
}

// section returns where the header of a section is in an object file.
func section(t testing.TB, object []byte, name string) int {
	t.Helper()
	file := testenv.Value(elf.NewFile(bytes.NewReader(object)))(t)
	at := slices.IndexFunc(file.Sections, func(s *elf.Section) bool { return s.Name == name })
	if at < 0 {
		t.Fatalf("no section %s", name)
	}
	return int(binary.LittleEndian.Uint64(object[40:])) + at*64 // e_shoff
}

// The places in the header of a section.
const (
	ofOffset = 24
	ofSize   = 32
)

func TestSectionsTooShortForAnInstructionAreRefused(t *testing.T) {
	needAMD64(t)
	object := assembled(t, goObjectWith("\tmovq runtime.tlsg@gottpoff(%rip), %r14"))
	for size := range uint64(len64) {
		short := bytes.Clone(object)
		binary.LittleEndian.PutUint64(short[section(t, object, ".text")+ofSize:], size)
		if _, err := Rewrite(short); err == nil || !strings.Contains(err.Error(), "not how Go reads its thread-local word") {
			t.Errorf("a section of %d bytes: got error %v", size, err)
		}
	}
}

func TestSectionsThatOverlapOtherPartsOfTheFile(t *testing.T) {
	needAMD64(t)
	object := assembled(t, goObjectWith("\tmovq runtime.tlsg@gottpoff(%rip), %r14"))
	for offset := range uint64(len(object)) { // no panic, whatever the instruction overwrites
		moved := bytes.Clone(object)
		at := section(t, object, ".text")
		code := binary.LittleEndian.Uint64(object[at+ofOffset:])
		binary.LittleEndian.PutUint64(moved[at+ofOffset:], offset)
		if offset+16 <= uint64(len(moved)) && offset > 64 && (offset+16 <= uint64(at) || offset >= uint64(at+64)) {
			copy(moved[offset:], object[code:code+8])
		}
		_, _ = Rewrite(moved)
	}
}

func FuzzObject(f *testing.F) {
	needAMD64(f)
	object := assembled(f, goObjectWith("\tmovq runtime.tlsg@gottpoff(%rip), %r14"))
	f.Add(uint32(0), uint32(0), byte(0))
	f.Add(uint32(section(f, object, ".text")+ofSize), uint32(0), byte(9)) // a section of two bytes
	f.Fuzz(func(t *testing.T, at, more uint32, value byte) {
		damaged := bytes.Clone(object)
		damaged[int(at)%len(damaged)] ^= value
		damaged[int(more)%len(damaged)] ^= value
		rewritten, err := Rewrite(damaged)
		if err == nil && len(rewritten) <= len(damaged) {
			t.Errorf("a file of %d bytes became one of %d", len(damaged), len(rewritten))
		}
	})
}

func TestWordIsReadWithoutChangingOtherRegistersOrFlags(t *testing.T) {
	needAMD64(t)
	folder := t.TempDir()
	library, program := filepath.Join(folder, "registers.so"), filepath.Join(folder, "registers")
	must(t, nil, "gcc", "-shared", "-fPIC", "-o", library, "testdata/registers.S", "code/word.S")
	must(t, nil, "gcc", "-O1", "-Wall", "-Werror", "-pthread", "-o", program, "testdata/registers.c", "-ldl")
	if out := must(t, nil, program, library); out != "" {
		t.Error(out)
	}
}

// way is a C library that rewritten libraries are tried with.
type way struct {
	name, cc, cxx, flags string
	programs             []string // further flags for programs
}

// ways returns glibc's, and musl's where its dynamic linker and zig are.
func ways(t *testing.T) []way {
	found := []way{{"the C library of this machine", "gcc", "g++", "-O2 -g0", nil}}
	zig := os.Getenv("ZIG")
	if _, err := os.Stat("/lib/ld-musl-x86_64.so.1"); err != nil || zig == "" {
		t.Log("not tried with musl: it needs /lib/ld-musl-x86_64.so.1, and ZIG set to the program zig")
		return found
	}
	target := " -target x86_64-linux-musl"
	return append(found, way{"musl", zig + " cc" + target, zig + " c++" + target, "-O2 -g0 -fno-sanitize=all", []string{"-dynamic", "-fno-sanitize=all"}})
}

func TestRewrittenLibraryWorksInAProcessWithThreads(t *testing.T) {
	needAMD64(t)
	for _, w := range ways(t) {
		t.Run(w.name, func(t *testing.T) {
			folder := t.TempDir()
			library, program := filepath.Join(folder, "library.so"), filepath.Join(folder, "use")
			cc, cxx, err := Compilers(w.cc, w.cxx)
			if err != nil {
				t.Fatal(err)
			}
			env := []string{"CGO_ENABLED=1", "CGO_CFLAGS=" + w.flags, "CC=" + cc, "CXX=" + cxx}
			must(t, env, "go", "build", "-buildmode=c-shared", "-o", library, "./testdata/library")
			checkLibrary(t, library)
			build := slices.Concat(strings.Fields(w.cc), []string{"-O1", "-pthread", "-o", program, "testdata/use.c", "-ldl"}, w.programs)
			must(t, nil, build...)
			t.Log(must(t, []string{"SELFSAME_MUSL_TEST=here"}, program, library, "an argument", ""))
		})
	}
}

// checkLibrary fails when a library asks for memory at a fixed distance in each thread.
func checkLibrary(t *testing.T, library string) {
	t.Helper()
	file := testenv.Value(elf.Open(library))(t)
	defer file.Close()
	flags := testenv.Value(file.DynValue(elf.DT_FLAGS))(t)
	for _, value := range flags {
		if elf.DynFlag(value)&elf.DF_STATIC_TLS != 0 {
			t.Error("the library has thread-local variables of the kind initial-exec")
		}
	}
}
