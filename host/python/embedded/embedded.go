// Package embedded brings a CPython along in the program itself, with packages, so that a machine needs nothing of Python to
// build the program or to run it:
//
//	//go:generate selfsame-ffi pack numpy -o pypackages
//
//	py, err := embedded.Python{Packages: pypackages.Zip}.Start()
//
// The interpreter is CPython 3.14 from the Go module github.com/kluctl/go-embed-python. The first start unpacks it and the
// packages into the user's cache; later starts, also of other programs, use what lies there. The interpreter ignores the
// variables of Python's environment and packages of the user.
package embedded

import (
	"archive/zip"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/kluctl/go-embed-python/embed_util"
	cpython "github.com/kluctl/go-embed-python/python"
	"github.com/selfsame-ffi/selfsame"
	"github.com/selfsame-ffi/selfsame/host/python"
)

// Python is what a program brings along.
type Python struct {
	// Packages is the variable Zip of a package that selfsame-ffi pack wrote: selfsame_ffi and what else the program imports.
	Packages string
	// Folder is where both are unpacked; empty for selfsame-python in the user's cache (see [os.UserCacheDir]). Who can
	// write there decides what the program runs.
	Folder string
}

// libraries are the names of CPython's shared library.
var libraries = map[string]string{"linux": "libpython3.14.so.1.0", "darwin": "libpython3.14.dylib"}

// Start unpacks what is not there yet and starts Python, as [python.Start] does. The options go before those of
// [Python.Unpack]. It fails as both do.
func (p Python) Start(options ...python.Option) (*python.Interpreter, error) {
	own, err := p.Unpack()
	if err != nil {
		return nil, err
	}
	return python.Start(append(own, options...)...)
}

// Unpack unpacks the interpreter and the packages, unless they are there, and returns the options that name them. A lock
// keeps processes that do so at the same time apart. A file that is missing or has another size is written again. The folder
// of the packages carries a digest of their contents. Unpack fails with a RuntimeError where there is no folder for a cache or
// no such interpreter for the system, with a ValueError for packages that are no archive, and with the error of a file that it
// cannot write.
func (p Python) Unpack() ([]python.Option, error) {
	library, ok := libraries[runtime.GOOS]
	if !ok {
		return nil, selfsame.Errorf("RuntimeError", "embedded: Unpack: expected Linux or macOS, got %s", runtime.GOOS)
	}
	folder := p.Folder
	if folder == "" {
		cache, err := os.UserCacheDir()
		if err != nil {
			return nil, selfsame.Errorf("RuntimeError", "embedded: Unpack: no folder for a cache: %w; set XDG_CACHE_HOME, or Folder", err)
		}
		folder = filepath.Join(cache, "selfsame-python")
	}
	folder, err := filepath.Abs(folder)
	if err != nil {
		return nil, fmt.Errorf("embedded: Unpack: %w", err)
	}
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, fmt.Errorf("embedded: Unpack: %w", err)
	}
	interpreter, err := cpython.NewEmbeddedPythonWithTmpDir(filepath.Join(folder, "cpython"), true)
	if err != nil {
		return nil, fmt.Errorf("embedded: Unpack: the interpreter: %w", err)
	}
	home := interpreter.GetExtractedPath()
	options := []python.Option{
		python.Executable(filepath.Join(home, "bin", "python3")), python.Library(filepath.Join(home, "lib", library)),
		python.Home(home), python.Isolated(),
	}
	archive, err := zip.NewReader(strings.NewReader(p.Packages), int64(len(p.Packages)))
	if err != nil {
		return nil, selfsame.Errorf("ValueError", "embedded: Unpack: Packages: expected what selfsame-ffi pack wrote, got %d bytes: %w",
			len(p.Packages), err)
	}
	packages, err := embed_util.NewEmbeddedFilesWithTmpDir(archive, filepath.Join(folder, "packages-"+digest(archive)), false)
	if err != nil {
		return nil, fmt.Errorf("embedded: Unpack: the packages: %w", err)
	}
	folder = packages.GetExtractedPath()
	system, err := filepath.Glob(filepath.Join(folder, "system.libs", "*.so*"))
	return append(options, python.Path(folder), python.Preload(system...)), err
}

// digest returns a digest of the contents of an archive: of its list, which has a checksum of each file.
func digest(archive *zip.Reader) string {
	sum := sha256.New()
	for _, file := range archive.File {
		_, _ = fmt.Fprintf(sum, "%q %o %d %d\n", file.Name, file.Mode(), file.UncompressedSize64, file.CRC32)
	}
	return hex.EncodeToString(sum.Sum(nil)[:16])
}
