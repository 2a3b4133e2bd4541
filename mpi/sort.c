/* SPDX-License-Identifier: Apache-2.0
 *
 *     from_keys -- sort --> sorted -- cut at exact pivots, messages --> runs, one of each rank -- merge --> keys
 *
 * Values, or indices among all, go along as tags.
 */
#include <stdlib.h>

#include "agree.h"
#include "communicator.h"
#include "parcels.h"
#include "splits.h"

typedef struct sorting {
    communicator all;
    const riffle_sort_key *key;
    const riffle_mpi_sort_arrays *arrays;
    riffle_mpi_sort_options asked;
    size_t tag_bytes;                       /* of a value or an index; 0: neither */
    uint64_t *shares, *brought;             /* each rank's count and from_count */
    riffle_sort_plan *order;                /* of this rank's elements */
    void *sorted, *tags, *came, *came_tags; /* this rank's elements in order, and its share in runs */
    bool has_room; /* for its elements of its own; else they are sorted where the share comes in the end */
    parcels moved;
    unsigned rounds;
} sorting;

/* ------------------------------------------------------------------ what all ranks must have alike */

static uint64_t hash_key(const riffle_sort_key *key) {
    uint64_t hash = hash_add(hash_text(2, key->before), key->elem_bytes);
    hash = hash_add(hash, key->fields);
    for (unsigned k = 0; k < key->fields && k < RIFFLE_SORT_MAX_FIELDS; k++) {
        const riffle_sort_field *const field = &key->field[k];
        hash = hash_add(hash_add(hash, (uint64_t)field->kind), field->bytes);
        hash = hash_text(hash_add(hash_add(hash, field->offset), field->descending), field->name);
    }
    return hash;
}

static riffle_status agree_on_sort(MPI_Comm comm, riffle_status own, const riffle_sort_key *key,
                                   const riffle_mpi_sort_options *asked) {
    const bool is_whole = own == RIFFLE_OK;
    const claim claims[] = {
        claim_of_build(),
        {"the bytes of an element", is_whole ? key->elem_bytes : 0, true},
        {"the key", is_whole ? hash_key(key) : 0, false},
        {"the bytes of a value", asked->value_bytes, true},
        {"options", hash_add(hash_add(3, asked->indices), asked->plain_bytes), false},
    };
    return agree_on(comm, own, claims, sizeof claims / sizeof *claims);
}

static riffle_status check_arguments(const riffle_sort_key *key, const riffle_mpi_sort_arrays *arrays,
                                     const riffle_mpi_sort_options *asked) {
    if (key == NULL) return mpi_fail(RIFFLE_ERROR_INVALID_ARGUMENT, "key is NULL");
    if (arrays == NULL) return mpi_fail(RIFFLE_ERROR_INVALID_ARGUMENT, "arrays is NULL");
    if (asked->indices && asked->value_bytes > 0)
        return mpi_fail(RIFFLE_ERROR_INVALID_ARGUMENT, "values and indices exclude each other; ask for one");
    const struct {
        const char *name;
        const void *array;
        bool is_wanted;
    } all[] = {
        {"from_keys", arrays->from_keys, arrays->from_count > 0},
        {"keys", arrays->keys, arrays->count > 0},
        {"from_values", arrays->from_values, asked->value_bytes > 0 && arrays->from_count > 0},
        {"values", arrays->values, asked->value_bytes > 0 && arrays->count > 0},
        {"indices", arrays->indices, asked->indices && arrays->count > 0},
    };
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        if (all[k].is_wanted && all[k].array == NULL)
            return mpi_fail(RIFFLE_ERROR_INVALID_ARGUMENT, "%s is NULL", all[k].name);
    return RIFFLE_OK;
}

