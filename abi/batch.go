package abi

import "unsafe"

// Column is SelfsameColumn: a value for each item of a Batch.
type Column struct {
	Data  unsafe.Pointer // of the first item; no memory of Go's
	Step  int64          // bytes from one item to the next
	DType DataType       // of the numbers; with 0 bits the column has an Any for each item
}

// At returns the address of the value of item i.
func (c *Column) At(i int) unsafe.Pointer { return unsafe.Add(c.Data, i*int(c.Step)) }

// Batch is SelfsameBatch: one call for each of many items, valid during the call that it is an argument of.
type Batch struct {
	Count    int64
	First    *Column // of the arguments, then the result
	NumArgs  int32
	Parallel int32
	Failed   int64
}

// Columns returns the columns of the arguments and of the result.
func (b *Batch) Columns() (args []Column, result *Column) {
	all := unsafe.Slice(b.First, b.NumArgs+1)
	return all[:b.NumArgs], &all[b.NumArgs]
}
