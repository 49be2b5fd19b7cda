package wheel

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"golang.org/x/mod/module"
	"golang.org/x/mod/semver"
)

var (
	pythonVersion = regexp.MustCompile(`^\d+(\.\d+)*((a|b|rc)\d+)?(\.post\d+)?(\.dev\d+)?(\+[a-z0-9]+(\.[a-z0-9]+)*)?$`)
	goVersion     = regexp.MustCompile(`^v?(\d+(?:\.\d+)*)(?:[-.]?(alpha|beta|a|b|rc)[-.]?(\d+))?$`)
	describedTag  = regexp.MustCompile(`^(.*)-(\d+)-g([0-9a-f]+)(-dirty)?$`)
)

// ParseVersion returns a version as Python packages write it. It also takes the form of Go modules: v1.2.0, v1.2.0-rc.1.
func ParseVersion(text string) (string, error) {
	text = strings.TrimSpace(text)
	if m := goVersion.FindStringSubmatch(text); m != nil {
		if m[2] == "" {
			return m[1], nil
		}
		return m[1] + map[string]string{"alpha": "a", "a": "a", "beta": "b", "b": "b", "rc": "rc"}[m[2]] + m[3], nil
	}
	if pythonVersion.MatchString(text) {
		return text, nil
	}
	return "", fmt.Errorf("expected a version such as 1.2.0, 1.2.0rc1 or v1.2.0, got %q", text)
}

// GoVersion returns the version of a Go module as Python packages write it. A pseudo-version is a development version of the one
// that would come next, and its date orders it among others: v1.2.4-0.20250102030405-0123456789ab is 1.2.4.dev20250102030405.
// A pre-release that Python has no word for is the first development version of the release.
func GoVersion(version string) (string, error) {
	plain := strings.TrimSuffix(version, "+incompatible")
	if module.IsPseudoVersion(plain) {
		base, errBase := module.PseudoVersionBase(plain)
		at, errTime := module.PseudoVersionTime(plain)
		if err := errors.Join(errBase, errTime); err != nil {
			return "", err
		}
		release := Unknown
		if base != "" {
			parsed, err := GoVersion(base)
			if err != nil {
				return "", err
			}
			release = next(parsed)
		} else if major := semver.Major(plain); major != "v0" {
			release = strings.TrimPrefix(major, "v") + ".0.0"
		}
		return release + ".dev" + at.Format("20060102150405"), nil
	}
	if parsed, err := ParseVersion(plain); err == nil {
		return parsed, nil
	}
	if !semver.IsValid(plain) {
		return "", fmt.Errorf("expected the version of a Go module, got %q", version)
	}
	release, _, _ := strings.Cut(strings.TrimPrefix(semver.Canonical(plain), "v"), "-")
	return release + ".dev0", nil
}

// Unknown is the version of a package for which FindVersion finds none.
const Unknown = "0.0.0"

// ErrNoVersion says that neither a file nor a tag has a version.
var ErrNoVersion = errors.New("no version was found: give one with --version, write one into a file VERSION beside go.mod, " +
	"or tag the commit (git tag v0.1.0)")

// FindVersion returns the version of the Go module in the folder module, for the package in the folder dir. A file
// VERSION in dir or in module gives it, else the newest git tag for the module: v1.2.0, or sub/v1.2.0 for a module in a
// folder sub of its repository. A commit after the tag, or changed files, make it a development version of the next
// one. ErrNoVersion without any.
func FindVersion(ctx context.Context, dir, module string) (string, error) {
	for _, folder := range []string{dir, module} {
		file := filepath.Join(folder, "VERSION")
		text, err := os.ReadFile(file)
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		if err != nil {
			return "", err
		}
		version, err := ParseVersion(string(text))
		if err != nil {
			return "", fmt.Errorf("%s: %w", file, err)
		}
		return version, nil
	}
	return tagged(ctx, module)
}

// tagged returns the version of the newest git tag.
func tagged(ctx context.Context, module string) (string, error) {
	git := func(args ...string) (string, error) {
		cmd := exec.CommandContext(ctx, "git", args...)
		cmd.Dir = module
		out, err := cmd.Output()
		return strings.TrimSpace(string(out)), err
	}
	prefix, err := git("rev-parse", "--show-prefix") // the module's folder in the repository
	if err != nil {
		return "", ErrNoVersion // no repository, or no git
	}
	described, err := git("describe", "--tags", "--long", "--dirty", "--abbrev=9", "--match", prefix+"v[0-9]*")
	if err != nil {
		return "", ErrNoVersion
	}
	m := describedTag.FindStringSubmatch(described)
	if m == nil {
		return "", ErrNoVersion
	}
	version, err := ParseVersion(strings.TrimPrefix(m[1], prefix))
	if err != nil {
		return "", fmt.Errorf("git tag %s: %w", m[1], err)
	}
	commits, hash, dirty := m[2], m[3], m[4] != ""
	if commits == "0" && !dirty {
		return version, nil
	}
	local := "+g" + hash
	if dirty {
		local += ".dirty"
	}
	return next(version) + ".dev" + commits + local, nil
}

var lastNumber = regexp.MustCompile(`\d+$`)

// next raises the last number of a version, whose development versions come after the version itself.
func next(version string) string {
	return lastNumber.ReplaceAllStringFunc(version, func(number string) string {
		n, err := strconv.Atoi(number)
		if err != nil {
			return number
		}
		return strconv.Itoa(n + 1)
	})
}
