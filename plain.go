package selfsame

// Plain makes a function exchange containers as the languages' own. In its parameters any stands for Go's own types all
// the way down: a dict arrives as map[string]any (map[any]any if a key is no str), a list as []any, a datetime as
// time.Time. Its results are Python's dict and list instead of Map and Array, which suits json.dumps:
//
//	selfsame.MustRegisterFunc("rules.apply", func(doc map[string]any) (map[string]any, error) { ... }, selfsame.Plain())
//
// As an option of a class it holds for the constructor and all methods. Values are copied, so containers lose their identity.
// Objects of classes stay objects: *Handle in Go.
func Plain() PlainOption { return PlainOption{} }

// PlainOption is what [Plain] returns, for [RegisterFunc] and [Register].
type PlainOption struct{}

func (PlainOption) applyToFunc(o *funcOptions)   { o.plain = true }
func (PlainOption) applyToClass(o *classOptions) { o.plain = true }
