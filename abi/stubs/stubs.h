// Private to selfsame: binding the stubs.
#ifndef SELFSAME_ABI_STUBS_STUBS_H_
#define SELFSAME_ABI_STUBS_STUBS_H_

// Binds every stub; 0 when they are bound, -1 when the process has no runtime or one that lacks a function. Any thread.
int ss_stubs_bind(void);

// dlsym in the library that was bound, NULL when none is or it has no such symbol.
void* ss_stubs_lookup(const char* symbol);

#endif  // SELFSAME_ABI_STUBS_STUBS_H_
