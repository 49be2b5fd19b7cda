package doctor

// Requirement: G4

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/selfsame-ffi/selfsame/internal/testenv"
)

// installed makes a folder in which a Python finds the packages, each "NAME VERSION [REQUIREMENT]".
func installed(t *testing.T, packages ...string) string {
	t.Helper()
	folder := t.TempDir()
	for _, text := range packages {
		fields := strings.SplitN(text, " ", 3)
		metadata := "Metadata-Version: 2.1\nName: " + fields[0] + "\nVersion: " + fields[1] + "\n"
		if len(fields) == 3 {
			metadata += "Requires-Dist: " + fields[2] + "\n"
		}
		info := filepath.Join(folder, strings.ReplaceAll(fields[0], "-", "_")+"-"+fields[1]+".dist-info")
		write(t, filepath.Join(info, "METADATA"), metadata)
	}
	return folder
}

func write(t *testing.T, path, text string) {
	t.Helper()
	testenv.OK(t, os.MkdirAll(filepath.Dir(path), 0o755))
	testenv.OK(t, os.WriteFile(path, []byte(text), 0o644))
}

// findingsWith asks a real Python that has the packages of a folder and no others.
func findingsWith(t *testing.T, folder string) []Finding {
	t.Helper()
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip(err)
	}
	finder, err := exec.Command(python, "-c", "import pip; print(pip.__path__[0])").Output()
	if err != nil {
		t.Skip("this Python has no pip")
	}
	testenv.OK(t, os.Symlink(strings.TrimSpace(string(finder)), filepath.Join(folder, "pip")))
	alone := filepath.Join(t.TempDir(), "python")
	write(t, alone, "#!/bin/sh\nPYTHONPATH='"+folder+"' exec '"+python+"' -S \"$@\"\n")
	testenv.OK(t, os.Chmod(alone, 0o755))
	e := &examination{ctx: t.Context(), Subject: Subject{Python: alone, Release: "0.1.0", ABI: "0.1.16"}}
	e.interpreter()
	return e.findings
}

func TestPackagesThatExcludeOneAnotherAreNamed(t *testing.T) {
	for _, c := range []struct{ first, second string }{
		{"tilelang 0.1.15 apache-tvm-ffi<0.1.13,>=0.1.11", "apache-tvm 0.27.0 apache-tvm-ffi>=0.1.14.post0"},
		{"one 1.0 apache_tvm_ffi==0.1.12", "other 2.0 Apache-TVM-FFI!=0.1.12,~=0.1.12.0"},
		{"one 1.0 apache-tvm-ffi<=0.1.9", "other 2.0 apache-tvm-ffi>0.1.9"},
	} {
		f := one(t, findingsWith(t, installed(t, c.first, c.second)), "packages")
		name, _, _ := strings.Cut(c.first, " ")
		other, _, _ := strings.Cut(c.second, " ")
		if f.Status != Warning || !strings.Contains(f.Found, name) || !strings.Contains(f.Found, other) ||
			!strings.Contains(f.Found, "no release serves both") || !strings.Contains(f.Mend, "install_as_tvm_ffi") {
			t.Errorf("%+v", f)
		}
	}
}

func TestPackagesThatFitAreNotNamed(t *testing.T) {
	for _, packages := range [][]string{
		{},
		{"one 1.0 apache-tvm-ffi<0.1.13,>=0.1.11", "other 2.0 apache-tvm-ffi>=0.1.12"},
		{"one 1.0 apache-tvm-ffi>0.1.9,<0.1.11", "other 2.0 apache-tvm-ffi!=0.1.10"},
		{"one 1.0 apache-tvm-ffi", "other 2.0 apache-tvm-ffi-orcjit==0.1.0", "third 1.0 apache-tvm-ffi<0.1; extra == 'old'"},
		{"apache-tvm 0.26.0 apache-tvm-ffi>=0.1.9", "apache-tvm-ffi 0.1.15.post2"},
		{"apache-tvm 0.27.0 apache-tvm-ffi>=0.1.9", "apache-tvm-ffi 0.1.14.post1"},
	} {
		for _, f := range findingsWith(t, installed(t, packages...)) {
			if f.Check != "Python" && f.Check != "selfsame_ffi" {
				t.Errorf("%v: %+v", packages, f)
			}
		}
	}
}

func TestInstalledRuntimeThatDoesNotServeIsNamed(t *testing.T) {
	findings := findingsWith(t, installed(t, "tilelang 0.1.15 apache-tvm-ffi<0.1.13,>=0.1.11", "apache-tvm-ffi 0.1.15.post2"))
	expect(t, one(t, findings, "packages"), Warning, "tilelang 0.1.15 requires apache-tvm-ffi<0.1.13,>=0.1.11, and this Python has 0.1.15.post2",
		"pip install 'apache-tvm-ffi<0.1.13,>=0.1.11'")
}

func TestRuntimeThatEndsProcessesIsNamed(t *testing.T) {
	findings := findingsWith(t, installed(t, "apache-tvm 0.27.0.post1 apache-tvm-ffi>=0.1.14.post0", "apache-tvm-ffi 0.1.15.post2"))
	expect(t, one(t, findings, "apache-tvm-ffi"), Warning, "apache-tvm 0.27.0.post1 end the process on apache-tvm-ffi 0.1.15.post2", "install_as_tvm_ffi")
}

func TestTorchWithoutTheExchangeIsNamed(t *testing.T) {
	for _, c := range []struct {
		text, more string
		named      bool
	}{{"class Tensor: ...", "", true}, {"class Tensor: __dlpack_c_exchange_api__ = 0", "", false}, {"class Tensor: ...", "torch-c-dlpack-ext 0.1.5", false}} {
		packages := []string{"torch 2.8.0"}
		if c.more != "" {
			packages = append(packages, c.more)
		}
		folder := installed(t, packages...)
		write(t, filepath.Join(folder, "torch", "_tensor.py"), c.text)
		findings := findingsWith(t, folder)
		if last := findings[len(findings)-1]; (last.Check == "torch") != c.named {
			t.Errorf("%v: %+v", c, findings)
		} else if c.named {
			expect(t, last, Warning, "torch 2.8.0 has no C exchange", "torch-c-dlpack-ext")
		}
	}
}

func TestMemoryProfilerThatCountsAddressesIsNamed(t *testing.T) {
	expect(t, one(t, findingsWith(t, installed(t, "memray 1.20.0")), "memray"), Warning, "address space that Go reserves", "debug.report")
}

func TestCloneOfAnotherUserIsNamed(t *testing.T) {
	git, err := exec.LookPath("git")
	if err != nil {
		t.Skip(err)
	}
	root := t.TempDir()
	write(t, filepath.Join(root, "go.mod"), "module example.com/mine\n\ngo 1.24\n")
	testenv.Run(t, git, "-C", root, "init", "-q")
	named := func() bool {
		e := &examination{ctx: t.Context(), Subject: Subject{Dir: root, Release: "0.1.0"}}
		e.clone(root)
		if len(e.findings) == 1 {
			expect(t, e.findings[0], Warning, "belongs to another user", "safe.directory "+root)
		}
		return len(e.findings) == 1
	}
	if named() {
		t.Error("a clone of this user is named")
	}
	t.Setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1") // what git's own tests set
	t.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	if !named() {
		t.Error("a clone of another user is not named")
	}
}
