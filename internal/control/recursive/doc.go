// Package recursive makes the text of a whole value, which goes down through containers and fields, and accepts cycles. The
// other operations of a dataclass for whole values are in C: internal/plane/walks/recursive.h. internal/plane/walks/structural.h says why.
package recursive
