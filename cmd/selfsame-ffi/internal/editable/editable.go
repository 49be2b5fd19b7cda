// Package editable installs packages into a Python in the form in which pip lists and removes them, with the code staying
// where it is built.
package editable

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/escape"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/release"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/wheel"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/whole"
)

// Python is an interpreter that packages are installed into.
type Python struct {
	Path     string `json:"-"`
	Version  string `json:"version"`  // of Python
	Packages string `json:"packages"` // its folder site-packages
	Selfsame string `json:"selfsame"` // version of selfsame-ffi that it has, "" without
	Develop  bool   `json:"develop"`  // whether that can build packages again
}

const question = `
import importlib.metadata, importlib.util, json, sys, sysconfig
try:
    selfsame = importlib.metadata.version("selfsame-ffi")
except importlib.metadata.PackageNotFoundError:
    selfsame = ""
develop = importlib.util.find_spec("selfsame_ffi_develop") is not None
version = ".".join(map(str, sys.version_info[:3]))
print(json.dumps(dict(version=version, packages=sysconfig.get_path("purelib"), selfsame=selfsame, develop=develop)))
`

// Ask asks an interpreter about itself. It fails when the interpreter does not run.
func Ask(ctx context.Context, path string) (*Python, error) {
	cmd := exec.CommandContext(ctx, path, "-c", question)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("the Python %s does not run: %w\n%s", path, err, strings.TrimSpace(stderr.String()))
	}
	p := &Python{Path: path}
	if err := json.Unmarshal(out, p); err != nil {
		return nil, fmt.Errorf("the Python %s answered %q", path, out)
	}
	return p, nil
}

// installer is what pip shows as the program that installed a package, by which such packages are known again.
const installer = "selfsame-ffi develop"

// Accepts fails when a package of the name cannot be installed.
func (p *Python) Accepts(name string) error {
	if p.Selfsame == "" || !p.Develop {
		from := "selfsame-ffi"
		if sources := release.Checkout(); sources != "" {
			from = escape.Shell(sources)
		}
		return fmt.Errorf("the Python %s has no selfsame-ffi; run `%s -m pip install %s`, or choose another with --python", p.Path, p.Path, from)
	}
	others, err := p.installed(name)
	if err != nil {
		return err
	}
	for _, info := range others {
		if by, err := os.ReadFile(filepath.Join(info, "INSTALLER")); err != nil || strings.TrimSpace(string(by)) != installer {
			return fmt.Errorf("the Python %s has an installed %s (%s); run `%s -m pip uninstall %s`", p.Path, name, info, p.Path, name)
		}
	}
	return nil
}

// installed lists the metadata folders of a distribution.
func (p *Python) installed(name string) ([]string, error) {
	return filepath.Glob(filepath.Join(p.Packages, wheel.Escaped(name)+"-*.dist-info"))
}

// Files returns what an installation of a package consists of whose code stays in a folder: the file that leads there, and looks at
// each import of name whether stamp asks to build it again. dist names the distribution.
func Files(dist, name, folder, stamp string) []wheel.File {
	// A .pth file has a line for sys.path, and one that site runs. It must be one line, and must not fail when selfsame-ffi
	// is gone.
	hook := fmt.Sprintf("try:\n import selfsame_ffi_develop as d\nexcept ImportError: pass\nelse: d.watch(%s, %s)",
		escape.PythonString(name), escape.PythonString(stamp))
	return []wheel.File{{
		Path: "__editable__." + wheel.Escaped(dist) + ".pth", Content: []byte(folder + "\nimport sys; exec(" + escape.PythonLine(hook) + ")\n"),
	}}
}

// Install installs the package that is in the folder under the name of its distribution. stamp is the file that tells when to
// build it again.
func (p *Python) Install(metadata wheel.Metadata, name, folder, stamp string) error {
	if err := p.Accepts(metadata.Name); err != nil {
		return err
	}
	info := metadata.InfoFolder()
	direct, err := json.Marshal(map[string]any{
		"url": (&url.URL{Scheme: "file", Path: folder}).String(), "dir_info": map[string]bool{"editable": true},
	})
	if err != nil {
		return err
	}
	files := append(Files(metadata.Name, name, folder, stamp),
		wheel.File{Path: info + "/METADATA", Content: metadata.Text()},
		wheel.File{Path: info + "/INSTALLER", Content: []byte(installer + "\n")},
		wheel.File{Path: info + "/direct_url.json", Content: direct})
	if metadata.EntryPoints != "" {
		files = append(files, wheel.File{Path: info + "/entry_points.txt", Content: []byte(metadata.EntryPoints)})
	}
	var record strings.Builder
	for _, f := range files {
		record.WriteString(wheel.Record(f.Path, f.Content))
	}
	files = append(files, wheel.File{Path: info + "/RECORD", Content: []byte(record.String() + info + "/RECORD,,\n")})
	if err = p.replace(metadata.Name, info, files); errors.Is(err, os.ErrPermission) {
		return fmt.Errorf("%w; make a virtual environment (python -m venv .venv) and choose it with --python", err)
	}
	return err
}

// replace puts the files into the place of those that an earlier run installed. The metadata folder comes as a whole: a part of it
// would be the package of nobody.
func (p *Python) replace(name, info string, files []wheel.File) error {
	work, err := whole.NewWork(p.Packages)
	if err != nil {
		return err
	}
	defer work.Close()
	for _, f := range files {
		folder := work.Path
		if path.Dir(f.Path) == "." {
			folder = p.Packages
		}
		if err := whole.File(filepath.Join(folder, filepath.FromSlash(f.Path)), f.Content, 0o644); err != nil {
			return err
		}
	}
	before, err := p.installed(name)
	if err != nil {
		return err
	}
	for i, old := range before {
		if err := os.Rename(old, filepath.Join(work.Path, fmt.Sprint("old", i))); err != nil {
			return err
		}
	}
	return os.Rename(filepath.Join(work.Path, info), filepath.Join(p.Packages, info))
}
