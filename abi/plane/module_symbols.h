// Symbols that are given to libraries or taken from the program: what stands behind TVMFFIEnvModRegister*.
#ifndef SELFSAME_ABI_PLANE_MODULE_SYMBOLS_H_
#define SELFSAME_ABI_PLANE_MODULE_SYMBOLS_H_

#pragma GCC visibility push(hidden)
#ifdef __cplusplus
extern "C" {
#endif

typedef struct ss_context_symbol ss_context_symbol;
struct ss_context_symbol {
  ss_context_symbol* next;  // read with ss_context_symbol_next
  void* symbol;
  char name[];
};

// The registered context symbols, the first registered first. An entry is never freed. Any thread.
const ss_context_symbol* ss_context_symbols(void);
const ss_context_symbol* ss_context_symbol_next(const ss_context_symbol* symbol);

// The address registered for a symbol of the system library, or NULL. Any thread.
void* ss_system_symbol(const char* name);

#ifdef __cplusplus
}  // extern "C"
#endif
#pragma GCC visibility pop

#endif  // SELFSAME_ABI_PLANE_MODULE_SYMBOLS_H_
