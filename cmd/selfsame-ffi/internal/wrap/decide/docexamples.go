package decide

import (
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/selfsame-ffi/selfsame/cmd/selfsame-ffi/internal/escape"
)

var (
	goCode     = regexp.MustCompile(`[:]=|\b(func|err|var|package|import|nil|struct)\b|\bfmt\.|//|[{;]\s*$|^\s*\}|&\w+\{|\w\.[A-Z]\w*\(`)
	ifErr      = regexp.MustCompile(`^if (.*; )?err != nil \{$`)
	assignment = regexp.MustCompile(`^(?:var )?([\w, ]+?)\s*[:]?= (.*)$`)
	announces  = regexp.MustCompile(`(?i)\b(example|for instance|e\.g\.|usage|like this|as follows|like so|following)\b`)
)

// example adds the lines of a block of code to those before it. Go code of simple calls is translated; other Go code would say nothing to
// a reader of Python, and what announces it goes with it. Other blocks, as tables, stay as they are.
func (d *Decider) example(lines, code []string) []string {
	if !goCode.MatchString(strings.Join(code, "\n")) && !strings.ContainsAny(strings.Join(code, ""), "{}") {
		for i, line := range code {
			if python, ok := d.statement(strings.TrimSpace(line)); ok && strings.HasSuffix(strings.TrimSpace(line), ")") {
				code[i] = "    " + python
			}
		}
		return append(lines, code...)
	}
	if made, ok := d.translated(code); ok {
		return append(lines, made...)
	}
	lines = withoutBlank(lines)
	n := len(lines) - 1
	if n < 0 {
		return lines
	}
	before, sentence := cutSentence(lines)
	switch isOpen := ends.MatchString(lines[n]); {
	case !isOpen, strings.HasSuffix(lines[n], ":") && announces.MatchString(sentence):
		lines = withoutBlank(before)
	default:
		if text, ok := strings.CutSuffix(lines[n], ":"); ok {
			lines[n] = text + "."
		}
	}
	return append(lines, "")
}

// ends finds the end of a line that does not go on in the code behind it.
var ends = regexp.MustCompile("[.!?:;)\\]`'\"]$|^    |^  [-*] ")

func withoutBlank(lines []string) []string {
	for len(lines) > 0 && lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}

// cutSentence cuts off the last sentence of the last paragraph.
func cutSentence(lines []string) (before []string, sentence string) {
	before = slices.Clone(lines)
	for n := len(before) - 1; n >= 0 && before[n] != "" && !strings.HasPrefix(before[n], "    "); n-- {
		line := before[n]
		if sentence != "" && strings.HasSuffix(line, ".") {
			break
		}
		if at := strings.LastIndex(line, ". "); at >= 0 {
			before[n] = line[:at+1]
			return before, line[at+2:] + " " + sentence
		}
		before, sentence = before[:n], line+" "+sentence
	}
	return before, sentence
}

// translated returns Go code as Python; ok is false for code that is more than simple calls.
func (d *Decider) translated(code []string) (made []string, ok bool) {
	skipping := false // what handles an error
	for _, line := range code {
		text := strings.TrimSpace(line)
		text, comment, _ := strings.Cut(text, "// ")
		text = strings.TrimSpace(text)
		if comment != "" {
			comment = "# " + inWordsOfPython(d.renameIn(comment))
		}
		switch {
		case skipping:
			skipping = text != "}"
			continue
		case ifErr.MatchString(text):
			if before := ifErr.FindStringSubmatch(text)[1]; before != "" {
				python, ok := d.statement(strings.TrimSuffix(before, "; "))
				if !ok {
					return nil, false
				}
				made = append(made, "    "+python)
			}
			skipping = true
			continue
		case strings.HasPrefix(text, "defer ") && strings.HasSuffix(text, ".Close()"):
			continue // the collector does
		case text != "":
			python, ok := d.statement(text)
			if !ok {
				return nil, false
			}
			text = python
		}
		if text != "" && comment != "" {
			comment = "  " + comment
		}
		if line = text + comment; line != "" {
			line = "    " + line
		}
		made = append(made, line)
	}
	return made, !skipping
}

