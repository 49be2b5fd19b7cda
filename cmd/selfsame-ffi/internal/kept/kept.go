// Package kept finds out which funcs of a package keep no handle after a call, and which are short, and asks the Go compiler which
// parameters funcs do not keep.
//
// RATIONALE.md, "Why a build looks at which handles a func keeps"
package kept

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"go/ast"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/gocmd"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/gosource"
)

// variable is the frontend's variable that has the table, in the linker's spelling.
const variable = gosource.FrontendPath + "/internal/engine/sourcetext.kept"

// maxTable is the greatest size of a table: the system bounds one argument of a command to 128 KiB.
const maxTable = 100 << 10

// Analysis is what a build does so that the program knows which parameters its funcs do not keep.
type Analysis struct {
	Flags  []string // for the go command, when it compiles the packages; nil: nothing was found out
	Linker string   // for the linker, quoted as -ldflags takes it
}

// Build is how the build that follows runs the go command.
type Build struct {
	Tags, Flags, Env []string
	Dir              string
	Compiler         string       // the flag of the compiler for all packages, "" for none
	Compiled         func()       // that of gocmd.Named
	Log              func(string) // gets the command, and why nothing was found out
}

// Analyse compiles the packages as that build will, and with the flags that it returns for it, so that nothing is compiled twice. Faults
// of the packages are left to that build.
func Analyse(ctx context.Context, packages []*gosource.Package, o Build) Analysis {
	if gocmd.HasCompilerFlags(ctx, o.Dir, o.Env) {
		o.Log("GOFLAGS has flags for the compiler, so it is not asked which arguments funcs keep")
		return Analysis{}
	}
	var a Analysis
	var paths []string
	for _, p := range packages {
		a.Flags = append(a.Flags, strings.TrimSuffix("-gcflags="+p.ImportPath+"=-m -d=escapemutationscalls=1 "+o.Compiler, " "))
		paths = append(paths, p.ImportPath)
	}
	cmd := gocmd.Command(ctx, o.Dir, nil, slices.Concat([]string{"list", "-e", "-deps", "-export", "-json=ImportPath,Export,Deps,Dir,Name,GoFiles,CgoFiles"}, o.Flags,
		a.Flags, paths)...)
	cmd.Env = o.Env
	var stdout bytes.Buffer
	stderr := gocmd.Named{Compiled: o.Compiled}
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	o.Log(cmd.String())
	if err := cmd.Run(); err != nil {
		o.Log("the compiler did not say which arguments funcs keep: " + err.Error())
		return Analysis{}
	}
	known, err := readCompiled(&stdout)
	var ofFuncs map[string]map[place]string
	if err == nil {
		ofFuncs, err = lettersIn(packages, known)
	}
	if err != nil {
		o.Log("which funcs keep no handle, or are short, was not found out: " + err.Error())
	}
	if table := Table(packages, o.Tags, stderr.String(), ofFuncs); table != "" {
		a.Linker = fmt.Sprintf(" '-X=%s=%s'", variable, table)
	}
	return a
}

// Table returns the table that package sourcetext of the frontend reads, from the diagnostics of the compiler and the letters of
// funcs.
func Table(packages []*gosource.Package, tags []string, diagnostics string, ofFuncs map[string]map[place]string) string {
	known := parse(diagnostics)
	var b strings.Builder
	for _, p := range packages {
		funcs, set, err := gosource.Funcs(p, tags)
		if err != nil {
			continue
		}
		slices.SortFunc(funcs, func(a, b gosource.Func) int { return cmp.Compare(a.Symbol, b.Symbol) })
		section := p.ImportPath
		for _, f := range funcs {
			letters := lettersOf(f, set, known[p.ImportPath]) + ofFuncs[p.ImportPath][placeOf(set, f.Type.Pos())]
			if strings.Trim(letters, mayBeKept) != "" {
				section += " " + f.Symbol + "=" + letters
			}
		}
		if section != p.ImportPath && b.Len()+len(section) < maxTable && !strings.ContainsAny(section, ";'\"\\\n") {
			b.WriteString(section + ";")
		}
	}
	return b.String()
}

// The letters of a parameter, as package sourcetext of the frontend has them.
const (
	mayBeKept = "+"
	notKept   = "-"
	onlyRead  = "r" // of a slice: neither kept nor written

	keepsNothing = "*" // of a func, after those of its parameters
	short        = "!" // the same
)

// lettersOf returns a letter for the receiver and each parameter of a func.
func lettersOf(f gosource.Func, set *token.FileSet, said map[place]*fate) string {
	var params []*ast.Field
	if f.Recv != nil {
		params = append(params, f.Recv.List...)
	}
	letters := ""
	for _, field := range append(params, f.Type.Params.List...) {
		if len(field.Names) == 0 {
			letters += notKept
		}
		for _, name := range field.Names {
			about := said[placeOf(set, name.Pos())]
			switch {
			case name.Name == "_":
				letters += notKept
			case about == nil || about.name != name.Name:
				letters += mayBeKept
			default:
				letter := about.letter(f.Type)
				if slice, ok := field.Type.(*ast.ArrayType); ok && slice.Len == nil && letter == notKept && !about.written {
					letter = onlyRead
				}
				letters += letter
			}
		}
	}
	return letters
}

