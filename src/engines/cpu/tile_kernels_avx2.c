#include "engines/cpu/tile_kernels.h"
const tile_kernels *tile_kernels_avx2(void) { return NULL; }
