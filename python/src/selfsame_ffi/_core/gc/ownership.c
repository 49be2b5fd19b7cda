// Building the account. Runs inside the collector: nothing here runs Python code or changes a count.
#include "gc/ownership.h"

#include <stdlib.h>

#include "gc/read_memory.h"

enum { LARGE = 1 << 16 };  // nodes beyond which the memory is given back after use

void ss_account_reset(SsAccount* account) {
  if (account->room > LARGE) {
    free(account->nodes);
    free(account->edges);
    free(account->hash);
    free(account->work);
    *account = (SsAccount){0};
  }
  account->count = account->edge_count = 0;
  account->failed = 0;
  account->reads_left = 0;
  if (account->hash != NULL) memset(account->hash, 0, account->hash_size * sizeof(uint32_t));
}

// ---- nodes ----

static uint32_t place_of(const SsAccount* account, const TVMFFIObject* object) {
  uint64_t mixed = (uint64_t)(uintptr_t)object * UINT64_C(0x9E3779B97F4A7C15);
  return (uint32_t)(mixed >> 32) & (account->hash_size - 1);
}

// The place of an object's number in the hash table, or the empty one where it would be.
static uint32_t* entry_of(const SsAccount* account, const TVMFFIObject* object) {
  uint32_t place = place_of(account, object);
  while (account->hash[place] != 0 && account->nodes[account->hash[place] - 1].object != object) {
    place = (place + 1) & (account->hash_size - 1);
  }
  return &account->hash[place];
}

SsNode* ss_account_find(const SsAccount* account, const TVMFFIObject* object) {
  if (account->count == 0 || account->failed) return NULL;
  uint32_t number = *entry_of(account, object);
  return number == 0 ? NULL : &account->nodes[number - 1];
}

static int grow_nodes(SsAccount* account) {
  if (account->count < account->room) return 0;
  if (account->room > UINT32_MAX / 4) return -1;
  uint32_t room = account->room == 0 ? 256 : 2 * account->room;
  SsNode* nodes = realloc(account->nodes, room * sizeof(SsNode));
  if (nodes != NULL) account->nodes = nodes;
  uint32_t* work = realloc(account->work, room * sizeof(uint32_t));
  if (work != NULL) account->work = work;
  uint32_t* hash = calloc(2 * (size_t)room, sizeof(uint32_t));
  if (nodes == NULL || work == NULL || hash == NULL) {
    free(hash);
    return -1;
  }
  free(account->hash);
  account->hash = hash;
  account->hash_size = 2 * room;
  account->room = room;
  for (uint32_t i = 0; i < account->count; i++) *entry_of(account, account->nodes[i].object) = i + 1;
  return 0;
}

// The number of an object's node, made when there is none. UINT32_MAX when memory is used up.
static uint32_t number_of(SsAccount* account, TVMFFIObject* object) {
  if (grow_nodes(account) != 0) {
    account->failed = 1;
    return UINT32_MAX;
  }
  uint32_t* entry = entry_of(account, object);
  if (*entry == 0) {
    account->nodes[account->count] = (SsNode){.object = object};
    *entry = ++account->count;
  }
  return *entry - 1;
}

static void note_counts(SsNode* node, uint64_t counts) {
  node->strong = (uint32_t)counts;
  // A weak reference can be promoted by another thread at any time; strong references own one weak count together.
  if (counts >> 32 > 1) node->flags |= SS_NODE_WEAK;
  if (node->strong == 0 || counts >> 32 != 1) node->flags |= SS_NODE_OUTSIDE;
}

static uint64_t counts_of(const TVMFFIObject* object) {
  return __atomic_load_n(&object->combined_ref_count, __ATOMIC_ACQUIRE);
}

void ss_account_add(SsAccount* account, TVMFFIObject* object, SsWrapper* wrapper) {
  uint32_t number = number_of(account, object);
  if (number == UINT32_MAX) return;
  SsNode* node = &account->nodes[number];
  node->flags |= SS_NODE_THERE;
  if (wrapper != NULL) {
    node->wrapper = wrapper;
    // A call under way may be changing it without a reference of its own.
    if (ss_flags(wrapper) >= SS_PIN) node->flags |= SS_NODE_OUTSIDE | SS_NODE_BUSY;
  }
  note_counts(node, counts_of(object));
}

