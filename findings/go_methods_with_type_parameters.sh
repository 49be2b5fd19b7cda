#!/bin/sh
# Since Go 1.27 a method may have type parameters; reflection does not show it, and no interface can have it.
#
# Versions: Go 1.26.8, Go 1.27.3
#
# Expected: a syntax error, as in all releases up to 1.26, since Go's authors had ruled such methods out.
#
# Seen: func (l List) As[F any](...) compiles where go.mod says 1.27. reflect counts one method of two, a type with
# the method does not have an interface with the same name and types, and an interface cannot ask for it. Tools built with
# 1.26 cannot read what the compiler of 1.27 writes, whether there is such a method or not.
. "$(dirname "$0")/parts/begin.sh"
go_is 1.27.3
go_module methods 1.27
cat >main.go <<'G'
package main

import (
	"fmt"
	"reflect"
)

type List struct{ n int }

func (l List) As[F any](convert func(int) F) F { return convert(l.n) }

func (l List) Len() int { return l.n }

func main() {
	_, has := any(List{}).(interface{ As(func(int) string) string })
	value := List{3}.As[string]
	fmt.Println(reflect.TypeFor[List]().NumMethod(), has, value(func(n int) string { return fmt.Sprint(n, "!") }))
}
G
[ "$(go run .)" = "1 false 3!" ] || { echo "CHANGED: the program prints $(go run .)"; exit 1; }
echo "seen: one method of two in reflection, the interface is not satisfied"
sed -i 's/^go 1.27/go 1.26/' go.mod
go vet . 2>&1 | grep -q "generic method requires go1.27 or later" || { echo "CHANGED: compiles for 1.26"; exit 1; }
echo "seen: refused where go.mod says 1.26"
