package pypackage

import (
	"slices"
	"strings"
)

// standard are the modules of Python's standard library, from CPython 3.10 to 3.15. A package with one of these names
// would shadow the module and break its importers.
var standard = strings.Fields(`
	abc aifc annotationlib antigravity argparse array ast asynchat asyncio asyncore atexit audioop base64 bdb binascii binhex
	bisect builtins bz2 cProfile calendar cgi cgitb chunk cmath cmd code codecs codeop collections colorsys
	compileall compression concurrent configparser contextlib contextvars copy copyreg crypt csv ctypes curses dataclasses
	datetime dbm decimal difflib dis distutils doctest email encodings ensurepip enum errno faulthandler fcntl
	filecmp fileinput fnmatch fractions ftplib functools gc genericpath getopt getpass gettext glob graphlib grp
	gzip hashlib heapq hmac html http idlelib imaplib imghdr imp importlib inspect io ipaddress itertools json
	keyword lib2to3 linecache locale logging lzma mailbox mailcap marshal math mimetypes mmap modulefinder msilib
	msvcrt multiprocessing netrc nis nntplib nt ntpath nturl2path numbers opcode operator optparse os ossaudiodev
	pathlib pdb pickle pickletools pipes pkgutil platform plistlib poplib posix posixpath pprint profile profiling pstats
	pty pwd py_compile pyclbr pydoc pydoc_data pyexpat queue quopri random re readline reprlib resource
	rlcompleter runpy sched secrets select selectors shelve shlex shutil signal site smtpd smtplib sndhdr socket
	socketserver spwd sqlite3 sre_compile sre_constants sre_parse ssl stat statistics string stringprep struct
	subprocess sunau symtable sys sysconfig syslog tabnanny tarfile telnetlib tempfile termios textwrap this
	threading time timeit tkinter token tokenize tomllib trace traceback tracemalloc tty turtle turtledemo types
	typing unicodedata unittest urllib uu uuid venv warnings wave weakref webbrowser winreg winsound wsgiref
	xdrlib xml xmlrpc zipapp zipfile zipimport zlib zoneinfo
`)

// IsStandardModule reports whether a package with this name would shadow a module of Python, or selfsame_ffi.
func IsStandardModule(name string) bool {
	return name == "selfsame_ffi" || slices.Contains(standard, name)
}

// builtinNames are the names that every Python module has without an import.
var builtinNames = strings.Fields(`
	abs aiter all anext any ascii bin bool breakpoint bytearray bytes callable chr classmethod compile complex
	delattr dict dir divmod enumerate eval exec filter float format frozendict frozenset getattr globals hasattr hash hex
	id input int isinstance issubclass iter len list locals map max memoryview min next object oct open ord pow print
	property range repr reversed round set setattr slice sorted staticmethod str sum super tuple type vars zip
`)

// IsBuiltin reports whether a module that imports a package with this name would lose a builtin name of Python.
func IsBuiltin(name string) bool { return slices.Contains(builtinNames, name) }
