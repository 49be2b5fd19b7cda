// Runs a harness on the input files named on the command line, in order.
#include "fuzz.h"

int main(int argc, char** argv) {
  for (int i = 1; i < argc; i++) {
    FILE* file = fopen(argv[i], "rb");
    REQUIRE(file != NULL, "cannot open %s", argv[i]);
    // An allocation of exactly the input's size, so that the address sanitizer sees a read beyond its end.
    REQUIRE(fseek(file, 0, SEEK_END) == 0, "%s", argv[i]);
    long size = ftell(file);
    rewind(file);
    uint8_t* data = malloc(size > 0 ? (size_t)size : 1);
    REQUIRE(data != NULL && fread(data, 1, (size_t)size, file) == (size_t)size, "cannot read %s", argv[i]);
    fclose(file);
    fprintf(stderr, "%s\n", argv[i]);
    LLVMFuzzerTestOneInput(data, (size_t)size);
    free(data);
  }
  return 0;
}
