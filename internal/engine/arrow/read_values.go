package arrow

import (
	"math"
	"reflect"
	"strings"
	"time"
	"unsafe"

	"github.com/selfsame-ffi/selfsame/internal/fault"
)

func loaded[N int8 | uint8 | int16 | uint16 | int32 | uint32 | int64 | uint64](p unsafe.Pointer, i int) int64 {
	return int64(*(*N)(unsafe.Add(p, uintptr(i)*unsafe.Sizeof(N(0)))))
}

// loads has what reads number i of a buffer of integers. Numbers of the type L are their bits.
var loads = map[string]func(p unsafe.Pointer, i int) int64{
	"c": loaded[int8], "C": loaded[uint8], "s": loaded[int16], "S": loaded[uint16], "i": loaded[int32], "I": loaded[uint32],
	"l": loaded[int64], "L": loaded[uint64],
}

// loadsFloat does what loads does for floats.
var loadsFloat = map[string]func(p unsafe.Pointer, i int) float64{
	"f": func(p unsafe.Pointer, i int) float64 { return float64(*(*float32)(unsafe.Add(p, 4*i))) },
	"g": func(p unsafe.Pointer, i int) float64 { return *(*float64)(unsafe.Add(p, 8*i)) },
}

// unit returns the nanoseconds of what times of a type count; 0 for other types.
func unit(format string) int64 {
	if format == "tdm" {
		return 1e6
	}
	return map[string]int64{"tdD": 86400e9, "tss": 1e9, "tsm": 1e6, "tsu": 1e3, "tsn": 1, "tDs": 1e9, "tDm": 1e6, "tDu": 1e3, "tDn": 1}[format[:min(3, len(format))]]
}

// numbers returns what reads numbers, times and durations; nil for a type that does not fit.
func (f *Form) numbers(format, name string) reader {
	goKind := f.Type.Kind()
	isFloat := goKind == reflect.Float32 || goKind == reflect.Float64
	load, loadFloat := loads[format], loadsFloat[format]
	scale := unit(format)
	switch {
	case f.kind == timestamp:
		if scale == 0 || strings.HasPrefix(format, "tD") || strings.HasPrefix(format, "ts") && strings.HasSuffix(format, ":") {
			return nil
		}
		if load = loads["l"]; format == "tdD" {
			load = loads["i"]
		}
		return eachNumber(name, load, func(p unsafe.Pointer, v int64) bool {
			per := int64(time.Second) / scale
			if scale > int64(time.Second) {
				*(*time.Time)(p) = time.Unix(v*(scale/int64(time.Second)), 0).UTC()
				return true
			}
			rest := v % per
			if rest < 0 {
				rest += per
			}
			*(*time.Time)(p) = time.Unix((v-rest)/per, rest*scale).UTC()
			return true
		}, f)
	case f.format == "tDn":
		if scale == 0 || !strings.HasPrefix(format, "tD") {
			return nil
		}
		return eachNumber(name, loads["l"], func(p unsafe.Pointer, v int64) bool {
			*(*int64)(p) = v * scale
			return v <= math.MaxInt64/scale && v >= math.MinInt64/scale
		}, f)
	case isFloat && loadFloat != nil:
		return eachNumber(name, loadFloat, func(p unsafe.Pointer, v float64) bool { return f.storeFloat(p, v) }, f)
	case isFloat && load != nil:
		return eachNumber(name, load, func(p unsafe.Pointer, v int64) bool {
			if format == "L" {
				return f.storeFloat(p, float64(uint64(v)))
			}
			return f.storeFloat(p, float64(v))
		}, f)
	case load == nil || isFloat:
		return nil
	case format == f.format: // as Go has it
		return func(a *array, from int, to *places) error {
			size := f.Type.Size()
			first := unsafe.Add(data(a, 1), (uintptr(a.offset)+uintptr(from))*size)
			switch size {
			case 1:
				readWords[uint8](first, to)
			case 2:
				readWords[uint16](first, to)
			case 4:
				readWords[uint32](first, to)
			default:
				readWords[uint64](first, to)
			}
			return nil
		}
	}
	return eachNumber(name, load, f.storeInt(format == "L"), f)
}

func readWords[W any](first unsafe.Pointer, to *places) {
	for i := range to.n {
		if p := to.of(i); p != nil {
			*(*W)(p) = *(*W)(unsafe.Add(first, uintptr(i)*unsafe.Sizeof(*new(W))))
		}
	}
}

