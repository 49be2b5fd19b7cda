// Package jsongraph converts a value, with all objects that it refers to, to a JSON graph and back. A JSON graph is a list
// of nodes that refer to each other by their numbers, so that an object that is shared has one node.
package jsongraph
