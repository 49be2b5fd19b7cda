// Private to selfsame: binding the stubs.
#ifndef SELFSAME_INTERNAL_STUBS_STUBS_H_
#define SELFSAME_INTERNAL_STUBS_STUBS_H_

// Binds every stub; 0 when they are bound, -1 when the process has no runtime or one that lacks a function. Any thread.
int ss_stubs_bind(void);

// dlsym in the library that was bound, NULL when none is or it has no such symbol.
void* ss_stubs_lookup(const char* symbol);

// The state that a copy of this library in a forked child takes over from its original, so that both use the same
// runtime.
typedef struct {
  const struct SsStubsBound* functions;
  const int* is_bound;
  void* const* library;
} SsStubsBinding;

// This library's binding: addresses of variables of static storage.
SsStubsBinding ss_stubs_binding(void);

// Binds this library as its original is bound; does nothing if that is not bound. Only before Go starts.
void ss_stubs_take_over(SsStubsBinding original);

#endif  // SELFSAME_INTERNAL_STUBS_STUBS_H_
