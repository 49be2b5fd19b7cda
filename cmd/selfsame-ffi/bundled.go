package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/bundle"
	python "github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/emit/pypackage"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/target"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/wheel"
)

// ownPackage is the value of --bundle that stands for the package of the active Python.
const ownPackage = "the active Python"

// bundled returns what --bundle puts into a wheel for a target.
func (o *buildOptions) bundled(ctx context.Context, to target.Target) (*bundle.Bundle, error) {
	switch {
	case o.runtime != python.Selfsame:
		return nil, fmt.Errorf("--bundle: a package for the runtime %s brings none along", o.runtime)
	case o.bundle != ownPackage:
		b, err := bundle.FromWheels(o.bundle, to.Platform(), o.pythons)
		if err != nil {
			return nil, fmt.Errorf("--bundle: %w", err)
		}
		return b, nil
	case !to.RunsHere():
		return nil, fmt.Errorf("--bundle: the installed selfsame-ffi is for this machine, and the wheel for %s; give the folder of wheels for it: --bundle=FOLDER", o.target)
	case len(o.pythons) > 0:
		return nil, fmt.Errorf("--pythons chooses among wheels; give their folder: --bundle=FOLDER")
	}
	active, err := interpreter()
	if err != nil {
		return nil, fmt.Errorf("--bundle: %w", err)
	}
	const question = "import selfsame_ffi, os; print(os.path.dirname(selfsame_ffi.__file__)); print(selfsame_ffi.__version__)"
	out, err := exec.CommandContext(ctx, active, "-c", question).Output()
	folder, version, ok := strings.Cut(strings.TrimSpace(string(out)), "\n")
	if err != nil || !ok {
		return nil, fmt.Errorf("--bundle: %s cannot import selfsame_ffi; install it there, or give a folder of wheels: --bundle=FOLDER", active)
	}
	b, err := bundle.FromPackage(folder, version)
	if err != nil {
		return nil, fmt.Errorf("--bundle: %s: %w", folder, err)
	}
	return b, nil
}

// oldestFor returns the tag of a wheel for glibc with what is bundled, whose libraries may need a newer glibc than the package's own.
func oldestFor(tag string, to target.Target, b *bundle.Bundle, work string) (string, error) {
	if !strings.HasPrefix(tag, "manylinux_") {
		return tag, nil
	}
	for name, content := range b.Libraries() {
		file := filepath.Join(work, filepath.Base(name))
		if err := os.WriteFile(file, content, 0o600); err != nil {
			return "", err
		}
		needed, err := to.Tag(file)
		if err != nil {
			return "", fmt.Errorf("--bundle: %s of selfsame-ffi: %w", name, err)
		}
		if newer(needed, tag) {
			tag = needed
		}
	}
	return tag, nil
}

// newer reports whether a tag is for a newer glibc.
func newer(tag, than string) bool {
	var a, b int
	_, errA := fmt.Sscanf(tag, "manylinux_2_%d_", &a)
	_, errB := fmt.Sscanf(than, "manylinux_2_%d_", &b)
	return errA == nil && errB == nil && a > b
}

// served says in the metadata of a wheel which Pythons it serves: those of the selfsame-ffi that is in it, or, with a nil bundle, those
// for which there is one for the target.
func (p *project) served(m *wheel.Metadata, to target.Target, b *bundle.Bundle) (err error) {
	switch {
	case b != nil:
		standsAlone(m)
		if m.Python, err = b.Serves().Within(m.Python); err != nil {
			return fmt.Errorf("--bundle: %w; widen it, or give a folder with wheels of selfsame-ffi for others: --bundle=FOLDER", err)
		}
	case p.runtime == python.Selfsame:
		if m.Python, err = to.Pythons().Within(m.Python); err != nil {
			return fmt.Errorf("a wheel for %s: %w; widen it, or leave this platform out", to.Platform(), err)
		}
	}
	return nil
}

// standsAlone changes the metadata of a wheel that has selfsame-ffi in it: it requires none.
func standsAlone(m *wheel.Metadata) {
	var others []string
	for _, r := range m.Requires {
		if !strings.HasPrefix(wheel.Escaped(r), "selfsame_ffi") {
			others = append(others, r)
		}
	}
	m.Requires = others
}
