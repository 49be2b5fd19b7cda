// Functions for complex numbers of Windows' C library that NumPy imports, for a wine whose library ends the process there.
#include <complex.h>

// Windows passes these structures by value, and its long double is a double.
typedef struct {
  double re, im;
} Double;
typedef struct {
  float re, im;
} Single;

#define DOUBLE(z) __builtin_complex((z).re, (z).im)
#define SINGLE(z) __builtin_complex((z).re, (z).im)
#define EXPORT __declspec(dllexport)

#define TO_COMPLEX(name)                         \
  EXPORT Double filled_##name(Double z) {        \
    double complex made = name(DOUBLE(z));       \
    return (Double){creal(made), cimag(made)};   \
  }                                              \
  EXPORT Single filled_##name##f(Single z) {     \
    float complex made = name##f(SINGLE(z));     \
    return (Single){crealf(made), cimagf(made)}; \
  }

#define TO_REAL(name)                                               \
  EXPORT double filled_##name(Double z) { return name(DOUBLE(z)); } \
  EXPORT float filled_##name##f(Single z) { return name##f(SINGLE(z)); }

TO_REAL(cabs)
TO_REAL(carg)
TO_REAL(creal)
TO_REAL(cimag)
TO_COMPLEX(cacos)
TO_COMPLEX(cacosh)
TO_COMPLEX(casin)
TO_COMPLEX(casinh)
TO_COMPLEX(catan)
TO_COMPLEX(catanh)
TO_COMPLEX(ccos)
TO_COMPLEX(ccosh)
TO_COMPLEX(cexp)
TO_COMPLEX(clog)
TO_COMPLEX(csin)
TO_COMPLEX(csinh)
TO_COMPLEX(csqrt)
TO_COMPLEX(ctan)
TO_COMPLEX(ctanh)

EXPORT Double filled_cpow(Double z, Double w) {
  double complex made = cpow(DOUBLE(z), DOUBLE(w));
  return (Double){creal(made), cimag(made)};
}
EXPORT Single filled_cpowf(Single z, Single w) {
  float complex made = cpowf(SINGLE(z), SINGLE(w));
  return (Single){crealf(made), cimagf(made)};
}
