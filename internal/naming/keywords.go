package naming

import "strings"

// Python has the keywords of Python 3.9 to 3.13.
var Python = &Language{Normal: true, Keywords: strings.Fields(`False None True and as assert async await break class continue def del elif else
	except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield`)}

// Rust has the keywords of the edition of 2024, those without a use among them, and the pattern that is no name.
var Rust = &Language{ASCII: true, Keywords: strings.Fields(`_ Self abstract as async await become box break const continue crate do
	dyn else enum extern false final fn for gen if impl in let loop macro match mod move mut override priv pub ref return self
	static struct super trait true try type typeof unsafe unsized use virtual where while yield`)}

// Cpp has the keywords of C++20, and macros of the usual headers and compilers that could be names.
var Cpp = &Language{ASCII: true, Keywords: strings.Fields(`EOF INFINITY NAN NULL assert errno linux major makedev minor offsetof
	stderr stdin stdout unix alignas alignof and and_eq asm auto bitand bitor bool break case catch
	char char8_t char16_t char32_t class compl concept const consteval constexpr constinit const_cast continue co_await co_return
	co_yield decltype default delete do double dynamic_cast else enum explicit export extern false float for friend goto if
	inline int long mutable namespace new noexcept not not_eq nullptr operator or or_eq private protected public register
	reinterpret_cast requires return short signed sizeof static static_assert static_cast struct switch template this thread_local
	throw true try typedef typeid typename union unsigned using virtual void volatile wchar_t while xor xor_eq`)}

// Go has the keywords of Go, and the blank identifier, which cannot be used as a name.
var Go = &Language{Keywords: strings.Fields(`_ break case chan const continue default defer else fallthrough for func go goto if
	import interface map package range return select struct switch type var`)}
