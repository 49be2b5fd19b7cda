// Package doctor finds what is missing or does not fit together on a machine, and says how to mend it.
package doctor

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/escape"
	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/gosource"
)

// Status says how serious a finding is.
type Status string

// The statuses. Only a problem makes building or importing packages impossible.
const (
	OK      Status = "ok"
	Warning Status = "warning"
	Problem Status = "problem"
)

// Finding is what one check found.
type Finding struct {
	Check  string `json:"check"`
	Status Status `json:"status"`
	Found  string `json:"found"`
	Mend   string `json:"mend,omitempty"` // what to do

	fix *command // what Fix runs
}

// command is a command that mends something.
type command struct {
	dir  string
	args []string
}

// Subject is what is examined.
type Subject struct {
	Dir     string // a folder of the user's Go module, if it is in one
	Python  string // an interpreter; empty: none was found
	Library string // path of a shared library; empty: none
	Release string // version of the tool
	Sources string // the clone that the tool was built in, "" for the tool of a release
	ABI     string // version of the C ABI that the tool was made for
}

// Examine runs the checks one after another.
func Examine(ctx context.Context, s Subject) []Finding {
	e := &examination{ctx: ctx, Subject: s}
	if e.goCommand() {
		e.cCompiler()
		e.cxxCompiler()
		e.module()
	}
	e.interpreter()
	if s.Library != "" {
		e.library()
	}
	return e.findings
}

// examination collects findings.
type examination struct {
	Subject
	ctx      context.Context
	findings []Finding
	runtime  *runtimeInfo // what the Python package says about itself, nil without one
}

func (e *examination) add(check string, status Status, mend, found string, args ...any) *Finding {
	e.findings = append(e.findings, Finding{Check: check, Status: status, Found: fmt.Sprintf(found, args...), Mend: mend})
	return &e.findings[len(e.findings)-1]
}

// distribution returns what pip installs the Python package from.
func (s Subject) distribution() string {
	if s.Sources != "" {
		return escape.Shell(s.Sources)
	}
	return "selfsame-ffi==" + s.Release
}

// requireFrontend returns the commands that give a module the frontend.
func (s Subject) requireFrontend() string {
	if s.Sources != "" {
		return "`go mod edit -require=" + gosource.FrontendPath + "@v" + s.Release + " -replace=" + gosource.FrontendPath + "=" +
			escape.Shell(s.Sources) + "` and `go mod tidy`"
	}
	return "`go get " + gosource.FrontendPath + "`"
}

// output runs a command and returns what it printed, and what it printed to standard error if it failed.
func (e *examination) output(dir, name string, args ...string) (stdout, failure string) {
	return e.outputWith(nil, dir, name, args...)
}

// outputWith does output's work with more variables in the environment.
func (e *examination) outputWith(env []string, dir, name string, args ...string) (stdout, failure string) {
	cmd := exec.CommandContext(e.ctx, name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), env...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		failure = strings.TrimSpace(errs.String())
		if failure == "" {
			failure = err.Error()
		}
	}
	return strings.TrimSpace(out.String()), failure
}

// Fix runs the commands of the findings that can be mended so, and reports each on log. It returns how many it ran.
func Fix(ctx context.Context, findings []Finding, log func(string)) (int, error) {
	ran := 0
	for i := range findings {
		f := &findings[i]
		if f.fix == nil || f.Status == OK {
			continue
		}
		cmd := exec.CommandContext(ctx, f.fix.args[0], f.fix.args[1:]...)
		cmd.Dir = f.fix.dir
		log("running " + strings.Join(f.fix.args, " "))
		if out, err := cmd.CombinedOutput(); err != nil {
			return ran, fmt.Errorf("%s: %w\n%s", strings.Join(f.fix.args, " "), err, strings.TrimSpace(string(out)))
		}
		ran++
	}
	return ran, nil
}

// Healthy reports whether there is no problem.
func Healthy(findings []Finding) bool {
	for _, f := range findings {
		if f.Status == Problem {
			return false
		}
	}
	return true
}
