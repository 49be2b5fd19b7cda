package doctor

import (
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// packages is what the environment has of packages that act on ours or on one another, by their names.
type packages struct {
	Versions map[string]string `json:"versions"`
	Needs    []need            `json:"needs"`    // what they require of tvm-ffi
	Excluded [][2]int          `json:"excluded"` // two of Needs that no release of tvm-ffi serves

	SlowTorch bool `json:"slow_torch"` // PyTorch without the C exchange, and nothing that adds it
}

// need is a package's requirement on tvm-ffi.
type need struct {
	Name, Version, Specifier string
	Met                      bool // by the tvm-ffi that is installed, or none is
}

// packagesQuestion adds the packages to what `question` finds. Versions are compared by the package that pip does it with.
const packagesQuestion = `
def packages():
    import itertools, re
    from importlib import metadata
    try:
        from packaging import requirements, version
    except ImportError:
        from pip._vendor.packaging import requirements, version
    known = {re.sub("[-_.]+", "-", d.metadata["Name"] or "").lower(): d for d in metadata.distributions()}
    named = "apache-tvm", "apache-tvm-ffi", "memray", "torch"
    installed = known["apache-tvm-ffi"].version if "apache-tvm-ffi" in known else None
    needs, specifiers = [], []
    for name, found in sorted(known.items()):
        for text in found.requires or ():
            if not re.match(r"apache[-_.]tvm[-_.]ffi\b(?![-_.])", text, re.I):
                continue
            wanted = requirements.Requirement(text)
            if wanted.marker is None or wanted.marker.evaluate({"extra": ""}):
                met = installed is None or wanted.specifier.contains(installed, prereleases=True)
                needs.append({"Name": name, "Version": found.version, "Specifier": str(wanted.specifier), "Met": met})
                specifiers.append(wanted.specifier)
    bounds = {version.Version(one.version.removesuffix(".*")) for many in specifiers for one in many}
    tried = [text for v in bounds for text in (str(v), f"{v.base_version}.post999", f"{v.base_version}.1")]
    both = lambda a, b: any(a.contains(v, prereleases=True) and b.contains(v, prereleases=True) for v in tried)
    excluded = [[i, k] for (i, a), (k, b) in itertools.combinations(enumerate(specifiers), 2) if tried and not both(a, b)]
    slow = "torch" in known and "torch-c-dlpack-ext" not in known
    if slow:  # not imported: that takes seconds
        slow = "__dlpack_c_exchange_api__" not in known["torch"].locate_file("torch/_tensor.py").read_text()
    versions = {name: known[name].version for name in named if name in known}
    return {"versions": versions, "needs": needs, "excluded": excluded, "slow_torch": slow}
try:
    found["packages"] = packages()
except Exception:  # an environment without pip, or with broken metadata
    pass
`

// instead is what serves where the published tvm-ffi does not.
const instead = "call selfsame_ffi.install_as_tvm_ffi() before the first `import tvm_ffi` (docs/from-tvm-ffi.md)"

// environment examines the packages beside ours.
func (e *examination) environment(p packages) {
	for _, pair := range p.Excluded {
		a, b := p.Needs[pair[0]], p.Needs[pair[1]]
		e.add("packages", Warning, "keep one of the two in this environment, or install one with --no-deps and "+instead, "%s %s requires apache-tvm-ffi%s and %s %s requires "+
			"apache-tvm-ffi%s: no release serves both", a.Name, a.Version, a.Specifier, b.Name, b.Version, b.Specifier)
	}
	runtime := p.Versions["apache-tvm-ffi"]
	for _, n := range p.Needs {
		if !n.Met {
			e.add("packages", Warning, "run `"+e.Python+" -m pip install 'apache-tvm-ffi"+n.Specifier+"'`",
				"%s %s requires apache-tvm-ffi%s, and this Python has %s", n.Name, n.Version, n.Specifier, runtime)
		}
	}
	if tvm := p.Versions["apache-tvm"]; runtime != "" && !earlier(tvm, 0, 27) && !earlier(runtime, 0, 1, 15) {
		e.add("apache-tvm-ffi", Warning, instead+": selfsame copies and pickles them",
			"copy.copy and pickle of an expression of apache-tvm %s end the process on apache-tvm-ffi %s", tvm, runtime)
	}
	if p.SlowTorch {
		e.add("torch", Warning, "install a later torch, or torch-c-dlpack-ext and call selfsame_ffi._optional_torch_c_dlpack."+
			"load_torch_c_dlpack_extension()", "torch %s has no C exchange of tensors: each goes through __dlpack__, and results "+
			"come as Tensors", p.Versions["torch"])
	}
	if memray := p.Versions["memray"]; memray != "" {
		e.add("memray", Warning, "compare the resident memory, or selfsame_ffi.debug.report()",
			"memray %s counts address space that Go reserves and never touches: its peak with a Go package says nothing", memray)
	}
}

// earlier reports whether a version is there and before the given one.
func earlier(text string, than ...int) bool {
	var numbers []int
	for part := range strings.SplitSeq(text, ".") {
		n, err := strconv.Atoi(part)
		if err != nil {
			break
		}
		numbers = append(numbers, n)
	}
	return text != "" && slices.Compare(numbers, than) < 0
}

// clone examines whether the go command can ask git about the clone that the folder lies in. It stamps what it builds.
func (e *examination) clone(root string) {
	_, failure := e.output(root, "git", "rev-parse", "--is-inside-work-tree")
	if !strings.Contains(failure, "dubious ownership") {
		return
	}
	e.add("Go module", Warning, "run `git config --global --add safe.directory "+filepath.ToSlash(root)+"`, or set GOFLAGS=-buildvcs=false",
		"the clone that %s lies in belongs to another user: `go build` and `go test` end with \"error obtaining VCS status\"; "+
			"selfsame-ffi does not ask git", root)
}
