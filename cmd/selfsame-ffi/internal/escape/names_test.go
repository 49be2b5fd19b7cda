package escape

import (
	"bytes"
	"encoding/json"
	"go/parser"
	"go/token"
	"html"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/selfsame-ffi/selfsame/internal/testenv"
)

// names are texts that libraries have registered as names, or could.
var names = append([]string{
	"x", "class", "None", "a-b", "2d", "größe", "__len__", "__a b__", "__getattr__", "__class__", "__x", "_", "__", "____", "_ffi",
	"Add", "\uff21dd", "\ufb01eld", "\u2102", "\u00b2x", "x\u00b2", "\u0e33", "ǰ", "Ǆ", "名", "\u0660x", "x\u0660", "\u2e2f", "\u3164", "\u115fx",
	"\U00010780", "\u1c89", "a\u0301", "\u037a", "\ufdfa", "__FILE__", "_Pragma", "_Bool", "__attribute__", "__x_", "operator()", "r#fn", "crate",
	"a; b", "f(): pass\nx = 1\n#", "x: int\nopen('canary', 'w')\ny", `__a__(self) -> int: ...` + "\n\nopen('canary', 'w')\n\ndef __b__",
}, hostile...)

// pythonNames answers, for each name, whether Python reads it as itself, and in each place where a name may be.
const pythonNames = `
import ast, json, keyword, sys, unicodedata
bad = []
for name in json.load(sys.stdin):
    try:
        tree = ast.parse(f"def {name}({name}): {name}.{name}")
        same = tree.body[0].name == name == tree.body[0].args.args[0].arg == tree.body[0].body[0].value.attr
    except SyntaxError:
        same = False
    if not (same and name.isidentifier() and not keyword.iskeyword(name) and unicodedata.normalize("NFKC", name) == name):
        bad.append(name)
print(json.dumps(bad))
`

// Requirements: D12, I1
func TestPythonReadsNamesAsWritten(t *testing.T) {
	var all []string
	for _, name := range names {
		all = append(all, PythonName(name))
	}
	for r := rune(1); r <= utf8.MaxRune; r++ { // as a whole name, and inside of one
		if utf8.ValidRune(r) {
			if at, in := PythonName(string(r)), PythonName("a"+string(r)+"z"); at != "_" || in != "a_z" {
				all = append(all, at, in)
			}
		}
	}
	text := testenv.Value(json.Marshal(all))(t)
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("python3 is not installed")
	}
	cmd := exec.Command("python3", "-c", pythonNames)
	cmd.Stdin = bytes.NewReader(text)
	out, err := cmd.Output()
	var bad []string
	if err == nil {
		err = json.Unmarshal(out, &bad)
	}
	if err != nil || len(bad) > 0 {
		t.Errorf("%d of %d are not what Python reads: %.200q, %v", len(bad), len(all), bad, err)
	}
}

func TestPythonNamesKeepWhatPythonReads(t *testing.T) {
	for name, want := range map[string]string{
		"x": "x", "class": "class_", "größe": "größe", "名": "名", "\uff21dd": "Add", "\ufb01eld": "field", "\uff43lass": "class_", "a-b": "a_b",
		"2d": "_2d", "\u00b2x": "_2x", "": "_", "__getattr__": "__getattr___", "\uff3f_x__": "__x___", "__x": "__x", "__": "__", "a\u202eb": "a_b",
		"taken": "taken_",
	} {
		if got := PythonName(name, "taken"); got != want {
			t.Errorf("PythonName(%q) = %q, expected %q", name, got, want)
		}
	}
	for name, want := range map[string]bool{
		"__len__": true, "__a1_b__": true, "__a b__": false, "__a__(self): ...\ndef __b__": false, "____": false, "__x": false, "__\uff41__": false,
	} {
		if got := IsPythonSpecial(name); got != want {
			t.Errorf("IsPythonSpecial(%q) = %v", name, got)
		}
	}
}