// eachNumber returns a reader that stores each number, or says which one the form cannot have.
func eachNumber[N int64 | float64](name string, load func(p unsafe.Pointer, i int) N, store func(p unsafe.Pointer, v N) bool, f *Form) reader {
	return func(a *array, from int, to *places) error {
		values := data(a, 1)
		first := int(a.offset) + from
		for i := range to.n {
			if p := to.of(i); p != nil && !store(p, load(values, first+i)) {
				return fault.New("OverflowError", "column '%s': %v in row %d does not fit in %s", name, load(values, first+i), from+i, f.Type)
			}
		}
		return nil
	}
}

func (f *Form) storeFloat(p unsafe.Pointer, v float64) bool {
	if f.Type.Kind() == reflect.Float64 {
		*(*float64)(p) = v
		return true
	}
	*(*float32)(p) = float32(v)
	return !math.IsInf(float64(float32(v)), 0) || math.IsInf(v, 0)
}

// storeInt returns what stores an integer if the form can have it; large: its bits are those of a uint64.
func (f *Form) storeInt(large bool) func(p unsafe.Pointer, v int64) bool {
	t := f.Type
	return func(p unsafe.Pointer, v int64) bool {
		to := reflect.NewAt(t, p).Elem()
		if to.CanInt() {
			if large && v < 0 || to.OverflowInt(v) {
				return false
			}
			to.SetInt(v)
			return true
		}
		if !large && v < 0 || to.OverflowUint(uint64(v)) {
			return false
		}
		to.SetUint(uint64(v))
		return true
	}
}

func readBools(a *array, from int, to *places) error {
	bits := data(a, 1)
	for i := range to.n {
		if p := to.of(i); p != nil {
			at := int(a.offset) + from + i
			*(*bool)(p) = *(*byte)(unsafe.Add(bits, at/8))>>(at%8)&1 == 1
		}
	}
	return nil
}

func readFixed(size int) reader {
	return func(a *array, from int, to *places) error {
		values := data(a, 1)
		for i := range to.n {
			if p := to.of(i); p != nil {
				copy(unsafe.Slice((*byte)(p), size), unsafe.Slice((*byte)(unsafe.Add(values, (int(a.offset)+from+i)*size)), size))
			}
		}
		return nil
	}
}

// texts returns what reads texts or bytes, whose types have the letter that is given; nil for another type.
func (f *Form) texts(format, letter, name string) reader {
	var one func(a *array, i int) []byte
	switch format {
	case letter:
		one = func(a *array, i int) []byte {
			ends := (*[2]int32)(unsafe.Add(data(a, 1), 4*i))
			return between(a, int64(ends[0]), int64(ends[1]))
		}
	case strings.ToUpper(letter):
		one = func(a *array, i int) []byte {
			ends := (*[2]int64)(unsafe.Add(data(a, 1), 8*i))
			return between(a, ends[0], ends[1])
		}
	case "v" + letter:
		one = viewed
	default:
		return nil
	}
	return func(a *array, from int, to *places) error {
		// One block for all: a text that Go keeps keeps the others of its array.
		total, first := 0, int(a.offset)+from
		for i := range to.n {
			if to.of(i) != nil {
				total += len(one(a, first+i))
			}
		}
		block := make([]byte, 0, total)
		for i := range to.n {
			p := to.of(i)
			if p == nil {
				continue
			}
			begin := len(block)
			block = append(block, one(a, first+i)...)
			value := block[begin:len(block):len(block)]
			if f.kind == text {
				*(*string)(p) = unsafe.String(unsafe.SliceData(value), len(value))
			} else {
				*(*[]byte)(p) = value
			}
		}
		return nil
	}
}

func between(a *array, begin, end int64) []byte {
	if begin == end {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Add(data(a, 2), begin)), end-begin)
}

// viewed returns text i of an array of views: 16 bytes with the length and the text, or where it lies in a buffer.
func viewed(a *array, i int) []byte {
	view := unsafe.Add(data(a, 1), 16*i)
	n := *(*int32)(view)
	if n <= 12 {
		return unsafe.Slice((*byte)(unsafe.Add(view, 4)), n)
	}
	buffer, offset := *(*int32)(unsafe.Add(view, 8)), *(*int32)(unsafe.Add(view, 12))
	return unsafe.Slice((*byte)(unsafe.Add(data(a, 2+int(buffer)), offset)), n)
}
