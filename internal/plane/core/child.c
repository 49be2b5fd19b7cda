// Loading a copy of the library in a forked child: see child.h.
#include "child.h"

#include <pthread.h>
#include <string.h>

#include "called.h"
#include "selfsame/internal/process.h"
#include "startup.h"

// The data that an original and its copy exchange.
typedef struct {
  SsGoEntry* entries;  // the original's table
  size_t num_entries;  // of entries
  int offered;         // the copy has written its entries into the table
} Handover;

static volatile uint64_t of_original = SS_SELF_COPY_NONE;  // in a copy: the address of the original's Handover
static Handover handover;
static pthread_mutex_t loading = PTHREAD_MUTEX_INITIALIZER;
uint32_t ss_fork_generation;

int ss_is_copy(void) { return of_original != SS_SELF_COPY_NONE; }

void ss_offer_entries(SsGoEntry* entries, size_t count) {
  if (!ss_is_copy()) {
    handover.entries = entries;
    handover.num_entries = count;
    return;
  }
  Handover* original = (Handover*)(uintptr_t)of_original;
  if (count != original->num_entries) return;
  memcpy(original->entries, entries, count * sizeof(SsGoEntry));
  original->offered = 1;
}

static int load_locked(char* message, size_t message_size) {
  handover.offered = 0;
  size_t count = (size_t)(ss_called_end - ss_called_begin);
  void* copy =
      ss_self_copy_load_go(&of_original, (uint64_t)(uintptr_t)&handover, ss_called_begin, count, message, message_size);
  if (copy == NULL) return 0;
  if (!handover.offered) {
    strncpy(message, "the copy of the library did not introduce itself", message_size - 1);
    message[message_size - 1] = '\0';
    return 0;
  }
  ss_go_is_back();
  return 1;
}

int ss_load_go(char* message, size_t message_size) {
  pthread_mutex_lock(&loading);
  int loaded = ss_has_go() || load_locked(message, message_size);
  pthread_mutex_unlock(&loading);
  return loaded;
}

void ss_child_fork_prepare(void) { pthread_mutex_lock(&loading); }
void ss_child_fork_parent(void) { pthread_mutex_unlock(&loading); }

void ss_child_fork_child(void) {
  pthread_mutex_init(&loading, NULL);
  ss_fork_generation++;
}

void ss_return_to_dead_go(void) {
  static const char text[] =
      "selfsame: a call from Go forked, and returned in the child, where the Go code that called does not run any "
      "more; such a child must end with exec or _exit\n";
  ss_say(text, sizeof text - 1);
  _exit(255);
}
