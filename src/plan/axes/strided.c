/* SPDX-License-Identifier: Apache-2.0 */
#include "plan/axes/strided.h"

static void make_empty(strided_move *m) {
    m->rank = 1;
    m->axis[0] = (strided_axis){0, 1, 1};
}

void strided_of_axes(const perm_axes *axes, size_t elem_bytes, strided_move *out) {
    *out = (strided_move){.elem_bytes = elem_bytes, .rank = axes->rank};
    int64_t stride = 1;
    for (unsigned k = axes->rank; k-- > 0;) {
        out->axis[k].length = axes->shape[k];
        out->axis[k].src_stride = stride;
        stride *= (int64_t)axes->shape[k];
    }
    stride = 1;
    for (unsigned k = axes->rank; k-- > 0;) {
        out->axis[axes->order[k]].dst_stride = stride;
        stride *= (int64_t)axes->shape[axes->order[k]];
    }
    strided_normalize(out);
}

/* So that dst's stride is positive: the axis is walked from its other end. */
static void turn(strided_move *m, strided_axis *axis) {
    if (axis->dst_stride >= 0) return;
    const int64_t last = (int64_t)axis->length - 1;
    m->src_offset += last * axis->src_stride;
    m->dst_offset += last * axis->dst_stride;
    axis->src_stride = -axis->src_stride;
    axis->dst_stride = -axis->dst_stride;
}

/* Axes of length 1 go, the others are sorted by dst's stride. */
static void sort(strided_move *m) {
    unsigned kept = 0;
    for (unsigned k = 0; k < m->rank; k++) {
        strided_axis axis = m->axis[k];
        if (axis.length == 1) continue;
        turn(m, &axis);
        unsigned at = kept++;
        for (; at > 0 && m->axis[at - 1].dst_stride > axis.dst_stride; at--) m->axis[at] = m->axis[at - 1];
        m->axis[at] = axis;
    }
    m->rank = kept;
}

static bool continues(const strided_axis *inner, const strided_axis *outer) {
    int64_t src, dst;
    return !__builtin_mul_overflow(inner->src_stride, (int64_t)inner->length, &src) &&
           src == outer->src_stride &&
           !__builtin_mul_overflow(inner->dst_stride, (int64_t)inner->length, &dst) && dst == outer->dst_stride;
}

static void merge(strided_move *m) {
    unsigned kept = 0;
    for (unsigned k = 0; k < m->rank; k++) {
        if (kept > 0 && continues(&m->axis[kept - 1], &m->axis[k])) {
            m->axis[kept - 1].length *= m->axis[k].length;
        } else {
            m->axis[kept++] = m->axis[k];
        }
    }
    m->rank = kept;
}

void strided_normalize(strided_move *m) {
    for (unsigned k = 0; k < m->rank; k++) {
        if (m->axis[k].length != 0) continue;
        make_empty(m);
        return;
    }
    sort(m);
    merge(m);
}

uint64_t strided_elements(const strided_move *m) {
    uint64_t n = 1;
    for (unsigned k = 0; k < m->rank; k++) n *= m->axis[k].length;
    return n;
}

/* True if pairs of elements move together and begin at even places. */
static bool goes_by_pairs(const strided_move *m) {
    if (m->rank == 0 || m->axis[0].src_stride != 1 || m->axis[0].dst_stride != 1) return false;
    uint64_t odd = m->axis[0].length | (uint64_t)m->src_offset | (uint64_t)m->dst_offset;
    for (unsigned k = 1; k < m->rank; k++)
        odd |= (uint64_t)m->axis[k].src_stride | (uint64_t)m->axis[k].dst_stride;
    return odd % 2 == 0;
}

static void drop_first_axis(strided_move *m) {
    m->rank--;
    for (unsigned k = 0; k < m->rank; k++) m->axis[k] = m->axis[k + 1];
}

static void pair(strided_move *m) {
    m->elem_bytes *= 2;
    m->src_offset /= 2, m->dst_offset /= 2;
    m->axis[0].length /= 2;
    for (unsigned k = 1; k < m->rank; k++) m->axis[k].src_stride /= 2, m->axis[k].dst_stride /= 2;
    if (m->axis[0].length == 1) drop_first_axis(m);
}

/* Elements of another length than a unit may have: an axis of the longest units that they consist of. */
static void cut(strided_move *m) {
    const size_t most = STRIDED_LONGEST_UNIT, low = m->elem_bytes & (~m->elem_bytes + 1),
                 unit = low < most ? low : most;
    const int64_t units = (int64_t)(m->elem_bytes / unit);
    if (units == 1) return;
    m->elem_bytes = unit;
    m->src_offset *= units, m->dst_offset *= units;
    for (unsigned k = m->rank++; k > 0; k--) {
        m->axis[k] = m->axis[k - 1];
        m->axis[k].src_stride *= units, m->axis[k].dst_stride *= units;
    }
    m->axis[0] = (strided_axis){(uint64_t)units, 1, 1};
    merge(m);
}

void strided_choose_unit(strided_move *m, size_t alignment) {
    if (strided_elements(m) == 0) return;
    cut(m);
    const size_t longest = alignment < STRIDED_LONGEST_UNIT ? alignment : STRIDED_LONGEST_UNIT;
    while (m->elem_bytes * 2 <= longest && goes_by_pairs(m)) pair(m);
    m->alignment = longest;
}
