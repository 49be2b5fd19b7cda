// Package sdist writes source distributions of Go packages, which build without a network: the folder vendor is in them.
package sdist

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/gocmd"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/wheel"
)

// Name returns the name of a distribution with its version, which begins the name of the file and is its one folder.
func Name(m wheel.Metadata) string { return wheel.Escaped(m.Name) + "-" + m.Version }

// The date of every file, so that the same sources make the same bytes.
var epoch = time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)

// Bytes returns the source distribution of a folder with pyproject.toml. modules are the folders of the Go modules, in root or root
// itself. Its files are those that git tracks or would add, else all but hidden ones and those that builds make. Several modules, and
// those of a workspace in root, have one folder vendor and the file of a workspace.
func Bytes(ctx context.Context, root string, modules []string, m wheel.Metadata) ([]byte, error) {
	var vendors []string // as the archive would name them
	for _, module := range modules {
		at, err := inside(root, module)
		if err != nil {
			return nil, err
		}
		vendors = append(vendors, path.Join(at, "vendor"))
	}
	names, err := sources(ctx, root)
	if err != nil {
		return nil, err
	}
	work, err := workspaceOf(ctx, root, modules, names)
	if err != nil {
		return nil, err
	}
	defer work.close()
	vendored, beside := vendors[0], modules[0]
	if work.file != "" {
		vendored, beside = "vendor", root
		vendors = append(vendors, vendored)
	}
	files := map[string]string{} // paths on this machine by those in the archive
	for _, name := range names {
		old := slices.ContainsFunc(vendors, func(folder string) bool { return strings.HasPrefix(name, folder+"/") })
		if name != "PKG-INFO" && !old {
			files[name] = filepath.Join(root, filepath.FromSlash(name))
		}
	}
	if work.file != "" {
		files[workFile] = work.file
	}
	vendor, remove, err := vendorFolder(ctx, beside, work)
	if err != nil {
		return nil, err
	}
	defer remove()
	err = filepath.WalkDir(vendor, func(file string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() && d.Name() != ".git" { // of a worktree or submodule that go.mod names
			var name string
			name, err = filepath.Rel(vendor, file)
			files[path.Join(vendored, filepath.ToSlash(name))] = file
		}
		return err
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) { // a module that requires nothing has no folder vendor
		return nil, err
	}
	return archive(Name(m), files, m.Text())
}

// inside returns the path of a module in the folder of pyproject.toml, with slashes.
func inside(root, module string) (string, error) {
	at, err := filepath.Rel(root, module)
	if err == nil && filepath.IsLocal(at) {
		return filepath.ToSlash(at), nil
	}
	return "", fmt.Errorf("the Go module %s is not in the folder %s of pyproject.toml, so a source distribution of it would lack go.mod; "+
		"put pyproject.toml beside go.mod, or into a folder that has all the modules, and name the packages in tool.selfsame.packages", module, root)
}

// archive returns a compressed archive of files in one folder.
func archive(folder string, files map[string]string, info []byte) ([]byte, error) {
	var b bytes.Buffer
	compressed := gzip.NewWriter(&b)
	out := tar.NewWriter(compressed)
	add := func(name string, mode int64, text []byte) error {
		header := &tar.Header{Name: path.Join(folder, name), Mode: mode, Size: int64(len(text)), ModTime: epoch, Format: tar.FormatPAX}
		if err := out.WriteHeader(header); err != nil {
			return err
		}
		_, err := out.Write(text)
		return err
	}
	if err := add("PKG-INFO", 0o644, info); err != nil {
		return nil, err
	}
	names := make([]string, 0, len(files))
	for name := range files {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		there, err := os.Stat(files[name])
		if err != nil {
			return nil, err
		}
		text, err := os.ReadFile(files[name])
		if err != nil {
			return nil, err
		}
		mode := int64(0o644)
		if there.Mode()&0o100 != 0 {
			mode = 0o755
		}
		if err := add(name, mode, text); err != nil {
			return nil, err
		}
	}
	if err := errors.Join(out.Close(), compressed.Close()); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// sources lists the files of a folder, with slashes.
func sources(ctx context.Context, root string) ([]string, error) {
	names := inRepository(ctx, root)
	if !slices.Contains(names, "pyproject.toml") { // no repository, or one that ignores the folder
		return walked(root)
	}
	return slices.DeleteFunc(names, func(name string) bool {
		info, err := os.Lstat(filepath.Join(root, filepath.FromSlash(name)))
		return err != nil || !info.Mode().IsRegular() // removed, a link, or a repository in this one
	}), nil
}

// inRepository lists what git tracks in a folder, or would add, but for folders that are made; nothing where there is no repository.
func inRepository(ctx context.Context, root string) []string {
	list := func(which ...string) []string {
		cmd := exec.CommandContext(ctx, "git", append([]string{"ls-files", "-z"}, which...)...)
		cmd.Dir = root
		out, err := cmd.Output()
		if err != nil || len(out) == 0 {
			return nil
		}
		return strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
	}
	others := slices.DeleteFunc(list("--others", "--exclude-standard"), func(name string) bool {
		return slices.ContainsFunc(strings.Split(path.Dir(name), "/"), func(folder string) bool { return slices.Contains(made, folder) })
	})
	return append(list("--cached"), others...)
}

// made are folders that builds and Python make.
var made = []string{"build", "dist", "__pycache__", "node_modules"}

// walked lists the files of a folder without the hidden ones and those in folders that are made.
func walked(root string) ([]string, error) {
	var names []string
	err := filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(root, file)
		if err != nil || name == "." {
			return err
		}
		if d.IsDir() {
			_, lacks := os.Stat(filepath.Join(file, "pyvenv.cfg"))
			if strings.HasPrefix(d.Name(), ".") || slices.Contains(made, d.Name()) || lacks == nil {
				return fs.SkipDir
			}
			return nil
		}
		if d.Type().IsRegular() && (!strings.HasPrefix(d.Name(), ".") || d.Name() == ".selfsame-wrap") {
			names = append(names, filepath.ToSlash(name))
		}
		return nil
	})
	return names, err
}

// vendorFolder returns the folder vendor of a module or a workspace: that which lies beside it, or one that the go command makes
// elsewhere, until remove is called.
func vendorFolder(ctx context.Context, beside string, work workspace) (folder string, remove func(), err error) {
	own := filepath.Join(beside, "vendor")
	if _, err := os.Stat(own); err == nil {
		return own, func() {}, nil
	}
	temporary, err := os.MkdirTemp("", "selfsame-ffi-vendor-*")
	if err != nil {
		return "", nil, err
	}
	remove = func() { _ = os.RemoveAll(temporary) }
	folder = filepath.Join(temporary, "vendor")
	if work.file != "" {
		if err := work.vendor(ctx, folder); err != nil {
			remove()
			return "", nil, err
		}
		return folder, remove, nil
	}
	cmd := gocmd.Command(ctx, beside, []string{"GOWORK=off", "GOFLAGS=" + gocmd.FlagsAlone(ctx)}, "mod", "vendor", "-o", folder)
	if out, err := cmd.CombinedOutput(); err != nil {
		remove()
		return "", nil, fmt.Errorf("the modules that %s needs were not collected: go mod vendor: %w\n%s%s", beside, err, bytes.TrimSpace(out), work.hint())
	}
	return folder, remove, nil
}
