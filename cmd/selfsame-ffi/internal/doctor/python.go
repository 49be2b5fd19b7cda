package doctor

import (
	"encoding/json"
	"os"
	"path/filepath"
)

// runtimeInfo is what the Python package says about itself.
type runtimeInfo struct {
	Python  []int  `json:"python"`
	Version string `json:"version"`
	ABI     []int  `json:"abi"`
	Library string `json:"library"`
	Include string `json:"include"`
	Error   string `json:"error"`

	Packages packages `json:"packages"`
}

const question = `
import json, sys
found = {"python": sys.version_info[:3]}
try:
    import selfsame_ffi
    from selfsame_ffi import _core, libinfo
    found["version"] = selfsame_ffi.__version__
    found["abi"] = _core.abi_version()
    found["library"] = libinfo.find_libtvm_ffi()
    try:
        found["include"] = libinfo.find_include_path()
    except Exception:
        found["include"] = ""
except ModuleNotFoundError as error:
    found["error"] = "missing" if error.name == "selfsame_ffi" else str(error)
except Exception as error:
    found["error"] = f"{type(error).__name__}: {error}"
`

// interpreter examines the Python and the package selfsame_ffi in it.
func (e *examination) interpreter() {
	if e.Python == "" {
		e.add("Python", Problem, "install Python 3.9 or later (Debian: apt-get install python3 python3-venv), or set SELFSAME_PYTHON to one",
			"no interpreter was found in PATH")
		return
	}
	out, failure := e.output("", e.Python, "-c", question+packagesQuestion+"print(json.dumps(found))")
	var r runtimeInfo
	if failure != "" || json.Unmarshal([]byte(out), &r) != nil || len(r.Python) != 3 {
		e.add("Python", Problem, "choose another with --python", "%s does not run: %s", e.Python, failure)
		return
	}
	if r.Python[0] != 3 || r.Python[1] < 9 {
		e.add("Python", Problem, "choose Python 3.9 or later with --python", "%s is Python %d.%d", e.Python, r.Python[0], r.Python[1])
		return
	}
	e.add("Python", OK, "", "%d.%d.%d (%s)", r.Python[0], r.Python[1], r.Python[2], e.Python)

	defer e.environment(r.Packages)
	const check = "selfsame_ffi"
	install := "run `" + e.Python + " -m pip install --upgrade " + e.distribution() + "`"
	switch {
	case r.Error == "missing":
		e.add(check, Problem, install, "this Python does not have it")
		return
	case r.Error != "":
		e.add(check, Problem, install, "it cannot be imported: %s", r.Error)
		return
	case r.Version != e.Release:
		e.add(check, Problem, install, "this Python has version %s, and this tool is of %s", r.Version, e.Release)
	case version(r.ABI) != e.ABI:
		e.add(check, Problem, install, "its runtime has the C ABI %s, and this tool is made for %s", version(r.ABI), e.ABI)
	default:
		e.add(check, OK, "", "%s, C ABI %s (%s)", r.Version, version(r.ABI), r.Library)
	}
	e.runtime = &r
	e.headers(r.Include)
}

// headers looks for those of C++ programs.
func (e *examination) headers(include string) {
	for _, name := range []string{"selfsame/c_api.h", "tvm/ffi/c_api.h"} {
		if _, err := os.Stat(filepath.Join(include, filepath.FromSlash(name))); include == "" || err != nil {
			e.add("C++ headers", Warning, "install a wheel of selfsame-ffi to compile C++ programs; Go packages do not need the headers",
				"%s was not found", name)
			return
		}
	}
	e.add("C++ headers", OK, "", "%s", include)
}