/* Each rank knows how many elements all bring and get. */
static riffle_status tell_counts(sorting *s) {
    const size_t ranks = (size_t)s->all.ranks;
    uint64_t brought = 0, wanted = 0;
    s->shares = calloc(2 * ranks, sizeof *s->shares);
    riffle_status status = riffle_mpi_agree(
        s->all.comm, s->shares != NULL ? RIFFLE_OK : mpi_fail_memory("counts", 2 * ranks * sizeof *s->shares));
    if (status != RIFFLE_OK) return status;
    s->brought = s->shares + ranks;
    status =
        mpi_result(MPI_Allgather(&s->arrays->count, 1, MPI_UINT64_T, s->shares, 1, MPI_UINT64_T, s->all.comm),
                   "MPI_Allgather");
    if (status == RIFFLE_OK)
        status = mpi_result(
            MPI_Allgather(&s->arrays->from_count, 1, MPI_UINT64_T, s->brought, 1, MPI_UINT64_T, s->all.comm),
            "MPI_Allgather");
    if (status != RIFFLE_OK) return status;
    for (size_t k = 0; k < ranks; k++) {
        if (s->shares[k] > RIFFLE_MAX_LENGTH || s->brought[k] > RIFFLE_MAX_LENGTH)
            return mpi_fail(RIFFLE_ERROR_LENGTH, "rank %zu has more than 2^%d elements", k, RIFFLE_MAX_BITS);
        brought += s->brought[k];
        wanted += s->shares[k];
        if (brought > RIFFLE_MAX_LENGTH || wanted > RIFFLE_MAX_LENGTH)
            return mpi_fail(RIFFLE_ERROR_LENGTH, "all ranks together have more than 2^%d elements",
                            RIFFLE_MAX_BITS);
    }
    if (brought == wanted) return RIFFLE_OK;
    return mpi_fail(RIFFLE_ERROR_INVALID_ARGUMENT,
                    "the ranks bring %llu elements and want %llu; let counts have the sum of from_counts",
                    (unsigned long long)brought, (unsigned long long)wanted);
}

/* ------------------------------------------------------------------ phases */

static unsigned threads_of(const sorting *s) { return s->asked.threads > 0 ? s->asked.threads : 1; }

static uint64_t brought_before(const sorting *s) {
    uint64_t n = 0;
    for (int k = 0; k < s->all.rank; k++) n += s->brought[k];
    return n;
}

static void *tags_to(const sorting *s) {
    return s->asked.indices ? (void *)s->arrays->indices : s->arrays->values;
}

static riffle_status make_room(sorting *s) {
    const riffle_status status = riffle_buffer_create(s->arrays->count * s->key->elem_bytes, &s->came);
    return status == RIFFLE_OK ? riffle_buffer_create(s->arrays->count * s->tag_bytes, &s->came_tags) : status;
}

static riffle_status find_room(sorting *s) {
    const uint64_t n = s->arrays->from_count;
    s->has_room = s->arrays->count < n;
    s->sorted = s->arrays->keys;
    s->tags = tags_to(s);
    if (!s->has_room) return RIFFLE_OK;
    s->sorted = s->tags = NULL;
    const riffle_status status = riffle_buffer_create(n * s->key->elem_bytes, &s->sorted);
    return status == RIFFLE_OK ? riffle_buffer_create(n * s->tag_bytes, &s->tags) : status;
}

static void free_room(const sorting *s) {
    if (!s->has_room) return;
    riffle_buffer_free(s->sorted, s->arrays->from_count * s->key->elem_bytes);
    riffle_buffer_free(s->tags, s->arrays->from_count * s->tag_bytes);
}

static riffle_status sort_own(sorting *s) {
    const riffle_mpi_sort_arrays *const a = s->arrays;
    const riffle_sort_options options = {.value_bytes = s->asked.value_bytes,
                                         .index_bytes = s->asked.indices ? s->tag_bytes : 0,
                                         .threads = threads_of(s)};
    riffle_status status =
        riffle_sort_plan_create(a->from_count, s->key, RIFFLE_ENGINE_CPU, &options, &s->order);
    if (status == RIFFLE_OK) status = find_room(s);
    if (status != RIFFLE_OK) return status;
    const bool has_values = s->asked.value_bytes > 0;
    status =
        riffle_sort_execute(s->order, &(riffle_sort_arrays){.keys = s->sorted,
                                                            .values = has_values ? s->tags : NULL,
                                                            .indices = s->asked.indices ? s->tags : NULL,
                                                            .from_keys = a->from_keys,
                                                            .from_values = has_values ? a->from_values : NULL});
    uint64_t *const indices = s->tags;
    const uint64_t before = brought_before(s);
    for (uint64_t i = 0; s->asked.indices && i < a->from_count; i++) indices[i] += before;
    return status;
}

