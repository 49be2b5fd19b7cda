package plane

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/testenv"
)

func TestMain(m *testing.M) {
	// No runtime is linked in: nothing has to be waited for when a global function is not found.
	StartBegin()
	StartEnd()
	os.Exit(m.Run())
}

// parsed gives what the parser makes of a text, in one line.
func parsed(t testing.TB, text string) string {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	dtype, ok := ParseDataType(text)
	if ok {
		return fmt.Sprintf("%d %d %d", dtype.Code, dtype.Bits, dtype.Lanes)
	}
	return takeError(t)
}

func takeError(t testing.TB) string {
	handle := TakeRaised()
	if handle == nil {
		t.Fatal("it failed without an error")
	}
	defer DecRef(handle)
	cell := abi.ErrorOf(handle)
	return cell.Kind.String() + ": " + cell.Message.String()
}

func modelled(text string) string {
	dtype, message := model(text)
	if message != "" {
		return "ValueError: " + message
	}
	return fmt.Sprintf("%d %d %d", dtype.Code, dtype.Bits, dtype.Lanes)
}

// generated returns texts made of the grammar's words, most of them nearly right.
func generated(n int) []string {
	random := rand.New(rand.NewSource(7))
	words := modelWords()
	texts := make([]string, n)
	for i := range texts {
		for range 1 + random.Intn(5) {
			texts[i] += words[random.Intn(len(words))]
		}
		if random.Intn(8) == 0 {
			texts[i] += string(rune(random.Intn(128)))
		}
	}
	return texts
}

// Requirement: A8
func TestDataTypeAgainstModel(t *testing.T) {
	before := LiveObjects(abi.IndexError)
	accepted := 0
	for _, text := range append(modelWords(), generated(200000)...) {
		got, want := parsed(t, text), modelled(text)
		if got != want {
			t.Fatalf("%q: %s\nmodel: %s", text, got, want)
		}
		if !strings.HasPrefix(got, "ValueError") {
			accepted++
		}
	}
	if accepted < 2000 {
		t.Errorf("only %d of the texts are data types", accepted)
	}
	if now := LiveObjects(abi.IndexError); now != before {
		t.Errorf("%d errors are left", now-before)
	}
}

// Printed text is read back as the same type, for every code and all bits and lanes that text can tell apart.
// Requirement: A8
func TestDataTypeRoundTrip(t *testing.T) {
	runtime.LockOSThread() // for the error slot
	defer runtime.UnlockOSThread()
	before := LiveObjects(abi.IndexStr)
	for code := range 18 {
		for _, lanes := range []uint16{1, 2, 3, 16, 32767, 32768, 65534} {
			for bits := 1; bits < 256; bits++ {
				dtype := abi.DataType{Code: uint8(code), Bits: uint8(bits), Lanes: lanes}
				text, ok := DataTypeText(dtype)
				if code == abi.CodeComplex {
					if ok {
						t.Fatalf("%v is printed as %s", dtype, text)
					}
					if got := takeError(t); got != "ValueError: DLDataType contains unknown type_code=5" {
						t.Fatal(got)
					}
					continue
				}
				back, ok := ParseDataType(text)
				switch {
				case code == abi.CodeOpaqueHandle:
					dtype = abi.DataType{Code: abi.CodeOpaqueHandle, Bits: 64, Lanes: 1} // prints neither
				case code >= abi.CodeFloat8E3M4:
					if lanes > 32767 { // of these no scalable vector is read
						if ok {
							t.Fatalf("%s is read as %v", text, back)
						}
						_ = takeError(t)
						continue
					}
					dtype.Bits = map[byte]uint8{'8': 8, '6': 6, '4': 4}[text[5]]
				}
				if !ok || back != dtype {
					t.Fatalf("%v is printed as %s and read as %v", dtype, text, back)
				}
			}
		}
	}
	if now := LiveObjects(abi.IndexStr); now != before {
		t.Errorf("%d strings are left", now-before)
	}
}

// The published library reads the same texts the same way, but for two defects: numbers that wrap at 2^64 and scalable
// lanes that do not fit.
// Requirement: A8
func TestDataTypeAgainstPublished(t *testing.T) {
	_, library := testenv.TvmFFI(t)
	if library == "" {
		t.Skip("the library of the published apache-tvm-ffi package is not here: set TVM_FFI_LIBRARY")
	}
	program := filepath.Join(t.TempDir(), "dtype_peer")
	testenv.Run(t, "gcc", "-std=c11", "-D_GNU_SOURCE", "-Wall", "-Wextra", "-Werror", "-I", filepath.Join("..", "..", "abi", "include"),
		"-o", program, filepath.Join("testdata", "dtype_peer.c"), "-ldl")
	var texts []string
	var input bytes.Buffer
	for _, text := range append(modelWords(), generated(30000)...) {
		if strings.Contains(text, "18446744073709551616") || strings.Contains(modelled(text), "a scalable vector") ||
			strings.Contains(text, "custom[") {
			continue
		}
		texts = append(texts, text)
		fmt.Fprintf(&input, "%s.\n", hex.EncodeToString([]byte(text)))
	}
	cmd := testenv.Program(t, program, library)
	cmd.Stdin, cmd.Stderr = &input, os.Stderr
	out := testenv.Value(cmd.Output())(t)
	lines := strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
	if len(lines) != len(texts) {
		t.Fatalf("%d answers to %d texts", len(lines), len(texts))
	}
	for i, line := range lines {
		want := testenv.Value(hex.DecodeString(line))(t)
		if got := parsed(t, texts[i]); got != string(want) {
			t.Fatalf("%q: %s\npublished: %s", texts[i], got, want)
		}
	}
}

func FuzzDataType(f *testing.F) {
	for _, word := range modelWords() {
		f.Add(word)
	}
	for _, text := range generated(200) {
		f.Add(text)
	}
	for _, input := range testenv.Corpus(f, "testdata/fuzz/FuzzDataType.corpus") {
		f.Add(string(input))
	}
	f.Fuzz(func(t *testing.T, text string) {
		if got, want := parsed(t, text), modelled(text); got != want {
			t.Fatalf("%q: %s\nmodel: %s", text, got, want)
		}
	})
}
