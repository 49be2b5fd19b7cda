// Looking a key up in a Map or Dict without entering Go, for keys that need nobody else's code to be hashed and
// compared. What is known of the layout here is only what reading takes; package container has the rest.
#include <string.h>

#include "containers.h"

// A key, ready to be compared: text by its bytes, anything else by type and payload.
typedef struct {
  int32_t type_index;  // Str and Bytes for small ones too
  int is_text;
  TVMFFIByteArray text;
  uint64_t bits;
} plain_key;

static const uint64_t long_jumps[] = {
    8515,
    19110,
    42778,
    96141,
    216153,
    486591,
    1092981,
    2458653,
    5532801,
    12442566,
    27993903,
    62983476,
    141717030,
    318844378,
    717352503,
    1614057336,
    3631522476,
    8170957530,
    18384510628,
    41364789378,
    93070452520,
    209408356380,
    471168559170,
    1060128894105,
    2385289465695,
    5366898840628,
    12075518705635,
    27169915244790,
    61132312065111,
    137547689707000,
    309482283181501,
    696335127828753,
    1566753995631385,
    3525196511162271,
    7931691992677701,
    17846306936293605,
    40154190677507445,
    90346928918121501,
    203280589587557251,
    457381325854679626,
    1029107982097042876,
    2315492959180353330,
    5209859154120846435,
};

// The distance that the jump bits of a slot stand for; 0 at the end of a chain.
static uint64_t jump_distance(uint8_t jump) {
  if (jump < 16) return jump;
  if (jump < 83) return (uint64_t)(jump - 10) * (jump - 9) / 2;
  return jump < 126 ? long_jumps[jump - 83] : 0;
}

static uint64_t combine(uint64_t hash, uint64_t value) {
  return hash ^ (value + 0x9e3779b9 + (hash << 6) + (hash >> 2));
}

static uint64_t hash_text(const TVMFFIByteArray* text) {
  uint64_t hash = 0;
  for (size_t i = 0; i < text->size; i += 8) {
    uint64_t word = 0;
    size_t rest = text->size - i;
    memcpy(&word, text->data + i, rest < 8 ? rest : 8);
    hash = (hash * UINT64_C(1099511628211) + word) % 2147483647;
  }
  return hash;
}

static uint64_t hash_key(const plain_key* key) {
  return combine((uint64_t)(int64_t)key->type_index, key->is_text ? hash_text(&key->text) : key->bits);
}

static int is_equal(const plain_key* key, const TVMFFIAny* stored) {
  if (!key->is_text) return stored->type_index == key->type_index && stored->v_uint64 == key->bits;
  TVMFFIByteArray text;
  if (!ss_any_bytes(stored, &text)) return 0;
  int stored_is_string = stored->type_index == kTVMFFIStr || stored->type_index == kTVMFFISmallStr;
  return stored_is_string == (key->type_index == kTVMFFIStr) && text.size == key->text.size &&
         (text.size == 0 || memcmp(text.data, key->text.data, text.size) == 0);
}

static int has_value(ss_column** column, const char* name, int32_t type_index) {
  ss_column* c = __atomic_load_n(column, __ATOMIC_ACQUIRE);
  if (c == NULL) {
    TVMFFIByteArray text = {name, strlen(name)};
    c = ss_column_find(&text);
    if (c == NULL) return 0;
    __atomic_store_n(column, c, __ATOMIC_RELEASE);
  }
  int32_t size = __atomic_load_n(&c->column.size, __ATOMIC_ACQUIRE);
  if (type_index >= size) return 0;
  const TVMFFIAny* data = __atomic_load_n(&c->column.data, __ATOMIC_ACQUIRE);
  return data[type_index].type_index != kTVMFFINone;
}

// Whether a class hashes or compares its objects itself.
static int has_hooks(int32_t type_index) {
  static ss_column *hash, *equal;
  return has_value(&hash, "__any_hash__", type_index) || has_value(&equal, "__any_equal__", type_index);
}

// Returns 0 for a key that is not plain.
static int make_key(const TVMFFIAny* view, plain_key* key) {
  key->is_text = 0;
  key->type_index = view->type_index;
  key->bits = view->v_uint64;
  switch (view->type_index) {
    case kTVMFFINone:
      key->bits = 0;
      return 1;
    case kTVMFFIBool:
      key->bits = view->v_int64 != 0;
      return 1;
    case kTVMFFIInt:
    case kTVMFFIFloat:
    case kTVMFFIOpaquePtr:
    case kTVMFFIDevice:
      return 1;
    case kTVMFFIRawStr:
      if (view->v_c_str == NULL) return 0;
      key->is_text = 1;
      key->type_index = kTVMFFIStr;
      key->text = (TVMFFIByteArray){view->v_c_str, strlen(view->v_c_str)};
      return 1;
    case kTVMFFISmallStr:
    case kTVMFFISmallBytes:
      if (view->small_str_len > 7) return 0;
      key->is_text = ss_any_bytes(view, &key->text);
      key->type_index = view->type_index == kTVMFFISmallStr ? kTVMFFIStr : kTVMFFIBytes;
      return 1;
    case kTVMFFIStr:
    case kTVMFFIBytes:
      if (view->v_obj == NULL) return 0;
      key->is_text = ss_any_bytes(view, &key->text);
      return 1;
    default:
      return view->type_index >= kTVMFFIStaticObjectBegin && view->v_obj != NULL && !has_hooks(view->type_index);
  }
}

// Where a key is, or SS_NO_SLOT.
static uint64_t find_small(const ss_hash_cell* cell, const plain_key* key) {
  const ss_pair* pairs = cell->data;
  for (uint64_t i = 0; i < cell->size; i++) {
    if (is_equal(key, &pairs[i].key)) return i;
  }
  return SS_NO_SLOT;
}

