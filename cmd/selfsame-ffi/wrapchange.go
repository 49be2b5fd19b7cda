package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/apichange"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/escape"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/whole"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/wrap"
)

// interfaceFile has the interface of the Python package as the last run of wrap built it.
const interfaceFile = "interface.json"

// builtInterface is the content of that file.
type builtInterface struct {
	Version string              `json:"version"`
	Names   apichange.Interface `json:"names"`
}

// compare says how the interface differs from that of the last run, which version that asks for, and adds it to CHANGELOG.md.
func (o *wrapOptions) compare(now apichange.Interface, log io.Writer) error {
	version, err := os.ReadFile(filepath.Join(o.Dir, wrap.VersionFile))
	if err != nil {
		return err
	}
	built := builtInterface{Version: strings.TrimSpace(string(version)), Names: now}
	last, err := o.lastBuilt()
	if err == nil && last.Names != nil {
		err = o.report(apichange.Compare(last.Names, now), last.Version, built.Version, log)
	}
	if err != nil {
		return err
	}
	text, err := json.MarshalIndent(built, "", " ")
	if err != nil {
		return err
	}
	return whole.File(filepath.Join(o.Dir, interfaceFile), append(text, '\n'), 0o644)
}

// lastBuilt reads that file; without it the result is empty.
func (o *wrapOptions) lastBuilt() (last builtInterface, err error) {
	file := filepath.Join(o.Dir, interfaceFile)
	text, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) || err == nil && len(text) == 0 {
		return last, nil
	}
	if err == nil {
		if err = json.Unmarshal(text, &last); err != nil {
			err = fmt.Errorf("%s: %w; remove it, and the next run begins a new one", file, err)
		}
	}
	return last, err
}

// report prints changes and writes them into the changelog.
func (o *wrapOptions) report(changes []apichange.Change, last, version string, log io.Writer) error {
	if len(changes) == 0 {
		return nil
	}
	fmt.Fprintf(log, "What changes for users since %s:\n", escape.TerminalLine(last))
	shown := map[apichange.Level]int{}
	for _, c := range changes {
		if shown[c.Level]++; shown[c.Level] <= wrap.MostNames {
			fmt.Fprintf(log, "  %s: %s\n", c.Level, escape.TerminalLine(c.Text))
		}
	}
	for level := apichange.Breaking; level >= apichange.Documentation; level-- {
		if more := shown[level] - wrap.MostNames; more > 0 {
			fmt.Fprintf(log, "  %s: %d more, which CHANGELOG.md has\n", level, more)
		}
	}
	gravest := apichange.Gravest(changes)
	wanted := apichange.Next(last, gravest)
	if apichange.Less(version, wanted) {
		otherwise := "the next release breaks what users expect of it"
		if gravest == apichange.Documentation {
			otherwise = "pip takes it for the one that users have"
		}
		fmt.Fprintf(log, "That asks for version %s or later, and %s says %s: write the new version there, or %s.\n",
			wanted, filepath.Join(o.Dir, wrap.VersionFile), escape.TerminalLine(version), otherwise)
		version = wanted
	}
	file := filepath.Join(o.Dir, "CHANGELOG.md")
	text, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return whole.File(file, []byte(apichange.Changelog(string(text), version, changes)), 0o644)
}
