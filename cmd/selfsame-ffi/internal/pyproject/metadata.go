package pyproject

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/wheel"
)

// Fill puts what the file says of the distribution into its metadata, in the place of what the Go package says.
func (f *File) Fill(m *wheel.Metadata) error {
	p := f.Project
	m.Name = p.Name
	m.Summary = cmp.Or(p.Description, m.Summary)
	m.Python = p.Python
	m.Requires = requirements(m.Requires, p.Dependencies)
	if err := f.readme(m); err != nil {
		return fmt.Errorf("project.readme: %w", err)
	}
	if err := f.license(m); err != nil {
		return fmt.Errorf("project.license: %w", err)
	}
	people(m, "Author", p.Authors)
	people(m, "Maintainer", p.Maintainers)
	m.Add("Keywords", strings.Join(p.Keywords, ","))
	for _, c := range p.Classifiers {
		m.Add("Classifier", c)
	}
	for _, label := range slices.Sorted(maps.Keys(p.URLs)) {
		m.Add("Project-URL", label+", "+p.URLs[label])
	}
	for _, extra := range slices.Sorted(maps.Keys(p.Optional)) {
		m.Add("Provides-Extra", extra)
		for _, r := range p.Optional[extra] {
			m.Add("Requires-Dist", marked(r, extra))
		}
	}
	m.EntryPoints = p.entryPoints()
	return nil
}

var distribution = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]*`)

// requirements returns the requirements of the user, and before them those of the build that the user does not give.
func requirements(build, user []string) []string {
	named := func(r string) string { return wheel.Escaped(distribution.FindString(r)) }
	var all []string
	for _, r := range build {
		if !slices.ContainsFunc(user, func(u string) bool { return named(u) == named(r) }) {
			all = append(all, r)
		}
	}
	return append(all, user...)
}

// marked returns a requirement of an extra.
func marked(requirement, extra string) string {
	condition := fmt.Sprintf("extra == %q", extra)
	if needs, marker, ok := strings.Cut(requirement, ";"); ok {
		return fmt.Sprintf("%s; (%s) and %s", strings.TrimSpace(needs), strings.TrimSpace(marker), condition)
	}
	return requirement + "; " + condition
}

// people adds the fields of authors or maintainers.
func people(m *wheel.Metadata, field string, list []person) {
	var names, mails []string
	for _, p := range list {
		switch {
		case p.Email == "":
			names = append(names, p.Name)
		case p.Name == "":
			mails = append(mails, p.Email)
		default:
			mails = append(mails, fmt.Sprintf("%s <%s>", p.Name, p.Email))
		}
	}
	m.Add(field, strings.Join(names, ", "))
	m.Add(field+"-email", strings.Join(mails, ", "))
}

// contentTypes are those of READMEs by their suffixes.
var contentTypes = map[string]string{".md": "text/markdown", ".rst": "text/x-rst", ".txt": "text/plain"}

// readme reads the description: a file, or a table with a file or a text.
func (f *File) readme(m *wheel.Metadata) error {
	file, kind := "", ""
	switch r := f.Project.Readme.(type) {
	case nil:
		return nil
	case string:
		file = r
	case map[string]any:
		file, _ = r["file"].(string)
		kind, _ = r["content-type"].(string)
		if text, ok := r["text"].(string); ok {
			m.Description, m.ContentType = text, kind
			return nil
		}
	}
	if file == "" {
		return fmt.Errorf("expected a file, or a table with file or text, got %v", f.Project.Readme)
	}
	text, err := os.ReadFile(filepath.Join(f.Dir, file))
	m.Description, m.ContentType = string(text), cmp.Or(kind, contentTypes[strings.ToLower(filepath.Ext(file))], "text/plain")
	return err
}

// license reads the licence: an SPDX expression, or a table with a file or a text, and the files of project.license-files.
func (f *File) license(m *wheel.Metadata) error {
	switch l := f.Project.License.(type) {
	case nil:
	case string:
		m.Add("License-Expression", l)
	case map[string]any:
		if file, ok := l["file"].(string); ok {
			text, err := os.ReadFile(filepath.Join(f.Dir, file))
			if err != nil {
				return err
			}
			m.License = text
		} else if text, ok := l["text"].(string); ok {
			m.Add("License", text)
		} else {
			return fmt.Errorf("expected an SPDX expression, or a table with file or text, got %v", l)
		}
	default:
		return fmt.Errorf("expected an SPDX expression, or a table with file or text, got %v", l)
	}
	if f.Project.LicenseFiles == nil {
		return nil
	}
	m.License = nil
	for _, pattern := range f.Project.LicenseFiles {
		if !filepath.IsLocal(filepath.FromSlash(pattern)) {
			return fmt.Errorf("project.license-files: expected patterns of files below %s, got %q", f.Dir, pattern)
		}
		found, err := filepath.Glob(filepath.Join(f.Dir, filepath.FromSlash(pattern)))
		if err != nil || len(found) == 0 {
			return fmt.Errorf("project.license-files: no file matches %q", pattern)
		}
		for _, path := range found {
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			name, err := filepath.Rel(f.Dir, path)
			if err != nil {
				return err
			}
			m.Licenses = append(m.Licenses, wheel.File{Path: filepath.ToSlash(name), Content: text})
		}
	}
	return nil
}

// entryPoints returns the text of entry_points.txt, "" for none.
func (p *Project) entryPoints() string {
	groups := maps.Clone(p.EntryPoints)
	if groups == nil {
		groups = map[string]map[string]string{}
	}
	groups["console_scripts"], groups["gui_scripts"] = p.Scripts, p.GUIScripts
	var b strings.Builder
	for _, group := range slices.Sorted(maps.Keys(groups)) {
		if len(groups[group]) == 0 {
			continue
		}
		fmt.Fprintf(&b, "[%s]\n", group)
		for _, name := range slices.Sorted(maps.Keys(groups[group])) {
			fmt.Fprintf(&b, "%s = %s\n", name, groups[group][name])
		}
		b.WriteString("\n")
	}
	return b.String()
}
