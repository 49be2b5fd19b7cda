package jsongraph

import (
	"strconv"

	"github.com/selfsame-ffi/selfsame/abi"
	"github.com/selfsame-ffi/selfsame/internal/control/graph"
	"github.com/selfsame-ffi/selfsame/internal/control/jsontext"
)

// The property names of a graph.
var (
	nameType     = []byte("type")
	nameData     = []byte("data")
	nameRoot     = []byte("root_index")
	nameNodes    = []byte("nodes")
	nameMetadata = []byte("metadata")
)

// mapSink builds the graph as a Map. It keeps its first error until finish.
type mapSink struct {
	b     graph.Builder
	open  []int // for each container that was not closed: how many values were pushed before its elements
	start int   // how many values were pushed before the node
	err   error
}

func (s *mapSink) begin(typeKey []byte) {
	s.start = s.b.Len()
	s.b.Name(nameType)
	s.b.Name(typeKey)
}

func (s *mapSink) data()               { s.b.Name(nameData) }
func (s *mapSink) end()                { s.close(abi.IndexMap, s.start) }
func (s *mapSink) none()               { s.b.Push(abi.None()) }
func (s *mapSink) boolean(v bool)      { s.b.Push(abi.Bool(v)) }
func (s *mapSink) integer(v int64)     { s.b.Push(abi.Int(v)) }
func (s *mapSink) float(v float64)     { s.b.Push(abi.Float(v)) }
func (s *mapSink) text(content []byte) { s.b.Str(content) }
func (s *mapSink) name(name []byte)    { s.b.Name(name) }

func (s *mapSink) str(v *abi.Any) { s.b.Push(graph.Retain(*v)) }

func (s *mapSink) value(v abi.Any) error {
	s.b.Push(v)
	return nil
}

func (s *mapSink) openArray()   { s.open = append(s.open, s.b.Len()) }
func (s *mapSink) openObject()  { s.openArray() }
func (s *mapSink) closeArray()  { s.close(abi.IndexArray, s.pop()) }
func (s *mapSink) closeObject() { s.close(abi.IndexMap, s.pop()) }

func (s *mapSink) pop() int {
	start := s.open[len(s.open)-1]
	s.open = s.open[:len(s.open)-1]
	return start
}

func (s *mapSink) close(index int32, start int) {
	if err := s.b.Close(index, s.b.Len()-start); err != nil && s.err == nil {
		s.err = err
	}
}

func (s *mapSink) finish(root int64, nodes int, metadata *abi.Any) (abi.Any, error) {
	// Only the nodes were pushed so far: they become an Array, and that a property.
	s.close(abi.IndexArray, 0)
	s.b.PushBefore(func() {
		s.b.Name(nameRoot)
		s.b.Push(abi.Int(root))
		s.b.Name(nameNodes)
	})
	if metadata.TypeIndex != abi.IndexNone {
		s.b.Name(nameMetadata)
		s.b.Push(graph.Retain(*metadata))
	}
	s.close(abi.IndexMap, 0)
	if s.err != nil {
		s.b.Abandon()
		return abi.Any{}, s.err
	}
	return s.b.Finish()
}

// textSink writes the graph as JSON text.
type textSink struct {
	nodes []byte
	comma bool // the next value needs a comma before it
}

func (s *textSink) put(text string) { s.nodes = append(s.nodes, text...) }

// next writes the comma before a value that needs one.
func (s *textSink) next() {
	if s.comma {
		s.nodes = append(s.nodes, ',')
	}
	s.comma = true
}

func (s *textSink) begin(typeKey []byte) {
	s.next()
	s.put(`{"type":`)
	s.nodes = jsontext.AppendQuoted(s.nodes, typeKey)
}

func (s *textSink) data() {
	s.put(`,"data":`)
	s.comma = false
}

func (s *textSink) end() {
	s.put("}")
	s.comma = true
}

func (s *textSink) none() {
	s.next()
	s.put("null")
}

func (s *textSink) boolean(v bool) {
	s.next()
	s.nodes = strconv.AppendBool(s.nodes, v)
}

func (s *textSink) integer(v int64) {
	s.next()
	s.nodes = strconv.AppendInt(s.nodes, v, 10)
}

func (s *textSink) float(v float64) {
	s.next()
	s.nodes = jsontext.AppendFloat(s.nodes, v)
}

func (s *textSink) text(content []byte) {
	s.next()
	s.nodes = jsontext.AppendQuoted(s.nodes, content)
}

func (s *textSink) str(v *abi.Any) {
	content, _, _ := v.Content()
	s.text(content)
}

func (s *textSink) name(name []byte) {
	s.next()
	s.nodes = append(jsontext.AppendQuoted(s.nodes, name), ':')
	s.comma = false
}

func (s *textSink) value(owned abi.Any) error {
	defer graph.Release(owned)
	text, err := jsontext.Print(&owned, 0)
	if err != nil {
		return err
	}
	s.next()
	s.nodes = append(s.nodes, text...)
	return nil
}

func (s *textSink) open(bracket byte) {
	s.next()
	s.nodes = append(s.nodes, bracket)
	s.comma = false
}

func (s *textSink) close(bracket byte) {
	s.nodes = append(s.nodes, bracket)
	s.comma = true
}

func (s *textSink) openArray()   { s.open('[') }
func (s *textSink) closeArray()  { s.close(']') }
func (s *textSink) openObject()  { s.open('{') }
func (s *textSink) closeObject() { s.close('}') }

func (s *textSink) finish(root int64, metadata *abi.Any) ([]byte, error) {
	out := make([]byte, 0, len(s.nodes)+64)
	out = append(out, `{"root_index":`...)
	out = strconv.AppendInt(out, root, 10)
	out = append(out, `,"nodes":[`...)
	out = append(append(out, s.nodes...), ']')
	if metadata.TypeIndex != abi.IndexNone {
		text, err := jsontext.Print(metadata, 0)
		if err != nil {
			return nil, err
		}
		out = append(append(out, `,"metadata":`...), text...)
	}
	return append(out, '}'), nil
}