// statement returns a statement of Go, which calls something or assigns the result, as one of Python.
func (d *Decider) statement(text string) (string, bool) {
	var targets []string
	if found := assignment.FindStringSubmatch(text); found != nil {
		for _, name := range strings.Split(found[1], ",") {
			if name = strings.TrimSpace(name); name != "err" && name != "_" {
				targets = append(targets, pythonName(name))
			}
		}
		text = found[2]
	}
	e, err := parser.ParseExpr(text)
	if err != nil {
		return "", false
	}
	python, ok := d.expression(e)
	if len(targets) > 0 {
		python = strings.Join(targets, ", ") + " = " + python
	} else if _, isCall := e.(*ast.CallExpr); !isCall {
		return "", false
	}
	return python, ok
}

// expression returns an expression of Go as one of Python.
func (d *Decider) expression(e ast.Expr) (string, bool) {
	switch x := e.(type) {
	case *ast.BasicLit:
		if x.Kind == token.STRING {
			text, err := strconv.Unquote(x.Value)
			return escape.PythonString(text), err == nil
		}
		return x.Value, x.Kind == token.INT || x.Kind == token.FLOAT
	case *ast.Ident:
		if word := map[string]string{"nil": "None", "true": "True", "false": "False"}[x.Name]; word != "" {
			return word, true
		}
		if python := d.pythonNames()[x.Name]; python != "" && ast.IsExported(x.Name) {
			return d.plan.Name + "." + python, true
		}
		return pythonName(x.Name), !ast.IsExported(x.Name)
	case *ast.SelectorExpr:
		if id, ok := x.X.(*ast.Ident); ok && d.isTargetName(id.Name) {
			python := d.pythonNames()[x.Sel.Name]
			return d.plan.Name + "." + python, python != ""
		} else if ok && d.isImport(id.Name) {
			return "", false
		}
		of, ok := d.expression(x.X)
		return of + "." + pythonName(x.Sel.Name), ok
	case *ast.CallExpr:
		args, ok := d.expressions(x.Args)
		if array, isArray := x.Fun.(*ast.ArrayType); isArray && len(x.Args) == 1 {
			_, isText := x.Args[0].(*ast.BasicLit)
			id, isName := array.Elt.(*ast.Ident)
			return "b" + args, ok && isText && isName && id.Name == "byte"
		}
		if s, isSelector := x.Fun.(*ast.SelectorExpr); isSelector && s.Sel.Name == "Println" {
			if id, isName := s.X.(*ast.Ident); isName && id.Name == "fmt" {
				return "print(" + args + ")", ok
			}
		}
		of, known := d.expression(x.Fun)
		return of + "(" + args + ")", ok && known && !x.Ellipsis.IsValid()
	case *ast.UnaryExpr:
		of, ok := d.expression(x.X)
		if x.Op == token.AND {
			return of, ok
		}
		return x.Op.String() + of, ok && x.Op == token.SUB
	case *ast.KeyValueExpr:
		key, isName := x.Key.(*ast.Ident)
		value, ok := d.expression(x.Value)
		if !isName {
			return "", false
		}
		return pythonName(key.Name) + "=" + value, ok
	case *ast.CompositeLit:
		elements, ok := d.expressions(x.Elts)
		if _, isArray := x.Type.(*ast.ArrayType); isArray {
			return "[" + elements + "]", ok
		}
		if x.Type == nil {
			return "", false
		}
		of, known := d.expression(x.Type)
		return of + "(" + elements + ")", ok && known
	}
	return "", false
}

func (d *Decider) expressions(all []ast.Expr) (string, bool) {
	var texts []string
	for _, e := range all {
		text, ok := d.expression(e)
		if !ok {
			return "", false
		}
		texts = append(texts, text)
	}
	return strings.Join(texts, ", "), true
}

// isImport says whether a name is that of a package that a wrapped one imports, or fmt or log, which examples use.
func (d *Decider) isImport(name string) bool {
	for p := range d.imports() {
		if p.Name() == name {
			return true
		}
	}
	return name == "fmt" || name == "log"
}
