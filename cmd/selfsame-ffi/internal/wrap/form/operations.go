package form

import (
	"go/token"
	"go/types"
)

// Op says what an Operation does.
type Op int

// The operations. Where the comment says no other, they are methods; in brackets stand the parts of Operation that they need.
const (
	Calls           Op = iota // a method without arguments, for its result [Go, Value, Into]
	Closes                    // a method without arguments, without a result or with an error [Go, Fails]
	Measures                  // how many elements there are [Length]
	Equals                    // a method of another value, which says whether both are equal [Go, Key, Fails]
	Compares                  // a method of another value, whose result is compared with 0 [Go, Key, Token, Fails]
	Sorts                     // the elements, by methods of the type
	ComparesValue             // the value with another one [Token]
	EqualsParts               // compares all parts of the value with those of another one
	Converts                  // the value, to a plain type [Value]
	Plain                     // the same as a property [Value]
	Hashes                    // the value, of any comparable type
	HashesParts               // the value, of parts that may not be comparable
	HashesNumber              // the value, a number
	HashesText                // the value, a string
	HashesType                // nothing of the value: what compares values says nothing of a hash
	IsNotZero                 // says whether a number is not 0
	IsNotEmpty                // says whether a string is not empty
	TextInBrackets            // the class and the text that a method returns [Go]
	TextAsCode                // the class and the plain value [Value]
	AllBytes                  // the bytes of an array or a slice
	EqualsBytes               // compares the bytes of slices
	Contains                  // a method of one value that returns a bool [Go, Key]
	GetsElement               // by an index, of a slice or by a method [Go, Value, Length]
	SetsElement               // by an index and a method [Go, Value, Length, Fails]
	DeletesElement            // by an index and a method [Go, Length, Fails]
	HasKey                    // by a method that finds the value of a key [Go, Key]
	GetsKey                   // the same for the value [Go, Key, Value, IsIndex]
	SetsKey                   // by a method [Go, Key, Value, Fails]
	DeletesKey                // by a method if the one that finds values knows it [Go, By, Key]
	Links                     // the elements of a linked list, by the method for the first one [Go, Value]
	StepsIndices              // the values of the indices from 0 on, until there is none [Go, Value]
	StepsEach                 // the elements with which a method calls a func [Go, Value, Params, At, Asks]
	StepsUntilEOF             // the values that a method, or the func itself, returns with an error, io.EOF at the end [Go, Value, NilEnds]
	StepsIfMore               // one method says whether there is a value, before another returns it [Go, By, Value, Fails]
	StepsWhileFound           // the values that a method, or the func itself, returns with a bool [Go, Value]
	StepsThen                 // one method says whether there is a value, and another returns it [Go, By, Value, Fails: Err has an error]
	StepsRows                 // one method says whether there is a row, and Columns and Scan read it [Go]
	Bits                      // of the value and another one [Token, Swapped]
	Inverts                   // the bits of the value
	Calculates                // with the value and another one [Token, Swapped]
	Negates                   // the value
	Joins                     // the object and another one, by a package func [Func, Key]
	Operates                  // a method of another value that returns a third [Go, Key, Value, Into, Fails]
	StartsSum                 // 0 and the value, which is that [Value]
	MakesOfInt                // a static method that makes a value of an int, by a package func [Func, Value]
	CallsFirst                // a method without arguments, for the first of two results [Go, Value]
	CallsNot                  // a method that returns a bool, for the other one [Go]
	HasSign                   // a method that returns the sign, for whether there is one [Go]

	ContextInit      // a constructor
	ContextDone      // a property
	ContextEnd       // ends the context
	ContextErr       // why it has ended
	ContextDeadline  // when it ends
	ContextValue     // of a key
	ContextWithValue // a context with a value for a key
	FolderInit       // a constructor of a file system
	PlaceInit        // a constructor of a class of places
	PlaceValue       // a property of one
)

// Operation is a member whose code follows from what it does, most of them Python's special methods.
type Operation struct {
	Op         Op
	Of         *Class
	Go, By     string // methods of Go; of Links in a dict By is the field of the key
	Has        string // the method that says whether there is a value, "" where the one that returns it does
	Key, Value types.Type
	Length     string // the method that measures, "" for the length of the value itself
	Token      token.Token
	Func       *types.Func
	Swapped    bool         // the other value stands in front
	Fails      bool         // the method returns an error
	IsIndex    bool         // the key is an index
	Into       bool         // the method stores its result in the object, and takes all operands
	NilEnds    bool         // nil without an error is the end too
	Waits      bool         // a step may wait for something from outside
	Params     []types.Type // of the func that a method calls with each element
	At         int          // which of them is the element
	Asks       bool         // the func says whether to go on
}
