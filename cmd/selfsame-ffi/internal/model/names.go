package model

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Scope holds the names of one namespace, module or class of a file that is written.
type Scope struct {
	where string
	taken map[string]string // name: registered name
}

// NewScope returns a scope without names. where names it in errors.
func NewScope(where string) *Scope { return &Scope{where: where, taken: map[string]string{}} }

// Take adds a name. It fails when another registered name has the same.
func (s *Scope) Take(id, registered string) error {
	if other, ok := s.taken[id]; ok {
		return fmt.Errorf("%s and %s would both be called %s in %s; register one under another name", other, registered, id, s.where)
	}
	s.taken[id] = registered
	return nil
}

// Has says whether a name is taken.
func (s *Scope) Has(id string) bool {
	_, taken := s.taken[id]
	return taken
}

// Names returns the names in order.
func (s *Scope) Names() []string {
	return slices.Sorted(maps.Keys(s.taken))
}

// Distinct returns the names that identifier makes of others, each different: a repeated one gets its position at its end.
// "" stands for something without a name, in names and in the result.
func Distinct(names []string, identifier func(string) string) []string {
	out := make([]string, len(names))
	for i, name := range names {
		if name == "" {
			continue
		}
		id := identifier(name)
		if slices.Contains(out[:i], id) {
			id = fmt.Sprintf("%s%d", id, i)
		}
		out[i] = id
	}
	return out
}

// Parameters returns the names of the function's parameters, each different. One without a name is called arg and its position.
func (f *Function) Parameters(identifier func(string) string) []string {
	names := make([]string, len(f.Args))
	for i := range names {
		if i < len(f.ArgNames) {
			names[i] = f.ArgNames[i]
		}
		if names[i] == "" {
			names[i] = fmt.Sprintf("arg%d", i)
		}
	}
	return Distinct(names, identifier)
}

// InOrder returns a constructor that the runtime derives from the fields as one that takes all of them by position, and the names
// of those that the library takes by keyword, which are the last. Any other function it returns as it is.
func (f Function) InOrder() (all Function, keywords []string) {
	if !f.OfFields || len(f.ByName) == 0 {
		return f, nil
	}
	all = f
	defaults := make([]string, len(f.Args)-len(f.ArgDefaults), len(f.Args)+len(f.ByName))
	defaults = append(defaults, f.ArgDefaults...)
	all.Args, all.ArgNames, all.ByName = slices.Clone(f.Args), slices.Clone(f.ArgNames), nil
	for _, field := range f.ByName {
		all.Args, all.ArgNames = append(all.Args, field.Type), append(all.ArgNames, field.Name)
		defaults, keywords = append(defaults, field.Default), append(keywords, field.Name)
	}
	for len(defaults) > 0 && slices.Contains(defaults, "") {
		defaults = defaults[slices.Index(defaults, "")+1:]
	}
	all.ArgDefaults = defaults
	return all, keywords
}

// Rest returns the schema of the values that a variadic function takes at its end, and how many parameters are before them.
func (f *Function) Rest() (element Schema, fixed int) {
	fixed = len(f.Args)
	if !f.Variadic {
		return element, fixed
	}
	fixed--
	element.Type = "Any"
	if last := f.Args[fixed]; len(last.Args) == 1 {
		element = last.Args[0]
	}
	return element, fixed
}

// NamedMethods returns the methods that code calls by name: the first of each name, without the special ones.
func (c *Class) NamedMethods() []Function {
	var kept []Function
	seen := map[string]bool{}
	for _, m := range c.Methods {
		if !seen[m.Name] && !strings.HasPrefix(m.Name, "__") {
			kept = append(kept, m)
		}
		seen[m.Name] = true
	}
	return kept
}

// OwnFunctions returns the functions whose name the package owns, in the order of their names. The functions of the
// library's module come last: the names that generated code takes for global functions do not depend on them.
func (l *Library) OwnFunctions(owns func(name string) bool) []Function {
	var own []Function
	for _, f := range l.Functions {
		if owns(f.Name) {
			own = append(own, f)
		}
	}
	slices.SortFunc(own, func(a, b Function) int {
		switch {
		case a.Module == b.Module:
			return strings.Compare(a.Name, b.Name)
		case a.Module:
			return 1
		}
		return -1
	})
	return own
}
