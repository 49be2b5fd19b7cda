package wrap

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/emit/golang/wrapped"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/gocmd"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/gosource"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/whole"
)

// Module is the Go module that a run writes. Until Write, the files go.mod and go.sum of the run are in a temporary folder, so that
// a run that fails or is interrupted leaves the module as it was.
type Module struct {
	o       *Options
	folder  *folder
	work    string // the temporary folder
	flags   string // GOFLAGS of the go commands
	written bool   // something was
}

// Open takes the folder of the module for this run. The caller calls Close.
func Open(ctx context.Context, o *Options) (*Module, error) {
	f, err := claim(o)
	if err != nil {
		return nil, err
	}
	m := &Module{o: o, folder: f}
	if m.work, err = os.MkdirTemp("", "selfsame-ffi-wrap-*"); err == nil {
		m.flags = gocmd.FlagsAlone(ctx, "-mod=mod", "-modfile="+m.file("go.mod"))
		err = m.begin(ctx)
	}
	if err != nil {
		m.Close()
		return nil, err
	}
	return m, nil
}

// Close removes what is temporary. A folder that was made, and in which nothing was written, goes too.
func (m *Module) Close() {
	if m.work != "" {
		_ = os.RemoveAll(m.work)
	}
	m.folder.giveBack(m.written)
}

// begin makes the go.mod of the run: that of the module, or one without any requirement. A go.mod that is there must be of the
// module that the user asks for.
func (m *Module) begin(ctx context.Context) error {
	mod := filepath.Join(m.o.Dir, "go.mod")
	text, err := os.ReadFile(mod)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if len(bytes.TrimSpace(text)) == 0 { // there is none, or a full disk left it empty
		text = fmt.Appendf(nil, "module %s\n\ngo 1.24.0\n", cmp.Or(m.o.GoModule, m.o.defaultModule()))
		if err := whole.File(mod, text, 0o644); err != nil { // by which the go command knows the folder of the module
			return err
		}
	}
	if err := os.WriteFile(m.file("go.mod"), text, 0o600); err != nil {
		return err
	}
	sums, err := os.ReadFile(filepath.Join(m.o.Dir, "go.sum"))
	if err == nil {
		err = os.WriteFile(m.file("go.sum"), sums, 0o600)
	} else if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return errors.Join(err, m.check(ctx))
}

// file returns the path of a temporary file.
func (m *Module) file(name string) string { return filepath.Join(m.work, name) }

// check fails when the module is not the one that the user asks for.
func (m *Module) check(ctx context.Context) error {
	there, err := readMod(ctx, m.file("go.mod"))
	if err != nil {
		return fmt.Errorf("%s: %w", filepath.Join(m.o.Dir, "go.mod"), err)
	}
	if m.o.GoModule != "" && there.Module.Path != m.o.GoModule {
		return fmt.Errorf("the folder %s has the Go module %s, not %s; leave --module out, or give another folder with --dir",
			m.o.Dir, there.Module.Path, m.o.GoModule)
	}
	return nil
}

// Require adds the packages to the Go module.
func (m *Module) Require(ctx context.Context) error {
	edits := []string{"mod", "edit", "-require=" + gosource.FrontendPath + "@v" + m.o.Release}
	replaced, err := carried(m.o.Sources)
	if err != nil {
		return err
	}
	for _, s := range m.o.Sources {
		if s.Folder != "" {
			edits = append(edits, "-require="+s.Module+"@"+zeroVersion(s.Module))
			replaced = append(replaced, Replacement{Old: ModuleVersion{Path: s.Module}, New: ModuleVersion{Path: s.Folder}})
		}
	}
	if m.o.Replace != "" {
		replaced = append(replaced, Replacement{Old: ModuleVersion{Path: gosource.FrontendPath}, New: ModuleVersion{Path: m.o.Replace}})
	}
	for _, r := range replaced {
		edits = append(edits, "-replace="+r.from(m.o.Dir))
	}
	if _, err := goCommand(ctx, "", nil, append(edits, m.file("go.mod"))...); err != nil {
		return err
	}
	for _, s := range m.o.Sources {
		if s.Folder != "" || isStandard(s.Path) {
			continue
		}
		if s.Version == "" && m.requires(s.Path) {
			continue
		}
		if err := m.get(ctx, s); err != nil {
			return err
		}
	}
	return nil
}