static uint64_t home_of(const ss_hash_cell* cell, const plain_key* key) {
  return hash_key(key) * UINT64_C(11400714819323198485) >> (cell->shift & 63);
}

static uint64_t find_dense(const ss_hash_cell* cell, const plain_key* key, uint64_t home) {
  uint64_t slot = home;
  uint8_t state = *ss_hash_state(cell, slot);
  if (state & 0x80) return SS_NO_SLOT;  // no chain begins here
  for (;;) {
    if (is_equal(key, &ss_hash_item_at(cell, slot)->pair.key)) return slot;
    uint64_t distance = jump_distance(state & 0x7f);
    if (distance == 0) return SS_NO_SLOT;
    slot = (slot + distance) & (cell->slots - 1);
    state = *ss_hash_state(cell, slot);
  }
}

int ss_hash_find(TVMFFIObject* map, const TVMFFIAny* key, const ss_pair** out) {
  plain_key plain;
  if (!make_key(key, &plain)) return 0;
  const ss_hash_cell* cell = ss_hash_cell_of(map);
  *out = NULL;
  if (cell->size == 0) return 1;
  if (ss_hash_is_small(cell)) {
    uint64_t i = find_small(cell, &plain);
    if (i != SS_NO_SLOT) *out = (const ss_pair*)cell->data + i;
  } else {
    uint64_t slot = find_dense(cell, &plain, home_of(cell, &plain));
    if (slot != SS_NO_SLOT) *out = &ss_hash_item_at(cell, slot)->pair;
  }
  return 1;
}

// ---- storing
// -----------------------------------------------------------------------------------------------------------

// Links a slot, or the end, to its neighbour in order of insertion.
static void set_next(ss_hash_cell* cell, uint64_t slot, uint64_t next) {
  *(slot == SS_NO_SLOT ? &cell->head : &ss_hash_item_at(cell, slot)->next) = next;
}

static void set_prev(ss_hash_cell* cell, uint64_t slot, uint64_t prev) {
  *(slot == SS_NO_SLOT ? &cell->tail : &ss_hash_item_at(cell, slot)->prev) = prev;
}

static void append_to_order(ss_hash_cell* cell, uint64_t slot) {
  ss_hash_item* item = ss_hash_item_at(cell, slot);
  item->prev = cell->tail;
  item->next = SS_NO_SLOT;
  set_next(cell, cell->tail, slot);
  cell->tail = slot;
}

static void move_to_end(ss_hash_cell* cell, uint64_t slot) {
  const ss_hash_item* item = ss_hash_item_at(cell, slot);
  set_next(cell, item->prev, item->next);
  set_prev(cell, item->next, item->prev);
  append_to_order(cell, slot);
}

// Puts a value into a cell that has one, and releases that when all is done.
static int replace(TVMFFIAny* cell, const TVMFFIAny* value) {
  TVMFFIAny old = *cell, owned;
  if (TVMFFIAnyViewToOwnedAny(value, &owned) != 0) return -1;
  *cell = owned;
  ss_any_reset(&old);
  return 1;
}

static int fill(ss_pair* pair, const TVMFFIAny* key, const TVMFFIAny* value) {
  ss_pair owned;
  if (TVMFFIAnyViewToOwnedAny(key, &owned.key) != 0) return -1;
  if (TVMFFIAnyViewToOwnedAny(value, &owned.value) != 0) {
    ss_any_reset(&owned.key);
    return -1;
  }
  *pair = owned;
  return 1;
}

static int set_small(ss_hash_cell* cell, const plain_key* plain, const TVMFFIAny* key, const TVMFFIAny* value) {
  uint64_t slots = cell->slots & ~((uint64_t)1 << 63);
  if (cell->size >= slots && slots >= 4) return 0;  // becomes a hash table
  uint64_t i = find_small(cell, plain);
  ss_pair* pairs = cell->data;
  if (i != SS_NO_SLOT) return replace(&pairs[i].value, value);
  if (cell->size >= slots) return 0;
  int rc = fill(&pairs[cell->size], key, value);
  if (rc == 1) cell->size++;
  return rc;
}

static int set_dense(ss_hash_cell* cell, const plain_key* plain, const TVMFFIAny* key, const TVMFFIAny* value) {
  if (cell->slots == 0) return 0;
  uint64_t home = home_of(cell, plain);
  uint8_t* state = ss_hash_state(cell, home);
  if (*state == 0xff) {
    int rc = fill(&ss_hash_item_at(cell, home)->pair, key, value);
    if (rc != 1) return rc;
    *state = 0;
    append_to_order(cell, home);
    cell->size++;
    return 1;
  }
  uint64_t slot = find_dense(cell, plain, home);
  if (slot == SS_NO_SLOT) return 0;
  TVMFFIAny* stored = &ss_hash_item_at(cell, slot)->pair.value;
  TVMFFIAny old = *stored, owned;
  if (TVMFFIAnyViewToOwnedAny(value, &owned) != 0) return -1;
  *stored = owned;
  move_to_end(cell, slot);
  ss_any_reset(&old);
  return 1;
}

int ss_hash_set(TVMFFIObject* map, const TVMFFIAny* key, const TVMFFIAny* value) {
  plain_key plain;
  if (!make_key(key, &plain)) return 0;
  ss_hash_cell* cell = ss_hash_cell_of(map);
  return ss_hash_is_small(cell) ? set_small(cell, &plain, key, value) : set_dense(cell, &plain, key, value);
}
