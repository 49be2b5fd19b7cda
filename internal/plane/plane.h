// The whole data plane, for package control and the tests in C; files of the data plane include the headers they need.
//
// Functions and variables named ss_* are hidden: only TVMFFI* and Selfsame* leave the library.
#ifndef SELFSAME_INTERNAL_PLANE_PLANE_H_
#define SELFSAME_INTERNAL_PLANE_PLANE_H_

#include <pthread.h>

#include "alloc.h"
#include "any.h"
#include "batch.h"
#include "bigint.h"
#include "buffer.h"
#include "child.h"
#include "from_go.h"
#include "global_functions.h"
#include "key_hooks.h"
#include "map.h"
#include "map_key.h"
#include "map_pairs.h"
#include "object_create.h"
#include "raise.h"
#include "recursive.h"
#include "reflected_object.h"
#include "selfsame/internal/values.h"
#include "sequence.h"
#include "startup.h"
#include "structural.h"
#include "teardown.h"
#include "type_attributes.h"
#include "type_table.h"

#endif  // SELFSAME_INTERNAL_PLANE_PLANE_H_
