package selfcopy

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/selfsame-ffi/selfsame/internal/testenv"
)

// ours are the packages of the runtime whose Go code calls their C code.
var ours = []string{"internal/plane", "internal/tie", "internal/cxx", "internal/control"}

var (
	cName       = regexp.MustCompile(`\bC\.([A-Za-z_]\w*)(\()?`)
	listed      = regexp.MustCompile(`(?m)^SS_CALLED_FROM_GO\((\w+)\);$`)
	exported    = regexp.MustCompile(`(?m)^//export (\w+)$`)
	entry       = regexp.MustCompile(`\bX\((ssgo_\w+)\)`)
	direct      = regexp.MustCompile(`(^|[^.\w])(ssgo_\w+)\(`)
	ofLibc      = map[string]bool{"free": true, "getenv": true, "CString": true, "GoString": true}
	noFunctions = regexp.MustCompile(`^(u?int(8|16|32|64|ptr)?_t|size_t|int|char|Ss[A-Z]\w*|SS_\w+|SSGO_\w+|kTVM\w+|DL[A-Z]\w+)$`)
)

func read(t *testing.T, path ...string) string {
	t.Helper()
	content := testenv.Value(os.ReadFile(filepath.Join(append([]string{testenv.Root()}, path...)...)))(t)
	return string(content)
}

// sources returns the names of the package's files that the pattern matches, tests left out.
func sources(t *testing.T, dir, pattern string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(testenv.Root(), dir, pattern))
	if err != nil || len(files) == 0 {
		t.Fatalf("%s/%s: %v", dir, pattern, err)
	}
	var names []string
	for _, file := range files {
		if name := filepath.Base(file); !strings.HasSuffix(name, "_test.go") {
			names = append(names, name)
		}
	}
	return names
}

// functionsOfABI returns the functions that the public headers declare.
func functionsOfABI(t *testing.T) string {
	return read(t, "abi/include/selfsame/c_api.h") + read(t, "abi/include/selfsame/selfsame.h")
}

// TestEveryFunctionThatGoCallsIsListed compares the C functions that Go code calls with the lists of called_from_go.c.
// Requirement: C14
func TestEveryFunctionThatGoCallsIsListed(t *testing.T) {
	declared := functionsOfABI(t)
	for _, dir := range ours {
		var list, called []string
		for _, match := range listed.FindAllStringSubmatch(read(t, dir, "called_from_go.c"), -1) {
			list = append(list, match[1])
		}
		for _, file := range sources(t, dir, "*.go") {
			for _, match := range cName.FindAllStringSubmatch(read(t, dir, file), -1) {
				name, isCall := match[1], match[2] == "("
				ofABI := strings.HasPrefix(name, "TVMFFI") || strings.HasPrefix(name, "Selfsame")
				switch {
				case ofLibc[name] || noFunctions.MatchString(name):
				case ofABI && !regexp.MustCompile(`\b`+name+`\(`).MatchString(declared): // a type
				case !isCall:
					t.Errorf("%s/%s takes the address of the C function %s: in a forked child that is the copy's function, not the one "+
						"in use. Write a C function that returns the address, and call that (internal/selfcopy/called.h)", dir, file, name)
				case !slices.Contains(list, name):
					t.Errorf("%s/%s calls the C function %s, which is not in %s/called_from_go.c: add the line SS_CALLED_FROM_GO(%s); "+
						"there. The function must not be static or inline (internal/selfcopy/called.h)", dir, file, name, dir, name)
				default:
					called = append(called, name)
				}
			}
		}
		for _, name := range list {
			if !slices.Contains(called, name) {
				t.Errorf("%s/called_from_go.c lists %s, which no Go file of the package calls: remove the line", dir, name)
			}
		}
		if !slices.IsSorted(list) {
			t.Errorf("%s/called_from_go.c is not sorted by name", dir)
		}
	}
}

// TestEveryGoFunctionThatCCallsIsInTheTable compares the exported Go functions with the table of internal/control/go_exports.h,
// and finds calls around the table.
// Requirement: C14
func TestEveryGoFunctionThatCCallsIsInTheTable(t *testing.T) {
	var entries, exports []string
	for _, match := range entry.FindAllStringSubmatch(read(t, "internal/control/go_exports.h"), -1) {
		entries = append(entries, match[1])
	}
	for _, file := range sources(t, "internal/control", "*.go") {
		for _, match := range exported.FindAllStringSubmatch(read(t, "internal/control", file), -1) {
			exports = append(exports, match[1])
		}
	}
	slices.Sort(entries)
	slices.Sort(exports)
	if !slices.Equal(entries, exports) {
		t.Errorf("SSGO_ENTRIES of internal/control/go_exports.h must list the exported Go functions: it has\n%v\nand they are\n%v", entries, exports)
	}
	for _, file := range sources(t, "internal/control", "*.c") {
		for _, line := range strings.Split(read(t, "internal/control", file), "\n") {
			code, _, _ := strings.Cut(line, "//")
			if match := direct.FindStringSubmatch(code); match != nil {
				t.Errorf("internal/control/%s calls %s: write ss_go.%s, because a forked child has another Go (internal/control/go_exports.h)", file, match[2], match[2])
			}
		}
	}
}
