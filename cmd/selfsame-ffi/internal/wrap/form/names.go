package form

import "strconv"

// Names has the names of one namespace. The zero value has none.
type Names struct{ taken map[string]bool }

// Take returns the name, with a number behind it if it is taken.
func (n *Names) Take(name string) string {
	if n.taken == nil {
		n.taken = map[string]bool{}
	}
	unique := name
	for i := 2; n.taken[unique]; i++ {
		unique = name + "_" + strconv.Itoa(i)
	}
	n.taken[unique] = true
	return unique
}

// Has says whether a name is taken.
func (n *Names) Has(name string) bool { return n.taken[name] }
