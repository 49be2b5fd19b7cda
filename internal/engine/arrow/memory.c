#include "memory.h"

#include <stdlib.h>
#include <string.h>

static int64_t live;

int64_t ss_arrow_live(void) { return __atomic_load_n(&live, __ATOMIC_RELAXED); }

static void count(int64_t more) { __atomic_fetch_add(&live, more, __ATOMIC_RELAXED); }

void ss_arrow_schema_release(SsArrowSchema* schema) {
  if (schema->release != NULL) schema->release(schema);
}

void ss_arrow_array_release(SsArrowArray* array) {
  if (array->release != NULL) array->release(array);
}

void ss_arrow_stream_release(SsArrowStream* stream) {
  if (stream->release != NULL) stream->release(stream);
}

// A consumer may move a child elsewhere: its release is NULL then.
static void release_schema(SsArrowSchema* schema) {
  for (int64_t i = 0; schema->children != NULL && i < schema->n_children; i++) {
    ss_arrow_schema_release(schema->children[i]);
    free(schema->children[i]);
  }
  free(schema->children);
  free(schema->private_data);  // format and name
  schema->release = NULL;
  count(-1);
}

static void release_array(SsArrowArray* array) {
  for (int64_t i = 0; array->children != NULL && i < array->n_children; i++) {
    ss_arrow_array_release(array->children[i]);
    free(array->children[i]);
  }
  for (int64_t i = 0; array->buffers != NULL && i < array->n_buffers; i++) free((void*)array->buffers[i]);
  free(array->children);
  free(array->buffers);
  array->release = NULL;
  count(-1);
}

// Returns pointers to n zeroed blocks, or NULL when out of memory. *made: how many blocks there are.
static void** new_children(int64_t n, size_t size, int64_t* made) {
  void** children = calloc(n > 0 ? (size_t)n : 1, sizeof(void*));
  for (*made = 0; children != NULL && *made < n; ++*made) {
    if ((children[*made] = calloc(1, size)) == NULL) break;
  }
  return children;
}

int ss_arrow_schema_init(SsArrowSchema* out, const char* format, size_t format_size, const char* name, size_t name_size,
                         int64_t flags, int64_t n_children) {
  *out = (SsArrowSchema){.flags = flags, .release = release_schema};
  count(1);
  out->children = (SsArrowSchema**)new_children(n_children, sizeof(SsArrowSchema), &out->n_children);
  char* texts = out->private_data = calloc(1, format_size + name_size + 2);
  if (texts == NULL || out->children == NULL || out->n_children < n_children) {
    release_schema(out);
    return -1;
  }
  memcpy(texts, format, format_size);
  memcpy(texts + format_size + 1, name, name_size);
  out->format = texts;
  out->name = texts + format_size + 1;
  return 0;
}

int ss_arrow_array_init(SsArrowArray* out, int64_t length, int64_t n_buffers, int64_t n_children) {
  *out = (SsArrowArray){.length = length, .release = release_array};
  count(1);
  out->children = (SsArrowArray**)new_children(n_children, sizeof(SsArrowArray), &out->n_children);
  out->buffers = calloc((size_t)n_buffers, sizeof(void*));
  if (out->buffers != NULL) out->n_buffers = n_buffers;
  if (out->buffers == NULL || out->children == NULL || out->n_children < n_children) {
    release_array(out);
    return -1;
  }
  return 0;
}

void* ss_arrow_buffer(SsArrowArray* array, int64_t at, size_t size, int zeroed) {
  // Readers take whole words of 64 bits.
  size_t whole = (size | 7) + 1;
  void* made = zeroed ? calloc(1, whole) : malloc(whole);
  array->buffers[at] = made;
  return made;
}

int ss_arrow_get_schema(SsArrowStream* stream, SsArrowSchema* out) { return stream->get_schema(stream, out); }

int ss_arrow_get_next(SsArrowStream* stream, SsArrowArray* out) { return stream->get_next(stream, out); }

const char* ss_arrow_last_error(SsArrowStream* stream) { return stream->get_last_error(stream); }
