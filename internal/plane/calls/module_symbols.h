// The tables that TVMFFIEnvModRegisterContextSymbol and TVMFFIEnvModRegisterSystemLibSymbol fill. Any thread.
#ifndef SELFSAME_INTERNAL_PLANE_CALLS_MODULE_SYMBOLS_H_
#define SELFSAME_INTERNAL_PLANE_CALLS_MODULE_SYMBOLS_H_

#pragma GCC visibility push(hidden)
#ifdef __cplusplus
extern "C" {
#endif

typedef struct SsContextSymbol SsContextSymbol;
struct SsContextSymbol {
  SsContextSymbol* next;  // read with ss_context_symbol_next
  void* symbol;           // its address, in the library that offers it
  char name[];            // NUL-terminated
};

// The registered context symbols in order of registration, NULL at the end. An entry is never freed.
const SsContextSymbol* ss_context_symbols(void);
const SsContextSymbol* ss_context_symbol_next(const SsContextSymbol* symbol);

// The address registered for a symbol of the system library, or NULL.
void* ss_system_symbol(const char* name);

#ifdef __cplusplus
}  // extern "C"
#endif
#pragma GCC visibility pop

#endif  // SELFSAME_INTERNAL_PLANE_CALLS_MODULE_SYMBOLS_H_
