package jsongraph

import (
	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/control/graph"
)

// seen is a hash table of the values that have a node. Values are equal as keys of a Map are equal.
type seen struct {
	buckets []int32 // 1 + position in list, 0 for none
	list    []seenValue
}

// seenValue is a value that has a node.
type seenValue struct {
	value abi.Any // owned
	hash  uint64
	node  int64
}

// bucket returns where the search for a hash begins.
func (s *seen) bucket(hash uint64) int {
	return int(hash*0x9e3779b97f4a7c15>>32) & (len(s.buckets) - 1)
}

// find returns the node of a value (borrowed), and whether it has one. Errors are those of the hooks for equality.
func (s *seen) find(v *abi.Any, hash uint64) (node int64, found bool, err error) {
	if len(s.buckets) == 0 {
		return 0, false, nil
	}
	for i := s.bucket(hash); s.buckets[i] != 0; i = (i + 1) & (len(s.buckets) - 1) {
		entry := &s.list[s.buckets[i]-1]
		if entry.hash != hash {
			continue
		}
		same, err := graph.Equal(&entry.value, v)
		if err != nil || same {
			return entry.node, same, err
		}
	}
	return 0, false, nil
}

// add stores a value that find did not find; it takes a reference.
func (s *seen) add(v abi.Any, hash uint64, node int64) {
	s.list = append(s.list, seenValue{graph.Retain(v), hash, node})
	if 2*len(s.list) > len(s.buckets) {
		s.buckets = make([]int32, max(64, 2*len(s.buckets)))
		for i := range s.list {
			s.insert(i)
		}
		return
	}
	s.insert(len(s.list) - 1)
}

// insert puts an element of list into its bucket.
func (s *seen) insert(entry int) {
	i := s.bucket(s.list[entry].hash)
	for s.buckets[i] != 0 {
		i = (i + 1) & (len(s.buckets) - 1)
	}
	s.buckets[i] = int32(entry) + 1
}

func (s *seen) release() {
	for i := range s.list {
		graph.Release(s.list[i].value)
	}
	*s = seen{}
}
