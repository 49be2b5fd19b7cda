package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/gosource"
)

// Requirement: G1

// What a local library finds by the lines of its go.mod, or by its workspace, the module that wraps it finds too.
func TestWrapOfALocalLibraryFindsWhatItFinds(t *testing.T) {
	root := checkout(t)
	t.Chdir(t.TempDir())
	t.Setenv("GOFLAGS", "-mod=vendor") // a user's, for modules that have a folder vendor
	t.Setenv("GOPROXY", "off")
	const sources = "\n\ngo 1.24.0\n"
	writeAll(t, ".", map[string]string{
		"r/dep/go.mod": "module example.test/dep" + sources, "r/dep/dep.go": "package dep\n\nfunc Two() int { return 2 }\n",
		"r/lib/go.mod": "module example.test/rlib" + sources + "\nrequire example.test/dep v0.0.0\n\nreplace example.test/dep => ../dep\n",
		"r/lib/lib.go": "package rlib\n\nimport \"example.test/dep\"\n\nfunc Four() int { return 2 * dep.Two() }\n",
		"s/a/go.mod":   "module example.test/wa" + sources, "s/a/a.go": "package wa\n\nimport \"example.test/wb\"\n\nfunc Six() int { return 2 * wb.Three() }\n",
		"s/b/go.mod": "module example.test/wb" + sources + "\nrequire example.test/dep v0.0.0\n\nreplace example.test/dep => ../../r/dep\n",
		"s/b/b.go":   "package wb\n\nimport \"example.test/dep\"\n\nfunc Three() int { return 1 + dep.Two() }\n",
		"s/c/go.mod": "module example.test/wc" + sources, "s/c/c.go": "package wc\n",
		"s/go.work":    "go 1.24.0\n\nuse (\n\t./a\n\t./b\n\t./c\n)\n",
		"major/go.mod": "module example.test/major/v3" + sources, "major/one.go": "package major\n\nfunc One() int { return 1 }\n",
		"foreign/go.work":  "go 1.24.0\n\nuse ../major\n",
		"foreign/x/go.mod": "module example.test/x" + sources, "foreign/x/x.go": "package x\n\nfunc X() int { return 1 }\n",
	})
	for _, c := range []struct {
		args  string
		lines string
	}{
		{"./r/lib --dir o1", "example.test/dep => ../r/dep|example.test/rlib => ../r/lib|example.test/rlib v0.0.0"},
		{"./s/a --dir deep/o2", "example.test/wa => ../../s/a|example.test/wb => ../../s/b|example.test/dep => ../../r/dep"},
		{"./major --dir o3", "example.test/major/v3 => ../major|example.test/major/v3 v3.0.0"},
		{"./foreign/x --dir foreign/o4", "example.test/x => ../x"},
		{"./foreign/x --dir foreign/x/o5", "example.test/x => .."},
	} {
		args := strings.Fields(c.args)
		for range 2 {
			if output, err := selfsame(t, append([]string{"wrap", "--write-only", "--replace", root}, args...)...); err != nil {
				t.Fatalf("wrap %s: %v\n%s", c.args, err, output)
			}
		}
		mod := readText(t, args[2], "go.mod")
		for line := range strings.SplitSeq(c.lines+"|"+gosource.FrontendPath+" => ../", "|") {
			if !strings.Contains(mod, line) {
				t.Errorf("wrap %s: go.mod lacks %q:\n%s", c.args, line, mod)
			}
		}
		if strings.Contains(mod, "example.test/wc") {
			t.Errorf("wrap %s: go.mod has a module of the workspace that nothing needs:\n%s", c.args, mod)
		}
	}
}

func TestLibrariesThatReplaceAModuleDifferentlyAreNotJoined(t *testing.T) {
	root := checkout(t)
	t.Chdir(t.TempDir())
	files := map[string]string{}
	for _, name := range []string{"a", "b"} {
		files[name+"/dep/go.mod"] = "module example.test/dep\n\ngo 1.24.0\n"
		files[name+"/dep/dep.go"] = "package dep\n"
		files[name+"/go.mod"] = "module example.test/" + name + "\n\ngo 1.24.0\n\nrequire example.test/dep v0.0.0\n\nreplace example.test/dep => ./dep\n"
		files[name+"/x.go"] = "package " + name + "\n\nimport _ \"example.test/dep\"\n"
	}
	writeAll(t, ".", files)
	_, err := selfsame(t, "wrap", "--write-only", "--replace", root, "./a", "./b", "--dir", "both")
	if err == nil || !strings.Contains(err.Error(), "example.test/a and example.test/b replace the module example.test/dep by different ones") {
		t.Errorf("got %v", err)
	}
}

// A relative path leads to the folder for the go command, which joins paths, and for the system, which follows links.
func TestReplacedFoldersAreRelativeWhereThatIsRight(t *testing.T) {
	base := t.TempDir()
	writeAll(t, base, map[string]string{"real/mod/x": "", "lib/x": "", "real/beside/x": ""})
	link := filepath.Join(base, "link")
	symlink(t, filepath.Join(base, "real"), link)
	for _, c := range []struct{ dir, folder, want string }{
		{"real/mod", "lib", "../../lib"}, {"lib", "real/mod", "../real/mod"}, {"real", "real/mod", "./mod"},
		{"real/new/er", "lib", "../../../lib"},           // not there yet
		{"link/mod", "link/beside", "../beside"},         // through a link, but beside each other
		{"link/mod", "lib", "../../lib"},                 // the link is as deep as what it leads to
		{"real/mod", "link/beside", "../../link/beside"}, // a link on the way is followed
	} {
		if got := gosource.ReplaceTarget(filepath.Join(base, c.dir), filepath.Join(base, c.folder)); got != c.want {
			t.Errorf("%s to %s: got %s, want %s", c.dir, c.folder, got, c.want)
		}
	}
	deep := filepath.Join(base, "real", "mod", "deep")
	symlink(t, filepath.Join(base, "lib"), deep)
	if got := gosource.ReplaceTarget(deep, filepath.Join(base, "real", "beside")); got != filepath.Join(base, "real", "beside") {
		t.Errorf("where links and joined paths lead apart: %s", got)
	}
}
