/* SPDX-License-Identifier: Apache-2.0 */
#include "hull/predict/draw.h"

#include <math.h>

#include "base/splitmix.h"

double hull_drawn_number(const hull_draw *draw, uint64_t k) {
    uint64_t seed = draw->number, state = splitmix_next(&seed) + k;
    return (double)(splitmix_next(&state) >> 11) * 0x1p-53;
}

double hull_drawn_coordinate(riffle_type type, double number) {
    if (type == RIFFLE_TYPE_F64) return number;
    if (type == RIFFLE_TYPE_F32) return (float)number;
    const double values = ldexp(1, 8 * (int)riffle_type_bytes(type)), at = floor(number * values);
    return type >= RIFFLE_TYPE_U8 && type <= RIFFLE_TYPE_U64 ? at : at - values / 2;
}

hull_f64 hull_drawn(const hull_draw *draw, uint64_t i) {
    return (hull_f64){hull_drawn_coordinate(draw->type, hull_drawn_number(draw, 2 * i)),
                      hull_drawn_coordinate(draw->type, hull_drawn_number(draw, 2 * i + 1))};
}

#define FILL(single)                                                                                           \
    for (uint64_t k = 0; k < 2 * n; k++)                                                                       \
        ((single *)out)[k] = (single)hull_drawn_coordinate(type, hull_drawn_number(&draw, k));                 \
    break

void hull_draw_points(riffle_type type, uint64_t n, void *out) {
    const hull_draw draw = {type, 0};
    switch (type) {
    case RIFFLE_TYPE_I8: FILL(int8_t);
    case RIFFLE_TYPE_I16: FILL(int16_t);
    case RIFFLE_TYPE_I32: FILL(int32_t);
    case RIFFLE_TYPE_I64: FILL(int64_t);
    case RIFFLE_TYPE_U8: FILL(uint8_t);
    case RIFFLE_TYPE_U16: FILL(uint16_t);
    case RIFFLE_TYPE_U32: FILL(uint32_t);
    case RIFFLE_TYPE_U64: FILL(uint64_t);
    case RIFFLE_TYPE_F32: FILL(float);
    default: FILL(double);
    }
}

#undef FILL
