// The whole data plane, for package control and the tests in C; files of the data plane include the headers they need.
//
// Functions and variables named ss_* are hidden: only TVMFFI* and Selfsame* leave the library.
#ifndef SELFSAME_INTERNAL_PLANE_PLANE_H_
#define SELFSAME_INTERNAL_PLANE_PLANE_H_

#include <pthread.h>

#include "core/alloc.h"
#include "scalars/any.h"
#include "calls/batch.h"
#include "scalars/bigint.h"
#include "scalars/buffer.h"
#include "core/child.h"
#include "from_go.h"
#include "calls/global_functions.h"
#include "collections/key_hooks.h"
#include "collections/map.h"
#include "collections/map_key.h"
#include "collections/map_pairs.h"
#include "core/object_create.h"
#include "core/raise.h"
#include "walks/recursive.h"
#include "core/reflected_object.h"
#include "selfsame/internal/values.h"
#include "collections/sequence.h"
#include "core/startup.h"
#include "walks/structural.h"
#include "core/teardown.h"
#include "core/type_attributes.h"
#include "core/type_table.h"

#endif  // SELFSAME_INTERNAL_PLANE_PLANE_H_
