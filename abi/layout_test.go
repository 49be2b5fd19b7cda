package abi

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/selfsame-ffi/selfsame/internal/testenv"
	"github.com/selfsame-ffi/selfsame/internal/testenv/clayout"
)

// The Go types have the layouts of the C header.
// Requirement: A1
func TestLayoutsAgainstC(t *testing.T) {
	mirrors := []any{
		Version{}, Object{}, Any{}, DataType{}, Device{}, ByteArray{}, ShapeCell{}, SeqCell{}, ErrorCell{},
		FunctionCell{}, OpaqueCell{}, AllocHeader{}, CustomAllocator{}, FieldInfo{}, MethodInfo{}, TypeMetadata{},
		TypeAttrColumn{}, TypeInfo{}, DLTensor{}, DLManagedTensor{}, DLManagedTensorVersioned{}, BigIntCell{}, LentValues{},
		Column{}, Batch{},
	}
	clayout.Compare(t, mirrors, clayout.Sizes, clayout.Offsets)
}

func TestConstantsAgainstC(t *testing.T) {
	names := checkConstants(t, "index.go") + checkConstants(t, "dlpack.go")
	if names != len(clayout.Constants) {
		t.Errorf("%d constants in Go, %d in C", names, len(clayout.Constants))
	}
}

func checkConstants(t *testing.T, path string) (names int) {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok {
			return true
		}
		name := spec.Names[0].Name
		want, known := clayout.Constants[name]
		if !known {
			t.Errorf("C has no constant for %s", name)
			return true
		}
		if got := evaluate(t, spec.Values[0]); got != want {
			t.Errorf("%s is %d, in C %d", name, got, want)
		}
		names++
		return true
	})
	return names
}

// The numbers of the ABI's documents, on this project's header and on the published one.
// Requirements: A1, E1
func TestHeaderAgainstDocuments(t *testing.T) {
	own := "include"
	t.Run("selfsame C11", func(t *testing.T) {
		compileLayout(t, "gcc", "c", "-std=c11", "selfsame/c_api.h", own)
	})
	t.Run("selfsame C++17", func(t *testing.T) {
		compileLayout(t, "g++", "c++", "-std=c++17", "selfsame/c_api.h", own)
	})
	t.Run("selfsame.h and tie.h", func(t *testing.T) {
		compileLayout(t, "gcc", "c", "-std=c11", "selfsame/selfsame.h", own)
		compileLayout(t, "g++", "c++", "-std=c++17", "selfsame/selfsame.h", own)
	})
	t.Run("published C11", func(t *testing.T) {
		include, _ := testenv.TvmFFI(t)
		compileLayout(t, "gcc", "c", "-std=c11", "tvm/ffi/c_api.h", include)
	})
	t.Run("published C++17", func(t *testing.T) {
		include, _ := testenv.TvmFFI(t)
		compileLayout(t, "g++", "c++", "-std=c++17", "tvm/ffi/c_api.h", include)
	})
	t.Run("a wrong number fails", func(t *testing.T) {
		if err := tryLayout(t, "gcc", "c", "-std=c11", "selfsame/c_api.h", own, "SIZE(TVMFFIAny, 17);\n"); err == nil {
			t.Error("the compiler accepts a size of 17 for TVMFFIAny")
		}
	})
}

func compileLayout(t *testing.T, compiler, language, standard, header, include string) {
	t.Helper()
	if err := tryLayout(t, compiler, language, standard, header, include, ""); err != nil {
		t.Fatal(err)
	}
}

func tryLayout(t *testing.T, compiler, language, standard, header, include, more string) error {
	t.Helper()
	assert := "_Static_assert"
	if language == "c++" {
		assert = "static_assert"
	}
	source := "#include <" + header + ">\n#define ABI_ASSERT(c, text) " + assert + "(c, text)\n#include \"layout.h\"\n" + more
	path := filepath.Join(t.TempDir(), "layout.src")
	if err := os.WriteFile(path, []byte(source), 0o644); err != nil {
		t.Fatal(err)
	}
	return testenv.Try(compiler, standard, "-Wall", "-Wno-invalid-offsetof", "-Werror", "-I", include, "-I", "testdata",
		"-x", language, "-fsyntax-only", path)
}

// evaluate computes the constant expressions that index.go is written in: numbers, signs and shifts.
func evaluate(t *testing.T, e ast.Expr) int64 {
	t.Helper()
	switch e := e.(type) {
	case *ast.BasicLit:
		n, err := strconv.ParseInt(e.Value, 0, 64)
		if err != nil {
			t.Fatal(err)
		}
		return n
	case *ast.UnaryExpr:
		return -evaluate(t, e.X)
	case *ast.BinaryExpr:
		return evaluate(t, e.X) << evaluate(t, e.Y)
	}
	t.Fatalf("unexpected expression %T", e)
	return 0
}

// The published DLPack header and ours meet in one translation unit, in either order.
// Requirements: A1, A8
func TestBesidePublishedDLPack(t *testing.T) {
	include, _ := testenv.TvmFFI(t)
	for name, order := range map[string]string{
		"published first": "#include <dlpack/dlpack.h>\n#include \"selfsame/c_api.h\"\n",
		"ours first":      "#include \"selfsame/c_api.h\"\n#include <dlpack/dlpack.h>\n",
	} {
		for _, language := range []string{"c", "c++"} {
			t.Run(name+"/"+language, func(t *testing.T) {
				source := order + "int rank(const DLManagedTensorVersioned* t) {\n" +
					"  DLDeviceType type = t->dl_tensor.device.device_type;\n  return type == kDLCPU ? t->dl_tensor.ndim : 0;\n}\n"
				path := filepath.Join(t.TempDir(), "order.src")
				if err := os.WriteFile(path, []byte(source), 0o644); err != nil {
					t.Fatal(err)
				}
				testenv.Run(t, "gcc", "-Wall", "-Wextra", "-Werror", "-I", "include", "-I", include, "-x", language,
					"-fsyntax-only", path)
			})
		}
	}
}
