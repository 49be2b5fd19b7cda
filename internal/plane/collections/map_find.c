// Finding a key in a Map or Dict.
#include "map.h"
#include "map_key.h"
#include "selfsame/internal/map_cursor.h"
#include "selfsame/internal/values.h"

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

uint64_t ss_map_jump(uint8_t jump) {
  if (jump < 16) return jump;
  if (jump < 83) return (uint64_t)(jump - 10) * (jump - 9) / 2;
  return jump < 126 ? long_jumps[jump - 83] : 0;
}

uint64_t ss_map_find_small(const SsMapCell* cell, const SsKey* key) {
  for (uint64_t i = 0; i < cell->size; i++) {
    int equal = ss_key_equal(key, &((const SsEntry*)cell->data)[i].key);
    if (equal) return equal < 0 ? SS_FIND_RAISED : i;
  }
  return SS_NO_BUCKET;
}

uint64_t ss_map_find_dense(const SsMapCell* cell, const SsKey* key, uint64_t home) {
  uint64_t bucket = home;
  uint8_t control = *ss_map_control(cell, bucket);
  if (control & SS_CONTROL_MEMBER) return SS_NO_BUCKET;  // no chain begins here
  for (;;) {
    int equal = ss_key_equal(key, &ss_map_bucket(cell, bucket)->entry.key);
    if (equal) return equal < 0 ? SS_FIND_RAISED : bucket;
    uint64_t distance = ss_map_jump(control & SS_CONTROL_JUMP);
    if (distance == 0) return SS_NO_BUCKET;
    bucket = (bucket + distance) & (cell->capacity - 1);
    control = *ss_map_control(cell, bucket);
  }
}

int ss_map_find(TVMFFIObject* map, const TVMFFIAny* key, const SsEntry** out) {
  const SsMapCell* cell = ss_map_cell(map);
  SsKey made;
  TVMFFIAny owned;
  *out = NULL;
  if (ss_key_begin(key, cell, &made, &owned) != 0) return -1;
  uint64_t index = ss_map_find_index(cell, &made);
  if (index < SS_FIND_RAISED) *out = ss_map_entry_at(cell, index);
  ss_any_clear(&owned);
  return index == SS_FIND_RAISED ? -1 : 0;
}