// ---- edges ----

typedef struct {
  SsAccount* account;
  uint32_t node;
} Adding;

static int add_edge(void* arg, TVMFFIObject* child) {
  Adding* adding = arg;
  SsAccount* account = adding->account;
  if (account->edge_count == account->edge_room) {
    uint32_t room = account->edge_room == 0 ? 1024 : 2 * account->edge_room;
    uint32_t* edges = room < account->edge_room ? NULL : realloc(account->edges, room * sizeof(uint32_t));
    if (edges == NULL) {
      account->failed = 1;
      return 1;
    }
    account->edges = edges;
    account->edge_room = room;
  }
  uint32_t number = number_of(account, child);
  if (number == UINT32_MAX) return 1;
  account->edges[account->edge_count++] = number;
  account->nodes[adding->node].count++;
  account->nodes[number].found++;
  return 0;
}

// Takes an unfinished reading back.
static void forget_edges(SsAccount* account, SsNode* node) {
  while (node->count > 0) {
    node->count--;
    account->nodes[account->edges[--account->edge_count]].found--;
  }
}

static int is_closed_alone(const SsNode* node) {
  return (node->flags & (SS_NODE_OUTSIDE | SS_NODE_SOLE)) == 0 && node->strong == ss_owners_found(node);
}

// Reads all that has no owners but closed ones: like one's own memory.
static void read_sole(SsAccount* account, uint32_t count) {
  uint32_t pending = 0;
  for (uint32_t i = 0; i < count; i++) {
    if (is_closed_alone(&account->nodes[i])) {
      account->nodes[i].flags |= SS_NODE_SOLE;
      account->work[pending++] = i;
    }
    while (pending > 0 && !account->failed) {
      uint32_t number = account->work[--pending];
      SsNode* node = &account->nodes[number];
      node->flags |= SS_NODE_READ;
      node->payload = ss_python_in(node->object);
      node->first = account->edge_count;
      Adding adding = {account, number};
      ss_read_own(node->object, add_edge, &adding);
      uint32_t first = account->nodes[number].first;
      for (uint32_t e = first; e < account->edge_count; e++) {
        SsNode* child = &account->nodes[account->edges[e]];
        if (child->strong == 0 && !(child->flags & SS_NODE_OUTSIDE)) note_counts(child, counts_of(child->object));
        if (is_closed_alone(child)) {
          child->flags |= SS_NODE_SOLE;
          account->work[pending++] = account->edges[e];
        }
      }
    }
  }
}

// Copies of the heads of the next natives that must be copied: they are read in the order of their numbers.
typedef struct {
  uint32_t numbers[SS_HEADS];
  int count, at;
  char heads[SS_HEADS][SS_HEAD_SIZE];
} Ahead;
static Ahead ahead;

// The copied head of a node's native. NULL when it cannot be read. Those behind it with none of the flags in `not` are
// copied along.
static const char* head_of(const SsAccount* account, uint32_t number, uint32_t not ) {
  while (ahead.at < ahead.count) {
    int at = ahead.at++;
    if (ahead.numbers[at] == number) return ahead.heads[at];
  }
  TVMFFIObject* natives[SS_HEADS];
  int n = 0;
  for (uint32_t i = number; i < account->count && n < SS_HEADS; i++) {
    if (i != number && (account->nodes[i].flags & (not | SS_NODE_THERE)) != 0) continue;
    ahead.numbers[n] = i;
    natives[n++] = account->nodes[i].object;
  }
  ahead.count = ss_copy_heads(natives, n, ahead.heads[0]);
  ahead.at = 1;
  return ahead.count > 0 ? ahead.heads[0] : NULL;
}

static void forget_heads(void) { ahead.count = ahead.at = 0; }

