#!/bin/sh
# A template of Go passes the number 300 to a func(int8) as 44, without an error; so do goja, jet and liquid, and cast.ToInt8E.
#
# Versions: Go 1.26.8, goja 2026-09-17 (793a2a65c13b), CloudyKit/jet 6.3.3, osteele/liquid 1.6.0, flosch/pongo2 6.0.0, spf13/cast 1.10.0
#
# Expected: an engine that calls a Go func by reflection refuses a number that the parameter cannot hold. The functions of cast whose
# names end in E return an error.
#
# Seen: text/template checks a fraction, and not the range of a constant, while it refuses a variable of another type. goja makes 1
# of 1.9, and 0 of a text in a []int. cast refuses -1 for a uint8 and takes 300; it reads "010" as 8 and "1.9" as 1. Only pongo2
# wants the exact type.
. "$(dirname "$0")/parts/begin.sh"
go_is 1.26.8
python_for "3.14 3.13 3.12 3.11 3.10 3.9"
go_module numbers 1.26
cat >main.go <<'G'
package main

import (
	"bytes"
	"fmt"
	"text/template"

	"github.com/CloudyKit/jet/v6"
	"github.com/dop251/goja"
	"github.com/flosch/pongo2/v6"
	"github.com/osteele/liquid"
	"github.com/spf13/cast"
)

func small(n int8) int8  { return n }
func whole(n int) int    { return n }
func all(n []int) string { return fmt.Sprint(n) }

func inTemplate(text string) (any, error) {
	made, err := template.New("").Funcs(template.FuncMap{"small": small, "whole": whole}).Parse(text)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	err = made.Execute(&out, 300)
	return out.String(), err
}

func inGoja(text string) (any, error) {
	vm := goja.New()
	vm.Set("small", small)
	vm.Set("whole", whole)
	vm.Set("all", all)
	return vm.RunString(text)
}

func inJet(text string) (any, error) {
	loader := jet.NewInMemLoader()
	loader.Set("/t", text)
	set := jet.NewSet(loader)
	set.AddGlobal("small", small)
	set.AddGlobal("whole", whole)
	made, err := set.GetTemplate("t")
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	err = made.Execute(&out, nil, nil)
	return out.String(), err
}

func inLiquid(text string) (any, error) {
	engine := liquid.NewEngine()
	engine.RegisterFilter("small", small)
	engine.RegisterFilter("whole", whole)
	return engine.ParseAndRenderString(text, nil)
}

func inPongo(text string) (any, error) {
	made, err := pongo2.FromString(text)
	if err != nil {
		return nil, err
	}
	return made.Execute(pongo2.Context{"small": small, "whole": whole})
}

func show(name string, value any, err error) {
	if err != nil {
		value = "error"
	}
	fmt.Printf("%s|%v\n", name, value)
}

func main() {
	for _, c := range []struct {
		name string
		run  func(string) (any, error)
		text string
	}{
		{"template, 300", inTemplate, "{{ small 300 }}"}, {"template, a variable", inTemplate, "{{ small . }}"},
		{"template, 1.9", inTemplate, "{{ whole 1.9 }}"},
		{"goja, 300", inGoja, "small(300)"}, {"goja, 1.9", inGoja, "whole(1.9)"}, {"goja, texts", inGoja, "all([1.5, 'x', null])"},
		{"jet, 300", inJet, "{{ small(300) }}"}, {"jet, 1.9", inJet, "{{ whole(1.9) }}"},
		{"liquid, 300", inLiquid, "{{ 300 | small }}"}, {"liquid, 1.9", inLiquid, "{{ 1.9 | whole }}"},
		{"pongo2, 300", inPongo, "{{ small(300) }}"}, {"pongo2, 1.9", inPongo, "{{ whole(1.9) }}"},
	} {
		value, err := c.run(c.text)
		show(c.name, value, err)
	}
	i8, err := cast.ToInt8E(300)
	show("cast, 300", i8, err)
	u8, err := cast.ToUint8E(300)
	show("cast, 300 unsigned", u8, err)
	u8, err = cast.ToUint8E(-1)
	show("cast, -1 unsigned", u8, err)
	for _, text := range []string{"010", "08", "1.9"} {
		n, err := cast.ToIntE(text)
		show("cast, "+text, n, err)
	}
}
G
go get github.com/dop251/goja@v0.0.0-20260917113740-793a2a65c13b github.com/CloudyKit/jet/v6@v6.3.3 github.com/osteele/liquid@v1.6.0 \
  github.com/flosch/pongo2/v6@v6.0.0 github.com/spf13/cast@v1.10.0 2>log || missing "Go modules: $(cat log)"
go run . >written
"$python" - <<'P'
from seen import end, seen

values = dict(line.rstrip("\n").split("|") for line in open("written"))
for name, value in (
    ("template, 300", "44"), ("template, a variable", "error"), ("template, 1.9", "error"),
    ("goja, 300", "44"), ("goja, 1.9", "1"), ("goja, texts", "[1 0 0]"),
    ("jet, 300", "44"), ("jet, 1.9", "1"), ("liquid, 300", "44"), ("liquid, 1.9", "1"),
    ("pongo2, 300", "error"), ("pongo2, 1.9", "error"),
    ("cast, 300", "44"), ("cast, 300 unsigned", "44"), ("cast, -1 unsigned", "error"),
    ("cast, 010", "8"), ("cast, 08", "error"), ("cast, 1.9", "1"),
):  # fmt: skip
    seen(name, values[name], value)
end()
P
