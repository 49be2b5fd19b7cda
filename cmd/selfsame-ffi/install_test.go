package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/selfsame-ffi/selfsame/internal/testenv"
)

// otherProject matches instructions to install the distribution, or to build the command, that is called selfsame. The
// distribution of that name on PyPI belongs to another project; ours is selfsame-ffi.
var otherProject = regexp.MustCompile(`(?m)(pip3?|pipx|uv|uv pip) (install|add) ([^\n]* )?["']?selfsame($|[^-\w])|go install [^\n]*/cmd/(selfsame)($|[^-\w])`)

func TestOtherProjectPattern(t *testing.T) {
	for _, text := range []string{
		"pip install " + "selfsame", "python -m pip install -q " + "selfsame==1", "uv add " + "selfsame\n",
		"pip install 'selfsame" + "[numpy]'", "go install example.org/cmd/" + "selfsame@latest",
	} {
		if !otherProject.MatchString(text) {
			t.Errorf("%q is not found", text)
		}
	}
	for _, text := range []string{
		"pip install selfsame-ffi", "pip install selfsame_ffi-1.whl", "pip install apache-tvm-ffi", "pip install ./selfsame_x",
		"go install example.org/cmd/selfsame-ffi@latest", "pip install numpy\nimport selfsame",
	} {
		if otherProject.MatchString(text) {
			t.Errorf("%q is found", text)
		}
	}
}

// No file of the repository tells its reader to install the other project.
func TestNobodyIsToldToInstallTheOtherProject(t *testing.T) {
	list := exec.Command("git", "ls-files", "-z")
	list.Dir = testenv.Root()
	files, err := list.Output()
	if err != nil {
		t.Skipf("this is no git checkout: %v", err)
	}
	checked := 0
	for _, name := range strings.Split(strings.TrimRight(string(files), "\x00"), "\x00") {
		if filepath.Base(name) == "install_test.go" {
			continue // this file, which has examples
		}
		text, err := os.ReadFile(filepath.Join(testenv.Root(), name))
		if err != nil {
			continue // deleted, or a link to a folder
		}
		checked++
		if found := otherProject.Find(text); found != nil {
			t.Errorf("%s: %s", name, found)
		}
	}
	if checked < 100 {
		t.Errorf("only %d files were checked", checked)
	}
}