// Reads a native that others may be changing. 0, or -1 when it cannot be read.
static int read_shared(SsAccount* account, uint32_t number) {
  SsNode* node = &account->nodes[number];
  const char* head = NULL;
  if (!(node->flags & SS_NODE_THERE)) {
    if (--account->reads_left < 0) return -1;
    head = head_of(account, number, SS_NODE_READ | SS_NODE_OUTSIDE);
    if (head == NULL) return -1;
    note_counts(node, ((const TVMFFIObject*)head)->combined_ref_count);
  }
  node->payload = ss_payload_in_head(head == NULL ? (const char*)node->object : head);
  node->first = account->edge_count;
  Adding adding = {account, number};
  return ss_read_shared(node->object, head, &account->reads_left, add_edge, &adding);
}

static void read_rest(SsAccount* account) {
  forget_heads();
  for (uint32_t i = 0; i < account->count && !account->failed; i++) {
    SsNode* node = &account->nodes[i];
    if (node->flags & (SS_NODE_READ | SS_NODE_OUTSIDE)) continue;
    if (read_shared(account, i) != 0) {
      node = &account->nodes[i];
      forget_edges(account, node);
      node->payload = NULL;
      node->flags |= SS_NODE_OUTSIDE | SS_NODE_UNREADABLE;
    }
    account->nodes[i].flags |= SS_NODE_READ;
  }
}

// ---- the second reading ----

typedef struct {
  const SsAccount* account;
  const SsNode* node;
  uint32_t seen;
} Comparing;

static int compare_edge(void* arg, TVMFFIObject* child) {
  Comparing* comparing = arg;
  const SsAccount* account = comparing->account;
  uint32_t at = comparing->seen++;
  return at >= comparing->node->count || account->nodes[account->edges[comparing->node->first + at]].object != child;
}

int ss_account_holds(SsAccount* account, const SsNode* node, uint32_t more) {
  Comparing comparing = {account, node, 0};
  int64_t reads_left = INT64_MAX;
  uint64_t expected = ((uint64_t)1 << 32) + node->strong + more;
  int same;
  const char* head = NULL;
  if (node->flags & SS_NODE_SOLE || more > 0) {
    same = ss_read_own(node->object, compare_edge, &comparing) == 0;
  } else {
    if (!(node->flags & SS_NODE_THERE)) {
      head = head_of(account, (uint32_t)(node - account->nodes), SS_NODE_SOLE | SS_NODE_OUTSIDE);
      if (head == NULL) return 0;
    }
    same = ss_read_shared(node->object, head, &reads_left, compare_edge, &comparing) == 0;
  }
  const char* from = head == NULL ? (const char*)node->object : head;
  return same && comparing.seen == node->count && ((const TVMFFIObject*)from)->combined_ref_count == expected &&
         ss_payload_in_head(from) == node->payload;
}

// ---- what is outside ----

void ss_account_spread(SsAccount* account, uint32_t flag) {
  uint32_t pending = 0;
  for (uint32_t i = 0; i < account->count; i++) {
    if (account->nodes[i].flags & flag) account->work[pending++] = i;
  }
  while (pending > 0) {
    const SsNode* node = &account->nodes[account->work[--pending]];
    for (uint32_t e = 0; e < node->count; e++) {
      SsNode* child = &account->nodes[account->edges[node->first + e]];
      if (child->flags & flag) continue;
      child->flags |= flag;
      account->work[pending++] = account->edges[node->first + e];
    }
  }
}

int ss_account_close(SsAccount* account) {
  uint32_t given = account->count;
  account->reads_left = 64 + 16 * (int64_t)given;
  read_sole(account, given);
  read_rest(account);
  if (account->failed) return -1;
  for (uint32_t i = 0; i < account->count; i++) {
    SsNode* node = &account->nodes[i];
    if (node->strong != ss_owners_found(node)) node->flags |= SS_NODE_OUTSIDE;
  }
  ss_account_spread(account, SS_NODE_OUTSIDE);
  int changed = 0;
  forget_heads();
  for (uint32_t i = 0; i < account->count; i++) {
    SsNode* node = &account->nodes[i];
    if (!(node->flags & (SS_NODE_OUTSIDE | SS_NODE_SOLE)) && !ss_account_holds(account, node, 0)) {
      node->flags |= SS_NODE_OUTSIDE;
      changed = 1;
    }
  }
  if (changed) ss_account_spread(account, SS_NODE_OUTSIDE);
  return 0;
}
