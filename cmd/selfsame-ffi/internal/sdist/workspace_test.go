package sdist

// Requirement: F7

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/gocmd"
	"github.com/selfsame-ffi/selfsame/internal/testenv"
)

// modulesOf writes a folder with the modules walks and rides, of which rides imports walks, and both a module beside the folder.
func modulesOf(t *testing.T, more map[string]string) string {
	t.Helper()
	root := filepath.Join(t.TempDir(), "trips")
	files := map[string]string{
		"trips/pyproject.toml": "",
		"trips/walks/go.mod":   "module example.com/walks\n\ngo 1.24.0\n\nrequire example.com/maps v0.0.0\n\nreplace example.com/maps => ../../maps\n",
		"trips/walks/walks.go": "package walks\n\nimport _ \"example.com/maps\"\n",
		"trips/rides/go.mod": "module example.com/rides\n\ngo 1.25.0\n\nrequire (\n\texample.com/maps v0.0.0\n\texample.com/walks v0.0.0\n)\n\n" +
			"replace example.com/maps => ../../maps\n\nreplace example.com/walks => ../walks\n",
		"trips/rides/rides.go": "package rides\n\nimport (\n\t_ \"example.com/maps\"\n\t_ \"example.com/walks\"\n)\n",
		"maps/go.mod":          "module example.com/maps\n\ngo 1.24.0\n", "maps/maps.go": "package maps\n",
	}
	maps.Copy(files, more)
	for name, text := range files {
		file := filepath.Join(filepath.Dir(root), name)
		testenv.OK(t, os.MkdirAll(filepath.Dir(file), 0o700))
		testenv.OK(t, os.WriteFile(file, []byte(text), 0o600))
	}
	return root
}

// buildsAlone unpacks a distribution where nothing else is, and compiles packages of it.
func buildsAlone(t *testing.T, files map[string]string, packages ...string) {
	t.Helper()
	folder := t.TempDir()
	for name, text := range files {
		file := filepath.Join(folder, name)
		testenv.OK(t, os.MkdirAll(filepath.Dir(file), 0o700))
		testenv.OK(t, os.WriteFile(file, []byte(text), 0o600))
	}
	cmd := gocmd.Command(t.Context(), filepath.Join(folder, "the_shop-1.0"), []string{"GOPROXY=off", "GOFLAGS="}, append([]string{"build"}, packages...)...)
	if said, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, said)
	}
}

func TestSeveralModulesBecomeAWorkspaceThatBuildsAlone(t *testing.T) {
	t.Setenv("GOWORK", "")
	root := modulesOf(t, nil)
	before := testenv.Value(walked(root))(t)
	made := content(t, testenv.Value(Bytes(t.Context(), root, []string{filepath.Join(root, "walks"), filepath.Join(root, "rides")}, metadata))(t))
	want := []string{
		"PKG-INFO", "go.work", "pyproject.toml", "rides/go.mod", "rides/rides.go", "vendor/example.com/maps/maps.go", "vendor/modules.txt",
		"walks/go.mod", "walks/walks.go",
	}
	if got := names(made); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if text := made["the_shop-1.0/go.work"]; !strings.Contains(text, "go 1.25.0\n") || !strings.Contains(text, "./walks\n") {
		t.Errorf("the workspace is %s", text)
	}
	entries := testenv.Value(os.ReadDir(root))(t)
	if after := testenv.Value(walked(root))(t); !slices.Equal(before, after) || len(entries) != 3 {
		t.Errorf("the folder has %v now", entries)
	}
	buildsAlone(t, made, "./walks", "./rides")
}

func TestWorkspaceOfTheUserIsThatOfTheDistribution(t *testing.T) {
	t.Setenv("GOWORK", "")
	const listed = "go 1.25.0\n\nuse (\n\t./walks\n\t./rides\n\t./tools\n)\n"
	root := modulesOf(t, map[string]string{
		"trips/go.work": listed, "trips/tools/go.mod": "module example.com/tools\n\ngo 1.24.0\n", "trips/tools/t.go": "package tools\n",
		"trips/walks/go.mod": "module example.com/walks\n\ngo 1.24.0\n", "trips/walks/walks.go": "package walks\n\nimport _ \"example.com/tools\"\n",
	})
	made := content(t, testenv.Value(Bytes(t.Context(), root, []string{filepath.Join(root, "walks")}, metadata))(t))
	if made["the_shop-1.0/go.work"] != listed || made["the_shop-1.0/tools/t.go"] == "" {
		t.Errorf("got %q", names(made))
	}
	buildsAlone(t, made, "./walks")
}

// It is for work on both modules, and users have it for themselves.
func TestWorkspaceThatGitIgnoresIsLeftOut(t *testing.T) {
	t.Setenv("GOWORK", "")
	root := modulesOf(t, map[string]string{"trips/go.work": "go 1.25.0\n\nuse (\n\t./walks\n\t./rides\n\t../maps\n)\n", "trips/.gitignore": "/go.work\n"})
	if out, err := exec.Command("git", "-C", root, "init", "-q").CombinedOutput(); err != nil {
		t.Skipf("git: %v %s", err, out)
	}
	made := content(t, testenv.Value(Bytes(t.Context(), root, []string{filepath.Join(root, "walks")}, metadata))(t))
	if made["the_shop-1.0/go.work"] != "" || made["the_shop-1.0/walks/vendor/example.com/maps/maps.go"] == "" {
		t.Errorf("got %q", names(made))
	}
}

func TestErrorNamesTheWorkspaceThatHasWhatAModuleLacks(t *testing.T) {
	t.Setenv("GOWORK", "")
	root := modulesOf(t, map[string]string{
		"trips/go.work": "go 1.25.0\n\nuse (\n\t./walks\n\t./tools\n)\n", "trips/tools/go.mod": "module example.com/tools\n\ngo 1.24.0\n",
		"trips/tools/t.go": "package tools\n", "trips/walks/walks.go": "package walks\n\nimport _ \"example.com/tools\"\n",
	})
	walks := filepath.Join(root, "walks")
	_, err := Bytes(t.Context(), walks, []string{walks}, metadata)
	if want := "none of the others of the workspace " + filepath.Join(root, "go.work"); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("got %v, want %q", err, want)
	}
}

func TestWorkspaceWithAModuleElsewhereIsRefused(t *testing.T) {
	t.Setenv("GOWORK", "")
	root := modulesOf(t, map[string]string{"trips/go.work": "go 1.25.0\n\nuse (\n\t./walks\n\t./rides\n\t../maps\n)\n"})
	_, err := Bytes(t.Context(), root, []string{filepath.Join(root, "walks")}, metadata)
	if err == nil || !strings.Contains(err.Error(), "uses the module in ../maps, which a source distribution of") {
		t.Errorf("got %v", err)
	}
}
