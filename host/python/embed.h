// The interpreter's library in this process: opened, initialised, ended. Everything else goes through selfsame_ffi.
#ifndef SELFSAME_HOST_PYTHON_EMBED_H_
#define SELFSAME_HOST_PYTHON_EMBED_H_

#include <stddef.h>

// The functions return 0, or -1 with text in `message`, which has room for `size` bytes.

// Loads a library that others need under the name, unless the system has one of that name.
void ss_embed_preload(const char* library, const char* name);
// Loads the library and finds the functions of CPython that this needs, all of them of its stable interface but two.
int ss_embed_open(const char* library, char* message, size_t size);
// Makes the interpreter, whose main thread becomes the caller, which is attached afterwards. `home` may be empty.
// Where `isolated` is not 0, Python ignores its variables of the environment and the packages of the user.
int ss_embed_initialise(const char* executable, const char* home, int isolated, char* message, size_t size);
// Runs code. `kind` gets the class of the exception; it has room for `size` bytes too. The caller is attached.
int ss_embed_run(const char* name, const char* source, char* kind, char* message, size_t size);
// Detaches the main thread, which initialised Python.
void ss_embed_detach(void);
// Attaches the main thread again and ends Python. Not 0 when its standard output could not be written.
int ss_embed_finalise(void);

#endif  // SELFSAME_HOST_PYTHON_EMBED_H_
