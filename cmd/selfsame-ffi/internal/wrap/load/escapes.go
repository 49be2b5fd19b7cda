package load

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// probeFolder is a folder of the module that there is only for the compiler.
const probeFolder = "selfsame_probe"

var saidOfProbe = regexp.MustCompile(`(?m)probe\.go:(\d+):\d+: (.*)$`)

// Escapes has the compiler read a file of package probe, and returns what it says of each line: what becomes of the parameters of its
// funcs. failed: the file has errors, and only they are told. Nothing is told where the compiler cannot be asked.
func (w *World) Escapes(source string) (lines map[int][]string, failed bool) {
	if w.list == nil { // a world of one package's types alone
		return nil, false
	}
	folder, err := os.MkdirTemp("", "selfsame-probe-")
	if err != nil {
		return nil, false
	}
	defer os.RemoveAll(folder)
	cmd := w.list("-f", "{{with .Error}}failed{{end}}{{with .DepsErrors}}failed{{end}}",
		"-gcflags=-m -e -d=escapemutationscalls=1", "-overlay="+filepath.Join(folder, "overlay.json"), "./"+probeFolder)
	within, err := filepath.Abs(cmd.Dir)
	if err != nil {
		return nil, false
	}
	probe := filepath.Join(folder, "probe.go")
	overlay, err := json.Marshal(map[string]any{"Replace": map[string]string{filepath.Join(within, probeFolder, "probe.go"): probe}})
	if err != nil || os.WriteFile(probe, []byte(source), 0o600) != nil ||
		os.WriteFile(filepath.Join(folder, "overlay.json"), overlay, 0o600) != nil {
		return nil, false
	}
	var out, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &said
	if cmd.Run() != nil {
		return nil, false
	}
	lines = map[int][]string{}
	for _, found := range saidOfProbe.FindAllStringSubmatch(said.String(), -1) {
		line, _ := strconv.Atoi(found[1])
		lines[line] = append(lines[line], found[2])
	}
	return lines, strings.Contains(out.String(), "failed")
}
