package gen

import "github.com/selfsame-ffi/selfsame/internal/engine/convert"

// Written is the type of a parameter of type T through which the func writes: a slice, a map, or a pointer to a struct that crosses by
// value. Python's list, dict or dataclass gets what changed when its method GiveBack is called, and memory that can be written, as that
// of a bytearray or of a NumPy array, is written in place. An object that cannot change is refused. The value is good only during the
// call. `selfsame-ffi wrap` writes such calls.
type Written[T any] = convert.WrittenArgument[T]

// MaybeWritten is a [Written] of a func of which nobody knows whether it writes: it takes an object that cannot change too. GiveBack
// panics with a TypeError when the func wrote into the copy of such an object.
type MaybeWritten[T any] = convert.MaybeWrittenArgument[T]

// WrittenCopy is a [MaybeWritten] of a func that may keep the slice or map: it gets memory of its own.
type WrittenCopy[T any] = convert.CopiedArgument[T]

// Pointed is the type of a parameter that is a pointer to a slice, an array or a map of type T. P is what an object stands for that holds
// such a value. A list, a dict or an array gets what changed, as a [MaybeWritten] does, and a list another length. `selfsame-ffi wrap`
// writes such calls.
type Pointed[P convert.Pointing, T any] = convert.PointedArgument[P, T]

// Nilable is the type of a parameter of a slice or map type T for which None is nil, where nil is another argument than an empty one.
type Nilable[T any] = convert.Nilable[T]

// AllOrFirst is the type of the first parameter of a constructor of an array type A: all elements in one iterable, or the first of them, of
// type E, with the others behind it.
type AllOrFirst[A, E any] = convert.AllOrFirst[A, E]

// Letter is the type of a parameter that is a rune in Go: a text of one character, or its number.
type Letter = convert.Letter

// Timeout is the type of a parameter that says how long something may take: a timedelta, or a number of seconds.
type Timeout = convert.Timeout
