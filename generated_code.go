package selfsame

// SourceTexts tells what the parameters of funcs are called in their source, and the comments of funcs, types and
// fields. The keys of both are symbols. That of a func is such as example.com/geo.nearest or
// example.com/geo.(*Point).Norm, that of a func literal its package, file and line, that of a type such as
// example.com/geo.Point. That of a field is such as example.com/geo.Point.maxsize, in lower case and without
// underscores. Names are separated by blanks; "_" stands for one that callers cannot use. The texts hold for
// registrations that follow. Code that selfsame-ffi build writes calls it; it returns true. The caller must not change
// the maps any more. Any goroutine may call it.
func SourceTexts(names, comments map[string]string) bool {
	addSourceTexts(names, comments)
	return true
}
