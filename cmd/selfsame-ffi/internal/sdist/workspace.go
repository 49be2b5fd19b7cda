package sdist

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"go/version"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/gocmd"
)

// workFile is the name of the file that lists the modules of a workspace.
const workFile = "go.work"

// A workspace is the Go modules of a distribution that are built together. Its file lies in the folder of pyproject.toml, with the
// folder vendor beside it.
type workspace struct {
	file string // on this machine, "" for a module that is built alone
	made bool   // it is none of the user's, and is removed at the end

	elsewhere string // the file of the workspace that the module is in, "" for none
}

// workspaceOf returns the workspace of modules in a folder, of which the distribution has the files with these names: the user's own,
// if it has that, or one that is written into the folder until close is called. The paths in it are relative, and the go command takes
// them from its folder.
func workspaceOf(ctx context.Context, root string, modules, names []string) (workspace, error) {
	used, err := gocmd.Command(ctx, modules[0], nil, "env", "GOWORK").Output()
	if err != nil {
		return workspace{}, fmt.Errorf("go env GOWORK: %w", err)
	}
	own := filepath.Join(root, workFile)
	if slices.Contains(names, workFile) && same(strings.TrimSpace(string(used)), own) {
		return workspace{file: own}, checkUsed(own)
	}
	if len(modules) == 1 {
		elsewhere := strings.TrimSpace(string(used))
		return workspace{elsewhere: strings.TrimPrefix(elsewhere, "off")}, nil
	}
	text, err := workText(root, modules)
	if err != nil {
		return workspace{}, err
	}
	file, err := os.CreateTemp(root, ".selfsame-ffi-*.work")
	if err != nil {
		return workspace{}, err
	}
	made := workspace{file: file.Name(), made: true}
	_, err = file.Write(text)
	if err := errors.Join(err, file.Close()); err != nil {
		made.close()
		return workspace{}, err
	}
	return made, nil
}

// close removes what was made.
func (w workspace) close() {
	if w.made {
		_ = os.Remove(w.file)
		_ = os.Remove(w.file + ".sum")
	}
}

// hint says, at the end of an error, that a build takes what is missing from a workspace.
func (w workspace) hint() string {
	if w.elsewhere == "" {
		return ""
	}
	return fmt.Sprintf("\nThe distribution of one module has none of the others of the workspace %s: put pyproject.toml beside that file, and name "+
		"the package in tool.selfsame.packages", w.elsewhere)
}

// same reports whether two paths are of one file.
func same(a, b string) bool {
	infoA, errA := os.Stat(a)
	infoB, errB := os.Stat(b)
	return errA == nil && errB == nil && os.SameFile(infoA, infoB)
}

// checkUsed fails when a workspace has a module that is not in its folder.
func checkUsed(file string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	work, err := modfile.ParseWork(file, text, nil)
	if err != nil {
		return err
	}
	for _, use := range work.Use {
		if !filepath.IsLocal(filepath.FromSlash(use.Path)) {
			return fmt.Errorf("%s uses the module in %s, which a source distribution of %s would lack; take it out of the workspace, or put "+
				"pyproject.toml into a folder that has both", file, use.Path, filepath.Dir(file))
		}
	}
	return nil
}

// workText returns the file of a workspace of modules in a folder, for the newest Go that one of them asks for.
func workText(root string, modules []string) ([]byte, error) {
	work, newest := &modfile.WorkFile{Syntax: &modfile.FileSyntax{}}, "1.24.0"
	for _, module := range modules {
		at, err := inside(root, module)
		if err != nil {
			return nil, err
		}
		name := filepath.Join(module, "go.mod")
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		mod, err := modfile.ParseLax(name, text, nil)
		if err != nil {
			return nil, err
		}
		if mod.Go != nil && version.Compare("go"+mod.Go.Version, "go"+newest) > 0 {
			newest = mod.Go.Version
		}
		if err := work.AddUse("./"+at, mod.Module.Mod.Path); err != nil {
			return nil, err
		}
	}
	if err := work.AddGoStmt(newest); err != nil {
		return nil, err
	}
	return modfile.Format(work.Syntax), nil
}

// vendor collects the modules that those of a workspace need into a folder, which it makes.
func (w workspace) vendor(ctx context.Context, folder string) error {
	run := func(args ...string) ([]byte, error) {
		cmd := gocmd.Command(ctx, filepath.Dir(w.file), []string{"GOWORK=" + w.file, "GOFLAGS=" + gocmd.FlagsAlone(ctx)}, args...)
		return cmd.CombinedOutput()
	}
	said, err := run("work", "vendor", "-o", folder)
	if err != nil && bytes.Contains(said, []byte("go.sum")) { // that of one module lacks what another one asks for
		if said, err = run("mod", "download"); err == nil {
			said, err = run("work", "vendor", "-o", folder)
		}
	}
	if err != nil {
		return fmt.Errorf("the modules that the workspace of %s needs were not collected: go work vendor: %w\n%s",
			filepath.Dir(w.file), err, bytes.TrimSpace(said))
	}
	return nil
}
