// The list of spare blocks; see spare_blocks.h.
#include "wrapper/spare_blocks.h"

#include <stdlib.h>

#if !SS_FREE_THREADED

SsSpareBlocks ss_spare_blocks;

void ss_spare_blocks_init(void) { ss_spare_blocks.limit = getenv("PYTHONMALLOC") == NULL ? SS_SPARE_BLOCKS : 0; }

#endif
