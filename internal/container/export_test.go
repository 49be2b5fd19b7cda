package container

// What the tests, which change containers through the runtime, see of the memory.

const (
	SmallTag     = smallTag
	PairSize     = pairSize
	BlockBuckets = blockBuckets
)

// Control returns the control byte of a bucket of a dense map.
func (c *Cell) Control(bucket uint64) uint8 {
	t := c.table()
	return *t.control(bucket)
}

// Bucket returns what lies in a bucket.
func (c *Cell) Bucket(bucket uint64) (entry Pair, prev, next uint64) {
	t := c.table()
	b := t.at(bucket)
	return b.Pair, b.prev, b.next
}