// place is where a parameter is named, or a func begins.
type place struct {
	file         string // without its folder
	line, column int
}

func placeOf(set *token.FileSet, pos token.Pos) place {
	at := set.Position(pos)
	return place{filepath.Base(at.Filename), at.Line, at.Column}
}

// fate is what the compiler says of a variable.
type fate struct {
	name    string
	kept    bool
	result  string // what the result is called that it leaves the func as a part of, "" when it does not
	written bool   // the func may write what the variable leads to
}

// letter returns the letter of a parameter of a func with a type.
func (f *fate) letter(t *ast.FuncType) string {
	if f.kept {
		return mayBeKept
	}
	if f.result == "" {
		return notKept
	}
	number, unnamed := strings.CutPrefix(f.result, "~r")
	if unnamed {
		if i, err := strconv.Atoi(number); err == nil && i < 10 {
			return strconv.Itoa(i)
		}
		return mayBeKept
	}
	i := 0
	if t.Results != nil {
		for _, field := range t.Results.List {
			for _, name := range field.Names {
				if name.Name == f.result && i < 10 {
					return strconv.Itoa(i)
				}
				i++
			}
		}
	}
	return mayBeKept
}

var (
	// said is a diagnostic of the compiler.
	said = regexp.MustCompile(`^(\S.*\.go):(\d+):(\d+): (.*)$`)
	// These are what it says of parameters. A parameter of which it says nothing, or something else, may be kept.
	staysHere  = regexp.MustCompile(`^(\S+) does not escape(, mutate, or call)?$`)
	isReturned = regexp.MustCompile(`^leaking param: (\S+) to result (\S+) level=\d+$`)
	isKept     = regexp.MustCompile(`^(?:leaking param(?: content)?|moved to heap): (\S+)`)
	isChanged  = regexp.MustCompile(`^(?:mutates|calls) param: (\S+) derefs=\d+$`) // it stays here, unless another line says more
	// beside is any line that -m adds.
	beside = regexp.MustCompile(`^(?:\S.*\.go|<autogenerated>):\d+(?::\d+)?: (?:(?:can inline|cannot inline|inlining call to|` +
		`leaking param|mutates param|calls param|moved to heap|devirtualizing|zero-copy|` +
		`index bounds check elided).*|` +
		`.* ignoring self-assignment.*|.* (?:does not escape(?:, mutate, or call)?|escapes to heap:?))$`)
)

// parse returns what the compiler says of the variables of each package.
func parse(diagnostics string) map[string]map[place]*fate {
	found := map[string]map[place]*fate{}
	var here map[place]*fate
	for line := range strings.Lines(diagnostics) {
		line = strings.TrimRight(line, "\n")
		if path, ok := strings.CutPrefix(line, "# "); ok {
			if here = found[path]; here == nil {
				here = map[place]*fate{}
				found[path] = here
			}
			continue
		}
		m := said.FindStringSubmatch(line)
		if m == nil || here == nil {
			continue
		}
		number, _ := strconv.Atoi(m[2])
		column, _ := strconv.Atoi(m[3])
		at := place{filepath.Base(m[1]), number, column}
		f := fate{}
		if x := staysHere.FindStringSubmatch(m[4]); x != nil {
			f.name, f.written = x[1], x[2] == ""
		} else if x := isReturned.FindStringSubmatch(m[4]); x != nil {
			f.name, f.result = x[1], x[2]
		} else if x := isKept.FindStringSubmatch(m[4]); x != nil {
			f.name, f.kept = x[1], true
		} else if x := isChanged.FindStringSubmatch(m[4]); x != nil {
			f.name, f.written = x[1], true
		} else {
			f.kept = true
		}
		if before := here[at]; before != nil {
			f.kept = f.kept || before.kept || before.name != f.name || before.result != "" && f.result != "" && before.result != f.result
			f.result = cmp.Or(f.result, before.result)
			f.written = f.written || before.written
		}
		here[at] = &f
	}
	return found
}

// WithoutDiagnostics removes from the output of a build what the compiler says because of the flags of an Analysis.
func WithoutDiagnostics(output string) string {
	var rest strings.Builder
	heading := "" // of a package, until something of it is left
	for line := range strings.Lines(output) {
		if strings.HasPrefix(line, "# ") {
			heading = line
			continue
		}
		if beside.MatchString(strings.TrimRight(line, "\n")) {
			continue
		}
		rest.WriteString(heading + line)
		heading = ""
	}
	return rest.String()
}
