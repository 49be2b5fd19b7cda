package escape

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/selfsame-ffi/selfsame/internal/testenv"
)

// hostile are texts that act on a terminal, on a compiler, or on a reader's eyes.
var hostile = []string{
	"", "plain", "grüße, 世界 🙂", `C:\`, `C:\ `, "C:\\\t", "what??/", "what??/ ", `??=define`, `a\nb`, `"`, `'`, `""`, `"""`, `""""`, `\"`, `\\"`,
	"*/ int x;", "/*", "two\nlines", "carriage\rreturn", "two\r\nlines", "\x00", "a\x00b1", "\x1b[31mred\x1b[0m", "\x1b]0;title\x07", "\x9b2J",
	"\u009b2J", "\u202egnp.exe", "\u2066isolate\u2069", "\u200fmark", "\u061cmark", "\u2028line\u2029", "\ufeffbom", "\U000e0041tag", "\U000e0141selector", "no\u200bwidth", "\u3164",
	"\xff\xfe", "\xc3", "\u007fdel", "x\x7fab", "\ufffe", "{{title}}", "%s%d", "</script>", "<!--", "`; rm -rf /", "$(x)", "${x}", "'''", "#", "//",
}

// showsAll fails for a text that acts.
func showsAll(t *testing.T, where, text, kept string) {
	t.Helper()
	if !utf8.ValidString(text) {
		t.Errorf("%s: %q is no UTF-8", where, text)
	}
	for _, r := range text {
		if hidden(r) && !strings.ContainsRune(kept, r) {
			t.Errorf("%s: %q has %U", where, text, r)
		}
	}
}

// Requirements: D12, I1
func TestEachOutputShowsWhatWouldAct(t *testing.T) {
	for _, text := range hostile {
		showsAll(t, "Terminal", Terminal(text), "\n\t")
		showsAll(t, "TerminalLine", TerminalLine(text), "")
		for name, f := range map[string]func(string) string{
			"CppComment": CppComment, "RustComment": RustComment, "PythonComment": PythonComment,
		} {
			showsAll(t, name, f(text), "\t")
		}
		for name, f := range map[string]func(string) string{"CppString": CppString, "RustString": RustString, "PythonString": PythonString} {
			showsAll(t, name, f(text), "")
		}
		showsAll(t, "PythonDoc", PythonDoc(text), "\n\t")
	}
	if Terminal("grüße 世界 🙂 \\x") != "grüße 世界 🙂 \\x" {
		t.Error("text of readers is changed")
	}
}

func TestJSONKeepsItsValues(t *testing.T) {
	for _, text := range hostile {
		text = strings.ToValidUTF8(text, "\ufffd")
		written := testenv.Value(json.Marshal(map[string]string{text: text}))(t)
		escaped := JSON(written)
		showsAll(t, "JSON", string(escaped), "")
		var read map[string]string
		if err := json.Unmarshal(escaped, &read); err != nil || read[text] != text {
			t.Errorf("%s: %v, %v", escaped, read, err)
		}
	}
}

// run writes a program, runs a command on it and returns what that wrote.
func run(t *testing.T, name, program string, command ...string) string {
	t.Helper()
	if _, err := exec.LookPath(command[0]); err != nil {
		t.Skipf("%s is not installed", command[0])
	}
	dir := t.TempDir()
	testenv.OK(t, os.WriteFile(filepath.Join(dir, name), []byte(program), 0o600))
	for {
		rest := []string(nil)
		for i, word := range command {
			if word == "&&" {
				command, rest = command[:i], command[i+1:]
				break
			}
		}
		cmd := exec.Command(command[0], command[1:]...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %v\n%s\n%s", command, err, out, program)
		}
		if rest == nil {
			return string(out)
		}
		command = rest
	}
}

// want returns the text that the programs write: the number of comments behind which a statement ran, and the bytes of each text.
func want(each func(string) string) string {
	var b strings.Builder
	for _, text := range hostile {
		fmt.Fprintf(&b, "%x\n", each(text))
	}
	fmt.Fprintf(&b, "%d\n", len(hostile))
	return b.String()
}

func valid(text string) string { // each byte that is no UTF-8 becomes one U+FFFD
	var b strings.Builder
	for _, r := range text {
		b.WriteRune(r)
	}
	return b.String()
}

func TestCppIsCompiledAsWritten(t *testing.T) {
	for _, standard := range []string{"-std=c++17", "-std=gnu++11", "-trigraphs"} {
		var b strings.Builder
		b.WriteString("#include <cstdio>\n#include <string>\nint main() {\n  int n = 0;\n")
		for _, text := range hostile {
			literal := CppString(text)
			fmt.Fprintf(&b, "  for (unsigned char c : std::string(%s, sizeof(%s) - 1)) std::printf(\"%%02x\", c);\n  std::puts(\"\");\n", literal, literal)
		}
		for _, text := range hostile {
			fmt.Fprintf(&b, "  // %s\n  n++;\n", CppComment(text))
		}
		b.WriteString("  std::printf(\"%d\\n\", n);\n}\n")
		got := run(t, "x.cpp", b.String(), "c++", standard, "-Wall", "-Wextra", "-Werror", "x.cpp", "-o", "x", "&&", "./x")
		if got != want(func(s string) string { return s }) {
			t.Errorf("%s: got\n%s", standard, got)
		}
	}
}

func TestPythonIsReadAsWritten(t *testing.T) {
	var b strings.Builder
	b.WriteString("n = 0\n")
	for _, text := range hostile {
		fmt.Fprintf(&b, "print(%s.encode().hex())\n", PythonString(text))
	}
	for _, text := range hostile {
		fmt.Fprintf(&b, "# %s\nn += 1\n", PythonComment(text))
	}
	b.WriteString("print(n)\n")
	if got := run(t, "x.py", b.String(), "python3", "x.py"); got != want(valid) {
		t.Errorf("got\n%s", got)
	}
	b.Reset()
	b.WriteString("n = 0\n")
	for _, text := range hostile {
		fmt.Fprintf(&b, "print(\"\"\"%s\"\"\".encode().hex())\nn += 1\n", PythonDoc(text))
	}
	b.WriteString("print(n)\n")
	if got := run(t, "x.py", b.String(), "python3", "x.py"); got != want(valid) {
		t.Errorf("docs: got\n%s", got)
	}
}

func TestRustIsCompiledAsWritten(t *testing.T) {
	var b strings.Builder
	b.WriteString("fn main() {\n    let mut n = 0;\n")
	for _, text := range hostile {
		fmt.Fprintf(&b, "    for c in %s.bytes() { print!(\"{:02x}\", c); }\n    println!();\n", RustString(text))
	}
	for _, text := range hostile {
		fmt.Fprintf(&b, "    // %s\n    n += 1;\n", RustComment(text))
	}
	b.WriteString("    println!(\"{}\", n);\n}\n")
	for i, text := range hostile {
		fmt.Fprintf(&b, "/// %s\n#[allow(dead_code)]\nfn documented%d() {}\n", RustComment(text), i)
	}
	if got := run(t, "x.rs", b.String(), "rustc", "-D", "warnings", "x.rs", "-o", "x", "&&", "./x"); got != want(valid) {
		t.Errorf("got\n%s", got)
	}
}

func TestFlagsAreOneWord(t *testing.T) {
	for text, want := range map[string]string{"/a/b": "/a/b", "/a b": `"/a b"`, "/it's": `"/it's"`, `/a"b`: `'/a"b'`, "/a,b": "/a,b"} {
		if got, err := Flag(text); got != want || err != nil {
			t.Errorf("got %s, %v, expected %s", got, err, want)
		}
	}
	for _, text := range []string{`/it's "b"`, "/a\nb", "/a\x00"} {
		if got, err := Flag(text); err == nil {
			t.Errorf("%q: got %s, expected an error", text, got)
		}
	}
}

// The Python package hides the same characters.
func TestStubsHideTheSameCharacters(t *testing.T) {
	const program = `
import re
source = open("shown.py").read()
begin = source.index("HIDDEN = ")
scope = {"re": re}
exec(source[begin:source.index("\n)\n", begin) + 3], scope)
for code in range(0x110000):
    if scope["HIDDEN"].match(chr(code)) and not 0xD800 <= code < 0xE000:
        print(code)
`
	source := testenv.Value(os.ReadFile("../../../../python/src/selfsame_ffi/_debug/shown.py"))(t)
	dir := t.TempDir()
	testenv.OK(t, os.WriteFile(filepath.Join(dir, "shown.py"), source, 0o600))
	cmd := exec.Command("python3", "-c", program)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	var want strings.Builder
	for r := rune(0); r <= utf8.MaxRune; r++ {
		if hidden(r) && utf8.ValidRune(r) {
			fmt.Fprintln(&want, int(r))
		}
	}
	if string(out) != want.String() {
		t.Errorf("got\n%s\nexpected\n%s", out, want.String())
	}
}

func TestShellReadsWords(t *testing.T) {
	for _, text := range append([]string{"/a/b-c.so", "/a b", "it's", "-x"}, hostile...) {
		if TerminalLine(text) != text {
			showsAll(t, "Shell", Shell(text), "")
			continue
		}
		out, err := exec.Command("sh", "-c", "printf '%s' "+Shell(text)).Output()
		if err != nil || string(out) != text {
			t.Errorf("%q: the shell reads %q, %v", text, out, err)
		}
	}
}
