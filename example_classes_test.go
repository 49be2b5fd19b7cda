package selfsame_test

import (
	"fmt"
	"strings"

	"github.com/selfsame-ffi/selfsame"
)

// Level is an enum.
type Level struct {
	selfsame.IntEnum
	Loud bool
}

var LevelClass = selfsame.MustRegister[Level]("example.Level")

var (
	Info  = selfsame.MustMember(LevelClass, "info", 1, nil)
	Alarm = selfsame.MustMember(LevelClass, "alarm", 5, func(l *Level) { l.Loud = true })
)

func ExampleMember() {
	for _, level := range LevelClass.Members() {
		fmt.Println(level.Get().Name(), level.Get().Number(), level.Get().Loud, level == Alarm)
	}
	if level, ok := LevelClass.MemberFor(5); ok {
		switch level {
		case Info:
			fmt.Println("for your information")
		case Alarm:
			fmt.Println("run")
		}
	}
	// Output:
	// info 1 false false
	// alarm 5 true true
	// run
}

// Message has defaults, a list of its own, and a text of its own.
type Message struct {
	selfsame.Object
	Text  selfsame.String
	Level selfsame.Ref[Level]
	Tags  selfsame.List[string]
	Delay selfsame.Field[selfsame.Optional[float64]]
}

var MessageClass = selfsame.MustRegister[Message]("example.Message",
	selfsame.Init(func(m *Message, text string, level *selfsame.Handle[Level], tag string) {
		m.Text.Set(text)
		m.Level.Set(level)
		m.Tags.Append(tag)
	}, "text", "level", "tag='untagged'"),
	selfsame.Repr(func(m *Message) string { return fmt.Sprintf("[%s] %s", m.Level.Ptr().Name(), m.Text.Get()) }))

func ExampleInit() {
	h, err := selfsame.NewObject("example.Message", "hello", Info)
	if err != nil {
		fmt.Println(err)
		return
	}
	m := selfsame.Cast[Message](h)
	fmt.Println(m.Get().Text.Get(), m.Get().Tags.Slice(), m.Get().Delay.Get().OK)
	m.Get().Delay.Set(selfsame.Some(1.5))
	delay, _ := selfsame.GetField(m, "delay")
	fmt.Println(delay)
	_, err = selfsame.NewObject("example.Message", "hello")
	fmt.Println(err)
	// Output:
	// hello [untagged] false
	// 1.5
	// TypeError: example.Message: argument 'level': missing
}

func ExampleRepr() {
	m := MessageClass.New(func(m *Message) {
		m.Text.Set("fire")
		m.Level.Set(Alarm)
	})
	repr, _ := selfsame.GetFunc("ffi.ReprPrint")
	fmt.Println(repr.Call([]any{m, 1}))
	// Output: ([alarm] fire, 1) <nil>
}

func ExampleSetField() {
	m := MessageClass.New(nil)
	fmt.Println(selfsame.SetField(m, "tags", []string{"a", "b"}), m.Get().Tags.Slice())
	fmt.Println(selfsame.SetField(m, "tags", []any{"a", 2}))
	// Output:
	// <nil> [a b]
	// TypeError: Cannot convert from type `List[index 1: int]` to `List<str>` (field `example.Message.tags`)
}

func ExampleHandle_Release() {
	m := MessageClass.New(nil)
	m.Release()
	fmt.Println(m.Released())
	defer func() {
		text, _, _ := strings.Cut(fmt.Sprint(recover()), "\n") // with -tags debug, where it was made and released follows
		fmt.Println(text)
	}()
	m.Get()
	// Output:
	// true
	// RuntimeError: selfsame: Handle[selfsame_test.Message]: used after Release
}

func ExampleCast() {
	type Circle3 = Circle // what Go calls a class does not matter
	made, err := selfsame.NewObject("example.Circle", 2)
	if err != nil {
		fmt.Println(err)
		return
	}
	circle := selfsame.Cast[Circle3](made)
	fmt.Println(circle.Get().Radius, selfsame.Same(circle, made))
	_, ok := selfsame.As[Message](made)
	fmt.Println(ok)
	// Output:
	// 2 true
	// false
}

func ExampleLoadModule() {
	m, err := selfsame.LoadModule("no/such/kernels.so")
	if err != nil {
		fmt.Println("there is no such library")
		return
	}
	axpy, err := m.Func("axpy")
	if err != nil {
		fmt.Println(err)
		return
	}
	add, err := selfsame.Bind[func(a float64, x, y *selfsame.Tensor) error](axpy)
	if err != nil {
		fmt.Println(err)
		return
	}
	_ = add
	// Output: there is no such library
}
