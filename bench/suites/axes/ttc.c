/* SPDX-License-Identifier: Apache-2.0
 *
 * The benchmark of the Tensor Transpose Compiler, which HPTT, cuTT and others have been measured by: Springer, Hammond
 * and Bientinesi, "TTC: A high-performance Compiler for Tensor Transpositions", ACM TOMS 44 (2017)
 * (arXiv:1603.02297). 19 orders of 2 to 6 axes of which no two can be made one, each in three shapes of about 200 MiB:
 * with axes of similar lengths, with a long first axis of the source, and with a long first axis of the result. Axes
 * that are first on either side have multiples of 16.
 *
 * As published, the first axis is the one whose elements are adjacent, and axis i of the result is axis order[i] of the
 * source. For 4 bytes the shapes are those of HPTT's benchmark.sh (github.com/springer13/hptt), which are those of
 * TTC's benchmark.py (github.com/HPAC/TTC) but for the first (7248 there); for 8 bytes they follow from the latter's
 * rule.
 */
#include <stdio.h>

#include "axes/axes.h"

enum { SHAPES = 3 };

static const struct {
    const char *order;
    const char *of_4[SHAPES], *of_8[SHAPES];
} cases[BENCH_TTC_ROWS / SHAPES] = {
    {"1,0", {"7264x7264", "43408x1216", "1216x43408"}, {"5120x5120", "30736x864", "864x30736"}},
    {"0,2,1", {"368x384x384", "2144x64x384", "368x64x2307"}, {"288x304x304", "1728x50x304", "288x50x1852"}},
    {"1,0,2", {"384x384x355", "2320x384x59", "384x2320x59"}, {"304x304x283", "1840x304x47", "304x1840x47"}},
    {"2,1,0", {"384x355x384", "2320x59x384", "384x59x2320"}, {"304x283x304", "1840x47x304", "304x47x1840"}},
    {"0,3,2,1",
     {"80x96x75x96", "464x16x75x96", "80x16x75x582"},
     {"64x80x64x80", "400x13x64x80", "64x13x64x492"}},
    {"2,1,3,0",
     {"96x75x96x75", "608x12x96x75", "96x12x608x75"},
     {"80x64x80x64", "512x10x80x64", "80x10x512x64"}},
    {"2,0,3,1",
     {"96x75x96x75", "608x12x96x75", "96x12x608x75"},
     {"80x64x80x64", "512x10x80x64", "80x10x512x64"}},
    {"1,0,3,2",
     {"96x96x75x75", "608x96x12x75", "96x608x12x75"},
     {"80x80x64x64", "512x80x10x64", "80x512x10x64"}},
    {"3,2,1,0",
     {"96x75x75x96", "608x12x75x96", "96x12x75x608"},
     {"80x64x64x80", "512x10x64x80", "80x10x64x512"}},
    {"0,4,2,1,3",
     {"32x48x28x28x48", "176x8x28x28x48", "32x8x28x28x298"},
     {"32x32x29x29x32", "208x5x29x29x32", "32x5x29x29x214"}},
    {"3,2,1,4,0",
     {"48x28x28x48x28", "352x4x28x48x28", "48x4x28x352x28"},
     {"32x29x29x32x29", "256x4x29x32x29", "32x4x29x256x29"}},
    {"2,0,4,1,3",
     {"48x28x48x28x28", "352x4x48x28x28", "48x4x352x28x28"},
     {"32x29x32x29x29", "256x4x32x29x29", "32x4x256x29x29"}},
    {"1,3,0,4,2",
     {"48x48x28x28x28", "352x48x4x28x28", "48x352x4x28x28"},
     {"32x32x29x29x29", "256x32x4x29x29", "32x256x4x29x29"}},
    {"4,3,2,1,0",
     {"48x28x28x28x48", "352x4x28x28x48", "48x4x28x28x352"},
     {"32x29x29x29x32", "256x4x29x29x32", "32x4x29x29x256"}},
    {"0,3,2,5,4,1",
     {"16x32x15x32x15x15", "48x10x15x32x15x15", "16x10x15x103x15x15"},
     {"16x32x12x32x12x12", "48x10x12x32x12x12", "16x10x12x126x12x12"}},
    {"3,2,0,5,1,4",
     {"32x15x15x32x15x15", "112x5x15x32x15x15", "32x5x15x112x15x15"},
     {"32x12x12x32x12x12", "128x4x12x32x12x12", "32x4x12x128x12x12"}},
    {"2,0,4,1,5,3",
     {"32x15x32x15x15x15", "112x5x32x15x15x15", "32x5x112x15x15x15"},
     {"32x12x32x12x12x12", "128x4x32x12x12x12", "32x4x128x12x12x12"}},
    {"3,2,5,1,0,4",
     {"32x15x15x32x15x15", "112x5x15x32x15x15", "32x5x15x112x15x15"},
     {"32x12x12x32x12x12", "128x4x12x32x12x12", "32x4x12x128x12x12"}},
    {"5,4,3,2,1,0",
     {"32x15x15x15x15x32", "112x5x15x15x15x32", "32x5x15x15x15x112"},
     {"32x12x12x12x12x32", "128x4x12x12x12x32", "32x4x12x12x12x128"}},
};

/* Both sides from last axis to first. */
static bench_axes reversed(const bench_axes *axes) {
    bench_axes out = {.rank = axes->rank};
    for (unsigned a = 0; a < axes->rank; ++a) {
        const unsigned last = axes->rank - 1;
        out.shape[a] = axes->shape[last - a];
        out.order[a] = last - axes->order[last - a];
    }
    return out;
}

bench_axes bench_axes_ttc(size_t k, size_t elem_bytes) {
    const char *const *shapes = elem_bytes == 4 ? cases[k / SHAPES].of_4 : cases[k / SHAPES].of_8;
    char by[BENCH_AXES_SPEC];
    bench_axes published;
    snprintf(by, sizeof by, "axes:%s:%s", shapes[k % SHAPES], cases[k / SHAPES].order);
    bench_axes_read(by, &published);
    return reversed(&published);
}
