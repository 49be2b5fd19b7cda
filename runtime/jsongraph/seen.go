package jsongraph

import (
	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/runtime/graph"
)

// seen finds the nodes of values that came before: equal as keys of a map are equal.
type seen struct {
	slots []int32 // 1 + index into entries, 0 for none
	list  []seenValue
}

type seenValue struct {
	value abi.Any // owned
	hash  uint64
	node  int64
}

func (s *seen) slot(hash uint64) int {
	return int(hash*0x9e3779b97f4a7c15>>32) & (len(s.slots) - 1)
}

func (s *seen) find(v *abi.Any, hash uint64) (node int64, found bool, err error) {
	if len(s.slots) == 0 {
		return 0, false, nil
	}
	for i := s.slot(hash); s.slots[i] != 0; i = (i + 1) & (len(s.slots) - 1) {
		entry := &s.list[s.slots[i]-1]
		if entry.hash != hash {
			continue
		}
		same, err := graph.Containers.Equal(&entry.value, v)
		if err != nil || same {
			return entry.node, same, err
		}
	}
	return 0, false, nil
}

// add remembers a value (borrowed, retained) that was not found.
func (s *seen) add(v abi.Any, hash uint64, node int64) {
	s.list = append(s.list, seenValue{graph.Retain(v), hash, node})
	if 2*len(s.list) > len(s.slots) {
		s.slots = make([]int32, max(64, 2*len(s.slots)))
		for i := range s.list {
			s.place(i)
		}
		return
	}
	s.place(len(s.list) - 1)
}

func (s *seen) place(entry int) {
	i := s.slot(s.list[entry].hash)
	for s.slots[i] != 0 {
		i = (i + 1) & (len(s.slots) - 1)
	}
	s.slots[i] = int32(entry) + 1
}

func (s *seen) release() {
	for i := range s.list {
		graph.Release(s.list[i].value)
	}
	*s = seen{}
}
