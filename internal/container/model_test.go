package container_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/selfsame-ffi/selfsame/abi"
	. "github.com/selfsame-ffi/selfsame/internal/container"
	"github.com/selfsame-ffi/selfsame/internal/testenv"
)

// model implements the same rules independently: it keeps the chains and the order of insertion as lists, and computes
// the bytes in memory from them.
type model struct {
	hash    func(key abi.Any) uint64
	same    func(a, b abi.Any) bool
	small   bool
	buckets int
	shift   int
	order   []*modelEntry         // oldest first
	chains  map[int][]*modelEntry // by home bucket, in chain order
	at      map[int]*modelEntry   // by bucket; dense only
}

type modelEntry struct {
	Pair
	bucket int
}

// modelJumps follows the ABI's document: small steps, then triangular numbers, then a table.
func modelJumps() []int64 {
	var jumps []int64
	for j := int64(0); j < 16; j++ {
		jumps = append(jumps, j)
	}
	for n := int64(6); n <= 72; n++ {
		jumps = append(jumps, n*(n+1)/2)
	}
	return append(jumps, 8515, 19110, 42778, 96141, 216153, 486591, 1092981, 2458653, 5532801, 12442566, 27993903,
		62983476, 141717030, 318844378, 717352503, 1614057336, 3631522476, 8170957530, 18384510628, 41364789378,
		93070452520, 209408356380, 471168559170, 1060128894105, 2385289465695, 5366898840628, 12075518705635,
		27169915244790, 61132312065111, 137547689707000, 309482283181501, 696335127828753, 1566753995631385,
		3525196511162271, 7931691992677701, 17846306936293605, 40154190677507445, 90346928918121501,
		203280589587557251, 457381325854679626, 1029107982097042876, 2315492959180353330, 5209859154120846435)
}

var distances = modelJumps()

func newModel(hash func(abi.Any) uint64, same func(a, b abi.Any) bool) *model {
	return &model{hash: hash, same: same, small: true, buckets: 2}
}

func (m *model) dense(buckets, shift int) *model {
	return &model{hash: m.hash, same: m.same, buckets: buckets, shift: shift, chains: map[int][]*modelEntry{}, at: map[int]*modelEntry{}}
}

func (m *model) find(key abi.Any) *modelEntry {
	for _, e := range m.order {
		if m.same(e.Key, key) {
			return e
		}
	}
	return nil
}

func (m *model) set(key, value abi.Any) {
	if m.small && (len(m.order) < 4 || m.buckets < 4) {
		if e := m.find(key); e != nil {
			e.Value = value
			return
		}
		if len(m.order) == m.buckets {
			m.buckets = 4
		}
		m.order = append(m.order, &modelEntry{Pair: Pair{key, value}})
		return
	}
	if m.small {
		*m = *m.moved(m.dense(8, 61))
	}
	if e := m.find(key); e != nil {
		e.Value = value
		m.order = append(slices.DeleteFunc(m.order, func(o *modelEntry) bool { return o == e }), e)
		return
	}
	if !m.insert(key, value) {
		*m = *m.moved(m.dense(2*m.buckets, m.shift-1))
		m.set(key, value)
	}
}

// moved puts the entries into a new table.
func (m *model) moved(to *model) *model {
	for _, e := range m.order {
		to.set(e.Key, e.Value)
	}
	return to
}

func (m *model) home(key abi.Any) int {
	return int(m.hash(key) * 11400714819323198485 >> m.shift)
}

func (m *model) full() bool { return (len(m.order)+1)*100 > m.buckets*99 }

// insert puts a new key into a table. If the table has no bucket for it, the table's state is undefined afterwards.
func (m *model) insert(key, value abi.Any) bool {
	home := m.home(key)
	e := &modelEntry{Pair{key, value}, home}
	taken := m.at[home]
	switch {
	case taken == nil:
	case m.home(taken.Key) == home:
		chain := m.chains[home]
		_, bucket := m.free(chain[len(chain)-1].bucket, -1)
		if m.full() || bucket < 0 {
			return false
		}
		e.bucket = bucket
	default:
		if m.full() || !m.makeRoom(taken) {
			return false
		}
	}
	m.at[e.bucket] = e
	m.chains[home] = append(m.chains[home], e)
	m.order = append(m.order, e)
	return true
}

