// Looking a key up in a Map or Dict without entering Go, for keys that need nobody else's code to be hashed and
// compared. What is known of the layout here is only what reading takes; package container has the rest.
#include "containers.h"
#include "map_key.h"

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

uint64_t ss_hash_jump(uint8_t jump) {
  if (jump < 16) return jump;
  if (jump < 83) return (uint64_t)(jump - 10) * (jump - 9) / 2;
  return jump < 126 ? long_jumps[jump - 83] : 0;
}

uint64_t ss_hash_find_small(const SsMapCell* cell, const ss_plain_key* key) {
  const SsEntry* pairs = cell->data;
  for (uint64_t i = 0; i < cell->size; i++) {
    if (ss_key_equal(key, &pairs[i].key)) return i;
  }
  return SS_NO_BUCKET;
}

uint64_t ss_hash_find_dense(const SsMapCell* cell, const ss_plain_key* key, uint64_t home) {
  uint64_t slot = home;
  uint8_t state = *ss_map_control(cell, slot);
  if (state & SS_CONTROL_MEMBER) return SS_NO_BUCKET;  // no chain begins here
  for (;;) {
    if (ss_key_equal(key, &ss_map_bucket(cell, slot)->entry.key)) return slot;
    uint64_t distance = ss_hash_jump(state & SS_CONTROL_JUMP);
    if (distance == 0) return SS_NO_BUCKET;
    slot = (slot + distance) & (cell->capacity - 1);
    state = *ss_map_control(cell, slot);
  }
}

int ss_hash_find(TVMFFIObject* map, const TVMFFIAny* key, const SsEntry** out) {
  ss_plain_key plain;
  if (!ss_key_make(key, &plain)) return 0;
  const SsMapCell* cell = ss_map_cell(map);
  *out = NULL;
  if (cell->size == 0) return 1;
  if (ss_map_is_small(cell)) {
    uint64_t i = ss_hash_find_small(cell, &plain);
    if (i != SS_NO_BUCKET) *out = (const SsEntry*)cell->data + i;
  } else {
    uint64_t slot = ss_hash_find_dense(cell, &plain, ss_hash_home(cell, ss_key_hash(&plain)));
    if (slot != SS_NO_BUCKET) *out = &ss_map_bucket(cell, slot)->entry;
  }
  return 1;
}
