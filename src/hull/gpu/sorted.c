/* SPDX-License-Identifier: Apache-2.0 */
#include "hull/gpu/sorted.h"

#include "device/workspace.h"

enum { SCRATCH_BYTES = 512 };

uint32_t hull_coordinate_of(riffle_type type) {
    switch (type) {
    case RIFFLE_TYPE_I8: return HULL_OF_I8;
    case RIFFLE_TYPE_U8: return HULL_OF_U8;
    case RIFFLE_TYPE_I16: return HULL_OF_I16;
    case RIFFLE_TYPE_U16: return HULL_OF_U16;
    case RIFFLE_TYPE_I32: return HULL_OF_I32;
    case RIFFLE_TYPE_U32: return HULL_OF_U32;
    case RIFFLE_TYPE_I64: return HULL_OF_I64;
    case RIFFLE_TYPE_U64: return HULL_OF_U64;
    case RIFFLE_TYPE_F64: return HULL_OF_F64;
    default: return HULL_OF_F32;
    }
}

/* Both sides with their ends, the lower one at a multiple of a tile. */
static uint32_t room_for(uint64_t records, uint32_t tile) {
    return (uint32_t)(records + 4 + 2 * (uint64_t)tile);
}

size_t hull_sorted_place(const hull_sizes *sizes, const hull_source *from, void *workspace,
                         hull_sorted_table *out) {
    const size_t record = hull_record_bytes(hull_record_kind(from->coordinate));
    const uint32_t limit = 2 * sizes->sample;
    const uint32_t room[HULL_ARENAS] = {[HULL_SAMPLED] = room_for(2 * (uint64_t)limit, sizes->tile),
                                        [HULL_KEPT] = room_for(from->most, sizes->tile)};
    const bool samples = from->most > sizes->direct;
    launch_workspace a = {workspace, 0};
    *out = (hull_sorted_table){.from = *from,
                               .room = {room[0], room[1]},
                               .limit = limit,
                               .tile = sizes->tile,
                               .sample = sizes->sample,
                               .direct = sizes->direct,
                               .grain = sizes->grain,
                               .rounds = sizes->rounds};
    const uint32_t longest = max(samples ? room[HULL_SAMPLED] : 0, room[HULL_KEPT]);
    const size_t tiles = longest / sizes->tile + 2;
    out->state = launch_take(&a, sizeof *out->state);
    out->partial = launch_take(&a, 2 * sizes->blocks * record);
    for (unsigned k = 0; k < 2; k++) out->lengths[k] = launch_take(&a, tiles * sizeof *out->lengths[k]);
    out->cuts = launch_take(&a, 2 * tiles * sizeof *out->cuts);
    for (unsigned k = 0; k < 2; k++) out->records[HULL_KEPT][k] = launch_take(&a, room[HULL_KEPT] * record);
    if (!samples) return a.bytes;
    for (unsigned k = 0; k < 2; k++)
        out->records[HULL_SAMPLED][k] = launch_take(&a, room[HULL_SAMPLED] * record);
    out->cells = launch_take(&a, 2 * ((size_t)sizes->grain + 1) * sizeof *out->cells);
    out->far = launch_take(&a, room[HULL_SAMPLED] * sizeof *out->far);
    return a.bytes;
}

size_t hull_sorted_shared_bytes(const hull_sizes *sizes, uint32_t coordinate) {
    const size_t record = hull_record_bytes(hull_record_kind(coordinate));
    const size_t tile = 2 * sizes->tile * record + 3 * sizes->tile * sizeof(uint16_t),
                 ends = 2 * sizes->threads * record;
    return max(max(tile, ends), SCRATCH_BYTES);
}
