package wheel

// Requirement: G1

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/csv"
	"io"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/selfsame-ffi/selfsame/internal/testenv"
)

func example() *Wheel {
	return &Wheel{
		Metadata: Metadata{
			Name: "Geo-Metry", Version: "1.2.0", Summary: "About\nthe \x1bplane.", Requires: []string{"selfsame-ffi>=0.1.0"},
			Description: "# geo\n", License: []byte("free\n"),
		},
		Platform: "manylinux_2_28_x86_64",
		Files: []File{
			{Path: "geo/py.typed"},
			{Path: "geo/_geo.so", Content: []byte{0x7f, 'E', 'L', 'F'}, Executable: true},
			{Path: "geo/a,\"b\".py", Content: []byte("x = 1\n")},
		},
	}
}

func TestWheelIsOneThatInstallersAccept(t *testing.T) {
	w := example()
	if want := "geo_metry-1.2.0-py3-none-manylinux_2_28_x86_64.whl"; w.FileName() != want {
		t.Errorf("the file is called %s, want %s", w.FileName(), want)
	}
	content := testenv.Value(w.Bytes())(t)
	archive := testenv.Value(zip.NewReader(bytes.NewReader(content), int64(len(content))))(t)
	var names []string
	found := map[string][]byte{}
	for _, f := range archive.File {
		in := testenv.Value(f.Open())(t)
		text := testenv.Value(io.ReadAll(in))(t)
		names = append(names, f.Name)
		found[f.Name] = text
		if want := map[bool]string{true: "-rwxr-xr-x", false: "-rw-r--r--"}[f.Name == "geo/_geo.so"]; f.Mode().String() != want {
			t.Errorf("%s has the mode %s, want %s", f.Name, f.Mode(), want)
		}
	}
	info := "geo_metry-1.2.0.dist-info/"
	want := []string{"geo/_geo.so", "geo/a,\"b\".py", "geo/py.typed", info + "METADATA", info + "WHEEL", info + "licenses/LICENSE", info + "RECORD"}
	if !slices.Equal(names, want) {
		t.Fatalf("the wheel holds %q, want %q", names, want)
	}
	testenv.Contains(t, string(found[info+"METADATA"]), "Name: Geo-Metry\n", "Version: 1.2.0\n", "Summary: About the \\x1bplane.\n", "Requires-Python: >=3.9\n",
		"Requires-Dist: selfsame-ffi>=0.1.0\n", "License-File: LICENSE\n", "\n\n# geo\n")
	if text := string(found[info+"WHEEL"]); !strings.Contains(text, "Tag: py3-none-manylinux_2_28_x86_64\n") || !strings.Contains(text, "Root-Is-Purelib: false\n") {
		t.Errorf("WHEEL is\n%s", text)
	}
	record, err := csv.NewReader(bytes.NewReader(found[info+"RECORD"])).ReadAll()
	if err != nil || len(record) != len(names) {
		t.Fatalf("RECORD has %d lines, error %v", len(record), err)
	}
	for _, line := range record[:len(record)-1] {
		sum := sha256.Sum256(found[line[0]])
		if line[1] != "sha256="+base64.RawURLEncoding.EncodeToString(sum[:]) || line[2] != strconv.Itoa(len(found[line[0]])) {
			t.Errorf("RECORD has %q for a file of %d bytes", line, len(found[line[0]]))
		}
	}
}

func TestWheelIsTheSameForTheSameContent(t *testing.T) {
	first := testenv.Value(example().Bytes())(t)
	other := example()
	slices.Reverse(other.Files)
	second, err := other.Bytes()
	if err != nil || !bytes.Equal(first, second) {
		t.Errorf("another order of files made another wheel, error %v", err)
	}
}

func TestDistributionNames(t *testing.T) {
	for name, want := range map[string]bool{"geo": true, "a.b-c_D1": true, "": false, "-a": false, "a b": false, "é": false} {
		if IsName(name) != want {
			t.Errorf("%q: got %v", name, !want)
		}
	}
	for pkg, want := range map[string]string{"geo": "geo", "lambda_": "lambda", "a_b": "a_b"} {
		if got := NameFor(pkg); got != want || !IsName(got) {
			t.Errorf("%s: got %s, want %s", pkg, got, want)
		}
	}
}
