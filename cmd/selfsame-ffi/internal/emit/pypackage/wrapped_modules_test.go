package pypackage

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/wrap/form"
	"github.com/selfsame-ffi/selfsame/internal/testenv"
)

// Python's hint at a name that was perhaps meant needs the name and the module, which lists the names.
//
// Requirement: D5
func TestAModuleOfAWrappedPackageSaysWhichNameItLacks(t *testing.T) {
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("python3 is not installed")
	}
	plan := &form.Plan{Submodules: []*form.Submodule{{Name: "url", Path: "net/url", Names: [][2]string{{"parse", "url_parse"}}}}}
	dir := t.TempDir()
	shop := filepath.Join(dir, "shop")
	testenv.OK(t, os.Mkdir(shop, 0o700))
	testenv.OK(t, os.WriteFile(filepath.Join(shop, "__init__.py"), []byte("url_parse = 3\n"), 0o600))
	for _, file := range Submodules(plan) {
		testenv.OK(t, os.WriteFile(filepath.Join(shop, file.Name), file.Text, 0o600))
	}
	cmd := exec.Command("python3", "-c", `
from shop import url
try:
    url.pars
except AttributeError as error:
    print(error, error.name, error.obj is url, dir(url), url.parse)
`)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if want := "module 'shop.url' has no attribute 'pars' pars True ['parse'] 3\n"; err != nil || string(out) != want {
		t.Errorf("%v\n%s", err, out)
	}
}