static riffle_status carry(sorting *s) {
    const size_t plain_bytes = communicator_plain_bytes(s->asked.plain_bytes);
    riffle_status status = riffle_mpi_agree(s->all.comm, parcels_create(&s->all, plain_bytes, &s->moved));
    if (status != RIFFLE_OK) return status;
    const splits cut = {.all = &s->all,
                        .key = s->key,
                        .order = s->order,
                        .sorted = s->sorted,
                        .n = s->arrays->from_count,
                        .share = s->shares};
    status = splits_find(&cut, s->moved.given, &s->rounds);
    if (status == RIFFLE_OK) status = parcels_tell(&s->moved);
    if (status == RIFFLE_OK) status = parcels_carry(&s->moved, s->key->elem_bytes, s->sorted, s->came);
    if (status == RIFFLE_OK && s->tag_bytes > 0)
        status = parcels_carry(&s->moved, s->tag_bytes, s->tags, s->came_tags);
    return status;
}

/* Of floats that are nothing else zeros and NaNs have an order of their own in sorts, which merges do not make. */
static bool are_floats_alone(const sorting *s) {
    return s->key->before == NULL && s->tag_bytes == 0 && s->key->fields == 1 &&
           s->key->field[0].kind == RIFFLE_SORT_KEY_FLOAT && s->key->field[0].bytes == s->key->elem_bytes;
}

/* The runs that came, each rank's, become one. */
static riffle_status merge_runs(sorting *s) {
    const size_t ranks = (size_t)s->all.ranks;
    const bool is_merge = !are_floats_alone(s), has_tags = s->tag_bytes > 0;
    const riffle_sort_options options = {.task = is_merge ? RIFFLE_SORT_TASK_MERGE : RIFFLE_SORT_TASK_SORT,
                                         .segments = is_merge ? ranks : 1,
                                         .value_bytes = s->tag_bytes,
                                         .threads = threads_of(s)};
    uint64_t *const first = calloc(ranks + 1, sizeof *first);
    if (first == NULL) return mpi_fail_memory("where runs begin", (ranks + 1) * sizeof *first);
    for (size_t k = 0; k < ranks; k++) first[k + 1] = first[k] + s->moved.got[k];
    riffle_sort_plan *plan = NULL;
    riffle_status status = riffle_sort_plan_create(s->moved.total, s->key, RIFFLE_ENGINE_CPU, &options, &plan);
    if (status == RIFFLE_OK)
        status = riffle_sort_execute(plan, &(riffle_sort_arrays){.keys = s->arrays->keys,
                                                                 .values = has_tags ? tags_to(s) : NULL,
                                                                 .from_keys = s->came,
                                                                 .from_values = has_tags ? s->came_tags : NULL,
                                                                 .first = is_merge ? first : NULL});
    riffle_sort_plan_free(plan);
    free(first);
    return status;
}

static riffle_status report_on(const sorting *s, riffle_mpi_sort_report *report) {
    riffle_mpi_sort_report all = {.rounds = s->rounds};
    const riffle_status status = parcels_volume(&s->moved, &all.volume, &all.messages);
    if (status == RIFFLE_OK && report != NULL) *report = all;
    return status;
}

static riffle_status sort_all(sorting *s, riffle_mpi_sort_report *report) {
    riffle_status status = tell_counts(s);
    if (status == RIFFLE_OK) status = riffle_mpi_agree(s->all.comm, make_room(s));
    if (status == RIFFLE_OK) status = riffle_mpi_agree(s->all.comm, sort_own(s));
    if (status == RIFFLE_OK) status = carry(s);
    free_room(s);
    if (status == RIFFLE_OK) status = riffle_mpi_agree(s->all.comm, merge_runs(s));
    riffle_buffer_free(s->came, s->arrays->count * s->key->elem_bytes);
    riffle_buffer_free(s->came_tags, s->arrays->count * s->tag_bytes);
    if (status == RIFFLE_OK) status = report_on(s, report);
    riffle_sort_plan_free(s->order);
    parcels_free(&s->moved);
    free(s->shares);
    return status;
}

riffle_status riffle_mpi_sort(const riffle_sort_key *key, const riffle_mpi_sort_arrays *arrays, MPI_Comm comm,
                              const riffle_mpi_sort_options *options, riffle_mpi_sort_report *report) {
    sorting s = {.all = {.comm = MPI_COMM_NULL}, .key = key, .arrays = arrays};
    if (options != NULL) s.asked = *options;
    s.tag_bytes = s.asked.indices ? sizeof(uint64_t) : s.asked.value_bytes;
    riffle_status status = communicator_check(comm);
    if (status != RIFFLE_OK) return status;
    status = agree_on_sort(comm, check_arguments(key, arrays, &s.asked), key, &s.asked);
    if (status == RIFFLE_OK) status = communicator_create(comm, &s.all);
    if (status == RIFFLE_OK) status = sort_all(&s, report);
    communicator_free(&s.all);
    return status;
}
