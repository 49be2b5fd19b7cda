// Text from outside as a terminal may show it: see shown.h.
#include "shown.h"

#include <stdint.h>

// The hidden characters of internal/shown, in pairs of the first and the last one.
static const uint32_t hidden[][2] = {
    {0x00, 0x08},     {0x0B, 0x1F},     {0x7F, 0x9F},     {0x061C, 0x061C}, {0x115F, 0x1160},  {0x180E, 0x180E},
    {0x200B, 0x200B}, {0x200E, 0x200F}, {0x2028, 0x202E}, {0x2060, 0x206F}, {0x3164, 0x3164},  {0xFDD0, 0xFDEF},
    {0xFEFF, 0xFEFF}, {0xFFA0, 0xFFA0}, {0xFFF9, 0xFFFB}, {0xFFFE, 0xFFFF}, {0xE0000, 0xE0FFF}};

static int is_hidden(uint32_t c) {
  for (size_t i = 0; i < sizeof hidden / sizeof *hidden; i++) {
    if (hidden[i][0] <= c && c <= hidden[i][1]) return 1;
  }
  return (c & 0xFFFE) == 0xFFFE;
}

// The number of bytes of the UTF-8 character at `text`, which is stored in *c; 0 when these are none.
static size_t decode(const unsigned char* text, size_t left, uint32_t* c) {
  static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  size_t size = text[0] < 0x80   ? 1
                : text[0] < 0xC0 ? 0
                : text[0] < 0xE0 ? 2
                : text[0] < 0xF0 ? 3
                : text[0] < 0xF8 ? 4
                                 : 0;
  if (size == 0 || size > left) return 0;
  *c = size == 1 ? text[0] : text[0] & (0x7Fu >> size);
  for (size_t i = 1; i < size; i++) {
    if ((text[i] & 0xC0) != 0x80) return 0;
    *c = *c << 6 | (text[i] & 0x3Fu);
  }
  return *c < least[size] || *c > 0x10FFFF || (0xD800 <= *c && *c <= 0xDFFF) ? 0 : size;
}

void ss_print_shown(FILE* to, const char* text, size_t size) {
  for (size_t i = 0; i < size;) {
    uint32_t c = 0;
    size_t bytes = decode((const unsigned char*)text + i, size - i, &c);
    if (bytes == 0) {
      fprintf(to, "\\x%02x", (unsigned char)text[i]);
    } else if (!is_hidden(c)) {
      fwrite(text + i, 1, bytes, to);
    } else {
      fprintf(to, c <= 0xFF ? "\\x%02x" : c <= 0xFFFF ? "\\u%04x" : "\\U%08x", c);
    }
    i += bytes == 0 ? 1 : bytes;
  }
}