// defaultModule returns the path of the Go module where the user gives none. A module of its own that is wrapped may have the first.
func (o *Options) defaultModule() string {
	module := "example.com/" + o.Name
	if slices.ContainsFunc(o.Sources, func(s Source) bool { return s.Module == module }) {
		module += "-python"
	}
	return module
}

// get adds a package's module to go.mod. Where the newest version has moved to another path, the newest under this path is taken.
func (m *Module) get(ctx context.Context, s Source) error {
	_, err := m.run(ctx, "get", s.Path+"@"+cmp.Or(s.Version, "latest"))
	if err == nil || s.Version != "" || !strings.Contains(err.Error(), "module declares its path as") {
		return err
	}
	const tries = 10
	for module := s.Path; strings.Contains(module, "/"); module = path.Dir(module) {
		out, failed := m.run(ctx, "list", "-m", "-versions", module)
		versions := strings.Fields(out)
		if failed != nil || len(versions) < 2 {
			continue
		}
		for i := len(versions) - 1; i > 0 && i >= len(versions)-tries; i-- {
			if _, failed := m.run(ctx, "get", s.Path+"@"+versions[i]); failed == nil {
				return nil
			}
		}
	}
	return err
}

func isStandard(importPath string) bool {
	first, _, _ := strings.Cut(importPath, "/")
	return !strings.Contains(first, ".")
}

// requires says whether go.mod has the module of a package.
func (m *Module) requires(importPath string) bool {
	text, err := os.ReadFile(m.file("go.mod"))
	if err != nil {
		return false
	}
	for p := importPath; p != "." && p != "/"; p = path.Dir(p) {
		if strings.Contains(string(text), p+" v") {
			return true
		}
	}
	return false
}

// tidy completes go.mod for what the generated files will import, before those are written.
func (m *Module) tidy(ctx context.Context) error {
	needs := m.file("needs.go")
	if err := os.WriteFile(needs, m.needs(), 0o600); err != nil {
		return err
	}
	dir, err := filepath.Abs(m.o.Dir)
	if err != nil {
		return err
	}
	old, err := generated(dir) // they may import what is no longer needed, and may be of a run that was cut off
	if err != nil {
		return err
	}
	replace := map[string]string{filepath.Join(dir, "a_needs.go"): needs}
	for _, name := range old {
		replace[filepath.Join(dir, name)] = "" // no file
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return err
	}
	if err := os.WriteFile(m.file("overlay.json"), overlay, 0o600); err != nil {
		return err
	}
	if _, err := m.run(ctx, "mod", "tidy", "-overlay="+m.file("overlay.json")); err != nil {
		return err
	}
	return m.prune(ctx)
}

// needs returns a file that imports what the generated files will.
func (m *Module) needs() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%spackage %s\n\nimport (\n\t_ %q\n", wrapped.Header, m.o.Name, gosource.FrontendPath)
	for _, s := range m.o.Sources {
		fmt.Fprintf(&b, "\t_ %q\n", s.Path)
	}
	b.WriteString(")\n")
	return b.Bytes()
}

// save puts go.mod and go.sum of the run into the module.
func (m *Module) save() error {
	for _, name := range []string{"go.sum", "go.mod"} {
		text, err := os.ReadFile(m.file(name))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err == nil {
			err = whole.File(filepath.Join(m.o.Dir, name), text, 0o644)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// environment returns that of a go command for the module: it may complete go.mod, which is that of the run, and no workspace and no
// folder vendor take part.
func (m *Module) environment() []string {
	return []string{"GOWORK=off", "GOFLAGS=" + m.flags}
}

// run runs the go command on the module.
func (m *Module) run(ctx context.Context, args ...string) (string, error) {
	return goCommand(ctx, m.o.Dir, m.environment(), args...)
}

// goCommand runs the go command in a folder. Its error has what the command said.
func goCommand(ctx context.Context, dir string, env []string, args ...string) (string, error) {
	cmd := gocmd.Command(ctx, dir, append([]string{"CGO_ENABLED=1"}, env...), args...)
	var out, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &stderr
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
		return "", fmt.Errorf("go %s: %w\n%s", strings.Join(args, " "), err, strings.TrimSpace(stderr.String()))
	}
	return out.String(), nil
}
