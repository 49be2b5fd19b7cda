// Package jsongraph writes a value with everything it refers to as a JSON graph, a list of nodes that refer to each
// other by number, and makes values of such graphs. What is shared stays shared.
package jsongraph
