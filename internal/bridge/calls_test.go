package bridge_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	_ "github.com/selfsame-ffi/selfsame/internal/control" // the C functions that this package calls
	"github.com/selfsame-ffi/selfsame/internal/testenv"
)

// In a copy of the library, C functions must be those of the original: Go calls them through calls.h only.
// Requirement: C14
func TestGoCallsOnlyTheOriginalsFunctions(t *testing.T) {
	called := regexp.MustCompile(`\bC\.([A-Za-z_]\w*)`)
	// Types and constants; functions of the C library; and what only reads a word of the original's.
	allowed := regexp.MustCompile(`^(ss_out_\w+|ss_bridge_go_generation|(u?int(8|16|32|64)?(ptr)?_t|int|char|size_t)|Ss\w+|SS_\w+|` +
		`sizeof_\w+|TVMFFI(Any|Object|ObjectHandle|ByteArray|FieldInfo|MethodInfo|TypeInfo|TypeMetadata)|DLDataType|` +
		`Selfsame(TieTable|Allocation)|SELFSAME_\w+|calloc|free|CString|GoString)$`)
	files, err := filepath.Glob("*.go")
	if err != nil || len(files) < 5 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	calls := 0
	for _, file := range files {
		text := testenv.Value(os.ReadFile(file))(t)
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		for _, match := range called.FindAllStringSubmatch(string(text), -1) {
			if strings.HasPrefix(match[1], "ss_out_") {
				calls++
			} else if !allowed.MatchString(match[1]) {
				t.Errorf("%s uses C.%s: Go must call the function of calls.h", file, match[1])
			}
		}
	}
	if calls < 40 {
		t.Errorf("only %d calls found", calls)
	}
}

// Each function that C code declares for Go has an entry in calls.h, and no other Go package has C code that could get
// around it.
// Requirement: C14
func TestNoOtherPackageCallsC(t *testing.T) {
	root := filepath.Join("..", "..")
	allowed := map[string]bool{"extension_shared.go": true, "internal/stubs/stubs.go": true, "internal/tie/tie.go": true,
		"internal/handles/thread_other.go": true} // not on Linux, and copies are made on Linux only
	for _, pattern := range []string{"*.go", "abi/*.go", "internal/stubs/*.go", "internal/tie/*.go", "internal/handles/*.go",
		"internal/testenv/everykind/*.go"} {
		files := testenv.Value(filepath.Glob(filepath.Join(root, pattern)))(t)
		for _, file := range files {
			text := testenv.Value(os.ReadFile(file))(t)
			name, _ := filepath.Rel(root, file)
			if strings.Contains(string(text), "\nimport \"C\"") && !allowed[filepath.ToSlash(name)] {
				t.Errorf("%s calls C: what it calls is the copy's in a forked child", name)
			}
		}
	}
}