func TestCompilersReadNames(t *testing.T) {
	var cpp, rust, golang strings.Builder
	cpp.WriteString("#include <cstdio>\n#include <cmath>\n#include <cerrno>\n")
	golang.WriteString("package x\n")
	for _, name := range names {
		cpp.WriteString("namespace a { namespace b { struct " + CppName(name) + " { int x; }; } }\n")
		rust.WriteString("#[allow(dead_code)]\nmod a" + RustName(name) + " { fn " + RustName(name) + "(" + RustName(name) + ": i32) -> i32 { " + RustName(name) + " } }\n")
		golang.WriteString("type " + GoName(name) + " struct{ " + GoName(name) + " int }\n")
		showsAll(t, "GoName", GoName(name), "")
	}
	// A name may be there several times: each needs a space of its own.
	lines := strings.Split(cpp.String(), "\n")
	for i, line := range lines {
		lines[i] = strings.Replace(line, "namespace a {", "namespace a"+strings.Repeat("a", i)+" {", 1)
	}
	run(t, "x.cpp", strings.Join(lines, "\n"), "c++", "-std=c++17", "-fsyntax-only", "x.cpp")
	text := strings.Split(rust.String(), "\n")
	for i, line := range text {
		text[i] = strings.Replace(line, "mod a", "mod a"+strings.Repeat("a", i), 1)
	}
	run(t, "x.rs", "fn main() {}\n"+strings.Join(text, "\n"), "rustc", "-A", "warnings", "x.rs", "-o", "x")
	if _, err := parser.ParseFile(token.NewFileSet(), "x.go", golang.String(), parser.SkipObjectResolution); err != nil {
		t.Error(err)
	}
}

func TestGoIsReadAsWritten(t *testing.T) {
	for _, text := range hostile {
		literal := GoString(text)
		showsAll(t, "GoString", literal, "")
		if read, err := strconv.Unquote(literal); err != nil || read != text {
			t.Errorf("%s is read as %q, %v, expected %q", literal, read, err, text)
		}
		source := []byte("package x // " + strings.NewReplacer("\n", " ", "\r", " ", "\x00", " ", "\ufeff", " ").Replace(strings.ToValidUTF8(text, "?")) +
			"\n\nvar a = " + literal + " /* \u202e */\n")
		written := string(GoSource(source))
		showsAll(t, "GoSource", written, "\n\t")
		if want := "\n\nvar a = " + literal + " /* \\u202e */\n"; !strings.HasSuffix(written, want) || !strings.HasPrefix(written, "package x // ") {
			t.Errorf("got %q, expected the end %q", written, want)
		}
	}
	const raw = "package x\n\nvar a = `\u3164` + \"\u3164\" + \"\\\\\u3164\"\n"
	if got := string(GoSource([]byte(raw))); got != "package x\n\nvar a = `\u3164` + \"\\u3164\" + \"\\\\\\u3164\"\n" {
		t.Errorf("got %q", got)
	}
}

func TestPagesKeepTextsInTheirPlace(t *testing.T) {
	for _, text := range append(hostile, "</script><script>canary()", "<!--<script>", "]]>", "&lt;", "' onload='canary()") {
		written := HTML(text)
		showsAll(t, "HTML", written, "\n\t")
		if strings.ContainsAny(written, "<>\"'") || html.UnescapeString(written) != Terminal(text) {
			t.Errorf("HTML(%q) = %q", text, written)
		}
		text = strings.ToValidUTF8(text, "\ufffd")
		marshalled := testenv.Value(json.Marshal(text))(t)
		data := HTMLData(marshalled)
		showsAll(t, "HTMLData", data, "")
		var read string
		if err := json.Unmarshal([]byte(data), &read); err != nil || read != text || strings.Contains(data, "<") {
			t.Errorf("HTMLData(%q) = %s, read as %q, %v", text, data, read, err)
		}
	}
}
