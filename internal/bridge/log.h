// Private to selfsame: the log of what this library registered with the runtime, which outlives its Go.
//
// Nothing that is registered can be registered twice or taken back. So the new Go of a forked child registers nothing
// that the log has: it binds its Go func to the id of the old one, and finds the type index, layout and Function
// objects that exist.
#ifndef SELFSAME_INTERNAL_BRIDGE_LOG_H_
#define SELFSAME_INTERNAL_BRIDGE_LOG_H_

#include <stddef.h>
#include <stdint.h>

typedef enum {
  SS_LOGGED_CLASS,     // name: the type key
  SS_LOGGED_FIELD,     // name: the field's; so for the kinds below
  SS_LOGGED_METADATA,  // no name
  SS_LOGGED_METHOD,
  SS_LOGGED_ATTR,
  SS_LOGGED_INIT,     // the constructor that the runtime derives from the fields; no name
  SS_LOGGED_MEMBER,   // of an enum
  SS_LOGGED_FUNCTION  // a global function
} SsLoggedKind;

enum { SS_LOGGED_BEGUN, SS_LOGGED_DONE, SS_LOGGED_FAILED };

// An entry. Never freed.
typedef struct SsLogged {
  struct SsLogged* before;  // the entry that was written before this one
  SsLoggedKind kind;        // what was registered
  int32_t type_index;       // -1: none
  uint32_t state;           // atomic
  uint64_t id;              // of the Go func; 0: none
  void* layout;             // of a class: its SsLayout
  size_t name_size;         // of `name`, in bytes
  char name[];              // without a NUL at the end
} SsLogged;

// Writes an entry, with the state SS_LOGGED_BEGUN. The caller then registers and stores the new state. NULL: out of
// memory. Any thread, no lock.
SsLogged* ss_bridge_log(SsLoggedKind kind, int32_t type_index, uint64_t id, const char* name, size_t size);

// The entry that was written last, or NULL.
SsLogged* ss_bridge_last_logged(void);

#endif  // SELFSAME_INTERNAL_BRIDGE_LOG_H_