// makeRoom moves an entry and those behind it in its chain away.
func (m *model) makeRoom(e *modelEntry) bool {
	reserved := e.bucket
	chain := m.chains[m.home(e.Key)]
	for i := slices.Index(chain, e); i < len(chain); i++ {
		_, bucket := m.free(chain[i-1].bucket, reserved)
		if bucket < 0 {
			return false
		}
		delete(m.at, chain[i].bucket)
		chain[i].bucket = bucket
		m.at[bucket] = chain[i]
	}
	return true
}

// free finds the empty bucket that the shortest jump leads to.
func (m *model) free(from, reserved int) (jump, bucket int) {
	for j := 1; j < len(distances); j++ {
		bucket := int((int64(from) + distances[j]) % int64(m.buckets))
		if m.at[bucket] == nil && bucket != reserved {
			return j, bucket
		}
	}
	return 0, -1
}

func (m *model) erase(key abi.Any) bool {
	e := m.find(key)
	if e == nil {
		return false
	}
	m.order = slices.DeleteFunc(m.order, func(o *modelEntry) bool { return o == e })
	if m.small {
		return true
	}
	home := m.home(e.Key)
	chain := m.chains[home]
	last := chain[len(chain)-1]
	delete(m.at, last.bucket)
	chain = chain[:len(chain)-1]
	if e != last {
		last.bucket = e.bucket
		m.at[e.bucket] = last
		chain[slices.Index(chain, e)] = last
	}
	m.chains[home] = chain
	return true
}

func (m *model) clear() {
	m.order = nil
	if !m.small {
		*m = *m.dense(m.buckets, m.shift)
	}
}

// controls returns the bytes of the buckets.
func (m *model) controls() []byte {
	controls := make([]byte, (m.buckets+15)/16*16)
	for i := range controls {
		controls[i] = 0xff
	}
	for _, chain := range m.chains {
		for i, e := range chain {
			control := byte(0)
			if i != 0 {
				control = 0x80
			}
			if i+1 < len(chain) {
				control |= m.jumpTo(e.bucket, chain[i+1].bucket)
			}
			controls[e.bucket] = control
		}
	}
	return controls
}

// jumpTo returns the first jump that leads from one bucket to another: the one that found it empty.
func (m *model) jumpTo(from, to int) byte {
	for j := 1; j < len(distances); j++ {
		if int((int64(from)+distances[j])%int64(m.buckets)) == to {
			return byte(j)
		}
	}
	panic("no jump")
}

// compare fails the test unless the map's memory is what the model says, byte for byte.
func (m *model) compare(t testing.TB, c *Cell) {
	t.Helper()
	testenv.OK(t, m.difference(c))
}

func (m *model) difference(c *Cell) error {
	if c.IsSmall() != m.small || c.Capacity&^SmallTag != uint64(m.buckets) || c.Size != uint64(len(m.order)) {
		return fmt.Errorf("small %v, %d buckets, %d entries; want %v, %d, %d", c.IsSmall(), c.Capacity&^SmallTag, c.Size, m.small,
			m.buckets, len(m.order))
	}
	i := 0
	for p := range c.All {
		if i >= len(m.order) || *p != m.order[i].Pair {
			return fmt.Errorf("entry %d in order is %v", i, *p)
		}
		i++
	}
	if i != len(m.order) {
		return fmt.Errorf("%d entries in order, want %d", i, len(m.order))
	}
	if m.small {
		return nil
	}
	if int(c.Shift) != m.shift {
		return fmt.Errorf("shift is %d, want %d", c.Shift, m.shift)
	}
	for bucket, want := range m.controls() {
		if got := c.Control(uint64(bucket)); got != want {
			return fmt.Errorf("bucket %d of %d has control %#x, want %#x", bucket, m.buckets, got, want)
		}
	}
	return m.differentLinks(c)
}

func (m *model) differentLinks(c *Cell) error {
	link := func(i int) uint64 {
		if i < 0 || i >= len(m.order) {
			return NoBucket
		}
		return uint64(m.order[i].bucket)
	}
	if c.Head != link(0) || len(m.order) != 0 && c.Tail != link(len(m.order)-1) || len(m.order) == 0 && c.Tail != NoBucket {
		return fmt.Errorf("head %d, tail %d", c.Head, c.Tail)
	}
	for i, e := range m.order {
		entry, prev, next := c.Bucket(uint64(e.bucket))
		if entry != e.Pair || prev != link(i-1) || next != link(i+1) {
			return fmt.Errorf("bucket %d has %v, prev %d, next %d", e.bucket, entry, prev, next)
		}
	}
	return nil
}
