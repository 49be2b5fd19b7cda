// Package wheel writes a Python package into a wheel, the same bytes for the same content.
package wheel

import (
	"archive/zip"
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/escape"
)

// File is one file of the package, with its path below site-packages.
type File struct {
	Path       string
	Content    []byte
	Executable bool
}

// Wheel is what goes into one wheel.
type Wheel struct {
	Metadata Metadata
	Platform string // the platform tag, such as manylinux_2_28_x86_64
	Files    []File
}

// Metadata describes the distribution.
type Metadata struct {
	Name        string // of the distribution, as users install it
	Version     string
	Summary     string
	Python      string      // the versions of Python, such as >=3.10; "": all for which there is a runtime
	Requires    []string    // distributions with versions, such as selfsame-ffi>=0.1.0
	Description string      // the README
	ContentType string      // of the README; "": Markdown
	EntryPoints string      // the text of entry_points.txt
	Further     [][2]string // further fields and their values
	License     []byte      // the text of LICENSE, nil for none
	Licenses    []File      // further licence texts, with paths below the folder of licences
}

// Generator is written into the wheel as the program that made it.
const Generator = "selfsame-ffi"

// The date of every file in a wheel, the first that a zip archive can have.
var epoch = time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)

var separators = regexp.MustCompile(`[-_.]+`)

// Escaped returns the distribution's name in file names.
func Escaped(name string) string { return strings.ToLower(separators.ReplaceAllString(name, "_")) }

var distributionName = regexp.MustCompile(`^([A-Za-z0-9]|[A-Za-z0-9][A-Za-z0-9._-]*[A-Za-z0-9])$`)

// IsName reports whether a distribution can have the name.
func IsName(name string) bool { return distributionName.MatchString(name) }

// NameFor returns the name of the distribution of a Python package: its own, without what a distribution's name cannot end with, as
// in lambda_.
func NameFor(pkg string) string { return strings.TrimRight(pkg, "_") }

// Tag returns the compatibility tag: any Python 3, no use of Python's binary interface, one platform.
func (w *Wheel) Tag() string { return "py3-none-" + w.Platform }

// FileName returns the name that the wheel must have.
func (w *Wheel) FileName() string {
	return fmt.Sprintf("%s-%s-%s.whl", Escaped(w.Metadata.Name), w.Metadata.Version, w.Tag())
}

// InfoFolder returns the folder of the distribution's metadata.
func (m Metadata) InfoFolder() string {
	return fmt.Sprintf("%s-%s.dist-info", Escaped(m.Name), m.Version)
}

// Add adds a field, unless its value is "".
func (m *Metadata) Add(field, value string) {
	if value != "" {
		m.Further = append(m.Further, [2]string{field, value})
	}
}

// Text returns the content of the file METADATA.
func (m Metadata) Text() []byte {
	var b bytes.Buffer
	field := func(name, value string) {
		if value != "" {
			fmt.Fprintf(&b, "%s: %s\n", name, strings.Join(strings.Fields(value), " "))
		}
	}
	field("Metadata-Version", "2.4")
	field("Name", m.Name)
	field("Version", m.Version)
	field("Summary", escape.TerminalLine(strings.Join(strings.Fields(m.Summary), " ")))
	field("Requires-Python", cmp.Or(m.Python, ">=3.9"))
	for _, r := range m.Requires {
		field("Requires-Dist", r)
	}
	for _, f := range m.Further {
		field(f[0], f[1])
	}
	if m.License != nil {
		field("License-File", "LICENSE")
	}
	for _, f := range m.Licenses {
		field("License-File", f.Path)
	}
	if m.Description != "" {
		field("Description-Content-Type", cmp.Or(m.ContentType, "text/markdown"))
		fmt.Fprintf(&b, "\n%s", m.Description)
	}
	return b.Bytes()
}

// Record returns a line of the file RECORD.
func Record(file string, content []byte) string {
	sum := sha256.Sum256(content)
	return fmt.Sprintf("%s,sha256=%s,%d\n", quoted(file), base64.RawURLEncoding.EncodeToString(sum[:]), len(content))
}

// quoted returns a path as a field of a CSV file.
func quoted(file string) string {
	if !strings.ContainsAny(file, "\",\n") {
		return file
	}
	return `"` + strings.ReplaceAll(file, `"`, `""`) + `"`
}

// Info returns the files of the wheel's folder of metadata, but for RECORD.
func (w *Wheel) Info() []File {
	info := w.Metadata.InfoFolder()
	files := []File{
		{Path: path.Join(info, "METADATA"), Content: w.Metadata.Text()},
		{Path: path.Join(info, "WHEEL"), Content: fmt.Appendf(nil,
			"Wheel-Version: 1.0\nGenerator: %s\nRoot-Is-Purelib: false\nTag: %s\n", Generator, w.Tag())},
	}
	if w.Metadata.EntryPoints != "" {
		files = append(files, File{Path: path.Join(info, "entry_points.txt"), Content: []byte(w.Metadata.EntryPoints)})
	}
	if w.Metadata.License != nil {
		files = append(files, File{Path: path.Join(info, "licenses", "LICENSE"), Content: w.Metadata.License})
	}
	for _, f := range w.Metadata.Licenses {
		files = append(files, File{Path: path.Join(info, "licenses", f.Path), Content: f.Content})
	}
	return files
}

// Bytes returns the content of the wheel: the package's files in the order of their paths, then the metadata, RECORD
// last.
func (w *Wheel) Bytes() ([]byte, error) {
	info := w.Metadata.InfoFolder()
	files := slices.Clone(w.Files)
	slices.SortFunc(files, func(a, b File) int { return strings.Compare(a.Path, b.Path) })
	files = append(files, w.Info()...)
	var record strings.Builder
	for _, f := range files {
		record.WriteString(Record(f.Path, f.Content))
	}
	own := path.Join(info, "RECORD")
	files = append(files, File{Path: own, Content: []byte(record.String() + quoted(own) + ",,\n")})

	var b bytes.Buffer
	archive := zip.NewWriter(&b)
	for _, f := range files {
		header := &zip.FileHeader{Name: f.Path, Method: zip.Deflate, Modified: epoch}
		mode := os.FileMode(0o644)
		if f.Executable {
			mode = 0o755
		}
		header.SetMode(mode)
		out, err := archive.CreateHeader(header)
		if err != nil {
			return nil, err
		}
		if _, err := out.Write(f.Content); err != nil {
			return nil, err
		}
	}
	if err := archive.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}
