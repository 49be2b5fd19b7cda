// What an Error refers to: its cause and its extra context. Release 0.1.8 of the headers added both to the cell, and nothing in
// an object says by which headers it was made. Each library makes its Errors itself, so one process has both kinds. In an older
// one the place of the two holds something else: with C++ the std::string of the kind. So they are read through this header only.
// It decides by where the text of the kind lies. Any thread; nothing in it changes while an Error lives.
#ifndef SELFSAME_INTERNAL_ERROR_LINKS_H_
#define SELFSAME_INTERNAL_ERROR_LINKS_H_

#include <stddef.h>

#include "selfsame/c_api.h"
#include "selfsame/internal/system_copy.h"

// Distances from the cell. In both layouts C++ puts the std::string of the kind behind the cell, with a short text in itself.
enum {
  SS_ERROR_OLD_END = offsetof(TVMFFIErrorCell, cause_chain),
  SS_ERROR_OWN_KIND = sizeof(TVMFFIErrorCell) + 8,         // of the runtime's Errors; error.c in internal/plane
  SS_ERROR_LIBSTDCXX_KIND = sizeof(TVMFFIErrorCell) + 16,  // {data, size, text}
  SS_ERROR_LIBCXX_KIND = sizeof(TVMFFIErrorCell) + 1,      // {size, text}
#if defined(_WIN32) || defined(__APPLE__)
  SS_ERROR_OTHER_KIND = sizeof(TVMFFIErrorCell),  // {text, size}
#else
  SS_ERROR_OTHER_KIND = -1,  // there an older one of libstdc++ has its kind
#endif
};

// Whether the Error whose cell lies at `cell`, and whose kind has its text at `kind`, was made with both fields. A doubtful one
// has none.
static inline int ss_error_has_links(const TVMFFIErrorCell* cell, const char* kind) {
  uintptr_t at = (uintptr_t)kind - (uintptr_t)cell;
  if (at == SS_ERROR_OWN_KIND || at == SS_ERROR_LIBSTDCXX_KIND || at == SS_ERROR_LIBCXX_KIND) return 1;
  if (kind == NULL || (at >= SS_ERROR_OLD_END && at < sizeof(TVMFFIErrorCell))) return 0;
  // The text lies elsewhere. An older object may end here, before memory that cannot be read, so the system copies.
  uintptr_t words[5] = {0}, text = (uintptr_t)kind;
  SsPiece local = {words, sizeof(words)}, remote = {(char*)(uintptr_t)cell + SS_ERROR_OLD_END, sizeof(words)};
  if (ss_system_copy(&local, &remote, 1) != sizeof(words)) return 0;
  int old =
      words[0] == text || words[0] % sizeof(void*) != 0;  // a std::string: {data, ...}, or {capacity + 1, size, data}
  return !old && (words[2] == text || words[4] == text || (intptr_t)at == SS_ERROR_OTHER_KIND);
}

// The cause and the extra context, borrowed from the Error, or NULL.
static inline TVMFFIObject* ss_error_cause(const TVMFFIErrorCell* cell) {
  return ss_error_has_links(cell, cell->kind.data) ? cell->cause_chain : NULL;
}
static inline TVMFFIObject* ss_error_context(const TVMFFIErrorCell* cell) {
  return ss_error_has_links(cell, cell->kind.data) ? __atomic_load_n(&cell->extra_context, __ATOMIC_SEQ_CST) : NULL;
}

#endif  // SELFSAME_INTERNAL_ERROR_LINKS_H_
