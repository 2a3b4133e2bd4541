/* SPDX-License-Identifier: Apache-2.0
 *
 *     from_keys -- sort --> sorted -- cut at exact pivots, messages --> runs, one of each rank -- merge --> keys
 *
 * Values, or indices among all, go along as tags. A plan keeps what the runs come to: as much memory again as a share, and to get that anew each time may take longer
 * than all messages.
 */
#include <stdlib.h>

#include "agree.h"
#include "communicator.h"
#include "parcels.h"
#include "splits.h"

struct riffle_mpi_sort_plan {
    communicator all;
    riffle_mpi_sort_options asked;
    uint64_t from_count, count;   /* of this rank */
    size_t elem_bytes, tag_bytes; /* a tag is a value or an index; 0: there are none */
    uint64_t *shares, *brought;   /* each rank's count and from_count */
    riffle_sort_plan *order, *pivot,
        *join;              /* of this rank's elements, of candidates, and of the runs that came */
    bool is_merge;          /* runs are merged; else what came is sorted */
    void *came, *came_tags; /* this rank's share in runs */
    uint64_t *first;        /* where they begin */
    bool has_room; /* for its elements of its own; else they are sorted where the share comes in the end */
    void *own, *own_tags;
    parcels moved;
    unsigned rounds; /* of the last sort */
};

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

static riffle_status check_arguments(const riffle_sort_key *key, const riffle_mpi_sort_options *asked) {
    if (key == NULL) return mpi_fail(RIFFLE_ERROR_INVALID_ARGUMENT, "key is NULL");
    if (asked->indices && asked->value_bytes > 0)
        return mpi_fail(RIFFLE_ERROR_INVALID_ARGUMENT, "values and indices exclude each other; ask for one");
    return RIFFLE_OK;
}

static riffle_status check_arrays(const riffle_mpi_sort_arrays *arrays, const riffle_mpi_sort_options *asked) {
    if (arrays == NULL) return mpi_fail(RIFFLE_ERROR_INVALID_ARGUMENT, "arrays is NULL");
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
static riffle_status tell_counts(riffle_mpi_sort_plan *s) {
    const size_t ranks = (size_t)s->all.ranks;
    uint64_t brought = 0, wanted = 0;
    s->shares = calloc(2 * ranks, sizeof *s->shares);
    riffle_status status = riffle_mpi_agree(
        s->all.comm, s->shares != NULL ? RIFFLE_OK : mpi_fail_memory("counts", 2 * ranks * sizeof *s->shares));
    if (status != RIFFLE_OK) return status;
    s->brought = s->shares + ranks;
    status = mpi_result(MPI_Allgather(&s->count, 1, MPI_UINT64_T, s->shares, 1, MPI_UINT64_T, s->all.comm),
                        "MPI_Allgather");
    if (status == RIFFLE_OK)
        status =
            mpi_result(MPI_Allgather(&s->from_count, 1, MPI_UINT64_T, s->brought, 1, MPI_UINT64_T, s->all.comm),
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

/* ------------------------------------------------------------------ planning */

/* Zeros and NaNs of floats that are nothing else have an order of their own in sorts, which merges do not make. */
static bool are_floats_alone(const riffle_mpi_sort_plan *s, const riffle_sort_key *key) {
    return key->before == NULL && s->tag_bytes == 0 && key->fields == 1 &&
           key->field[0].kind == RIFFLE_SORT_KEY_FLOAT && key->field[0].bytes == key->elem_bytes;
}

static riffle_status plan_sorts(riffle_mpi_sort_plan *s, const riffle_sort_key *key) {
    const unsigned threads = s->asked.threads > 0 ? s->asked.threads : 1;
    const riffle_sort_options own = {.value_bytes = s->asked.value_bytes,
                                     .index_bytes = s->asked.indices ? s->tag_bytes : 0,
                                     .threads = threads},
                              runs = {.task = s->is_merge ? RIFFLE_SORT_TASK_MERGE : RIFFLE_SORT_TASK_SORT,
                                      .segments = s->is_merge ? (uint64_t)s->all.ranks : 1,
                                      .value_bytes = s->tag_bytes,
                                      .threads = threads};
    riffle_status status = riffle_sort_plan_create(s->from_count, key, RIFFLE_ENGINE_CPU, &own, &s->order);
    if (status == RIFFLE_OK)
        status = riffle_sort_plan_create(s->count, key, RIFFLE_ENGINE_CPU, &runs, &s->join);
    return status == RIFFLE_OK ? splits_plan(key, s->all.ranks, &s->pivot) : status;
}

static riffle_status make_room(riffle_mpi_sort_plan *s) {
    const size_t ranks = (size_t)s->all.ranks;
    s->first = calloc(ranks + 1, sizeof *s->first);
    if (s->first == NULL) return mpi_fail_memory("where runs begin", (ranks + 1) * sizeof *s->first);
    riffle_status status = riffle_buffer_create(s->count * s->elem_bytes, &s->came);
    if (status == RIFFLE_OK) status = riffle_buffer_create(s->count * s->tag_bytes, &s->came_tags);
    s->has_room = s->count < s->from_count;
    if (status != RIFFLE_OK || !s->has_room) return status;
    status = riffle_buffer_create(s->from_count * s->elem_bytes, &s->own);
    return status == RIFFLE_OK ? riffle_buffer_create(s->from_count * s->tag_bytes, &s->own_tags) : status;
}

static riffle_status prepare(riffle_mpi_sort_plan *s, const riffle_sort_key *key) {
    riffle_status status = plan_sorts(s, key);
    if (status == RIFFLE_OK) status = make_room(s);
    return status == RIFFLE_OK
               ? parcels_create(&s->all, communicator_plain_bytes(s->asked.plain_bytes), &s->moved)
               : status;
}

/* `own` is this rank's status so far. On all ranks. */
static riffle_status create(riffle_status own, const riffle_sort_key *key, uint64_t from_count, uint64_t count,
                            MPI_Comm comm, const riffle_mpi_sort_options *asked, riffle_mpi_sort_plan **out) {
    riffle_mpi_sort_plan *const s = calloc(1, sizeof *s);
    if (own == RIFFLE_OK) own = check_arguments(key, asked);
    if (own == RIFFLE_OK && s == NULL) own = mpi_fail_memory("a plan", sizeof *s);
    riffle_status status = agree_on_sort(comm, own, key, asked);
    if (status != RIFFLE_OK) {
        free(s);
        return status;
    }
    *s = (riffle_mpi_sort_plan){.all = {.comm = MPI_COMM_NULL},
                                .asked = *asked,
                                .from_count = from_count,
                                .count = count,
                                .elem_bytes = key->elem_bytes,
                                .tag_bytes = asked->indices ? sizeof(uint64_t) : asked->value_bytes};
    s->is_merge = !are_floats_alone(s, key);
    status = communicator_create(comm, &s->all);
    if (status == RIFFLE_OK) status = tell_counts(s);
    if (status == RIFFLE_OK) status = riffle_mpi_agree(s->all.comm, prepare(s, key));
    if (status == RIFFLE_OK)
        *out = s;
    else
        riffle_mpi_sort_plan_free(s);
    return status;
}

riffle_status riffle_mpi_sort_plan_create(const riffle_sort_key *key, uint64_t from_count, uint64_t count,
                                          MPI_Comm comm, const riffle_mpi_sort_options *options,
                                          riffle_mpi_sort_plan **out) {
    const riffle_mpi_sort_options defaults = {0};
    const riffle_status status = communicator_check(comm);
    if (status != RIFFLE_OK) return status;
    const riffle_status own = out != NULL ? RIFFLE_OK : mpi_fail(RIFFLE_ERROR_INVALID_ARGUMENT, "out is NULL");
    return create(own, key, from_count, count, comm, options != NULL ? options : &defaults, out);
}

void riffle_mpi_sort_plan_free(riffle_mpi_sort_plan *s) {
    if (s == NULL) return;
    riffle_buffer_free(s->own, s->from_count * s->elem_bytes);
    riffle_buffer_free(s->own_tags, s->from_count * s->tag_bytes);
    riffle_buffer_free(s->came, s->count * s->elem_bytes);
    riffle_buffer_free(s->came_tags, s->count * s->tag_bytes);
    riffle_sort_plan_free(s->order);
    riffle_sort_plan_free(s->pivot);
    riffle_sort_plan_free(s->join);
    parcels_free(&s->moved);
    communicator_free(&s->all);
    free(s->first);
    free(s->shares);
    free(s);
}

/* ------------------------------------------------------------------ a sort */

/* An execution: this rank's arrays, and where its elements and their tags are put in order. */
typedef struct run {
    riffle_mpi_sort_plan *of;
    const riffle_mpi_sort_arrays *arrays;
    void *sorted, *tags;
} run;

static void *tags_to(const run *r) {
    return r->of->asked.indices ? (void *)r->arrays->indices : r->arrays->values;
}

static riffle_status sort_own(const run *r) {
    const riffle_mpi_sort_plan *const s = r->of;
    const bool has_values = s->asked.value_bytes > 0;
    const riffle_status status = riffle_sort_execute(
        s->order, &(riffle_sort_arrays){.keys = r->sorted,
                                        .values = has_values ? r->tags : NULL,
                                        .indices = s->asked.indices ? r->tags : NULL,
                                        .from_keys = r->arrays->from_keys,
                                        .from_values = has_values ? r->arrays->from_values : NULL});
    uint64_t *const indices = r->tags, before = 0;
    for (int k = 0; k < s->all.rank; k++) before += s->brought[k];
    for (uint64_t i = 0; s->asked.indices && i < s->from_count; i++) indices[i] += before;
    return status;
}

static riffle_status carry(const run *r) {
    riffle_mpi_sort_plan *const s = r->of;
    const splits cut = {.all = &s->all,
                        .elem_bytes = s->elem_bytes,
                        .order = s->order,
                        .pivot = s->pivot,
                        .sorted = r->sorted,
                        .n = s->from_count,
                        .share = s->shares};
    riffle_status status = splits_find(&cut, s->moved.given, &s->rounds);
    if (status == RIFFLE_OK) status = parcels_tell(&s->moved);
    if (status == RIFFLE_OK) status = parcels_carry(&s->moved, s->elem_bytes, r->sorted, s->came);
    if (status == RIFFLE_OK && s->tag_bytes > 0)
        status = parcels_carry(&s->moved, s->tag_bytes, r->tags, s->came_tags);
    return status;
}

/* The runs that came, each rank's, become one. */
static riffle_status join_runs(const run *r) {
    const riffle_mpi_sort_plan *const s = r->of;
    const bool has_tags = s->tag_bytes > 0;
    for (int k = 0; k < s->all.ranks; k++) s->first[k + 1] = s->first[k] + s->moved.got[k];
    return riffle_sort_execute(s->join, &(riffle_sort_arrays){.keys = r->arrays->keys,
                                                              .values = has_tags ? tags_to(r) : NULL,
                                                              .from_keys = s->came,
                                                              .from_values = has_tags ? s->came_tags : NULL,
                                                              .first = s->is_merge ? s->first : NULL});
}

static riffle_status report_on(const riffle_mpi_sort_plan *s, riffle_mpi_sort_report *report) {
    riffle_mpi_sort_report all = {.rounds = s->rounds};
    const riffle_status status = parcels_volume(&s->moved, &all.volume, &all.messages);
    if (status == RIFFLE_OK && report != NULL) *report = all;
    return status;
}

static riffle_status execute(riffle_mpi_sort_plan *s, const riffle_mpi_sort_arrays *arrays,
                             riffle_mpi_sort_report *report) {
    run r = {.of = s, .arrays = arrays, .sorted = s->own, .tags = s->own_tags};
    if (!s->has_room) {
        r.sorted = arrays->keys;
        r.tags = tags_to(&r);
    }
    parcels_forget(&s->moved);
    riffle_status status = riffle_mpi_agree(s->all.comm, sort_own(&r));
    if (status == RIFFLE_OK) status = carry(&r);
    if (status == RIFFLE_OK) status = riffle_mpi_agree(s->all.comm, join_runs(&r));
    return status == RIFFLE_OK ? report_on(s, report) : status;
}

/* Arrays of another plan's lengths would be overrun. */
static riffle_status check_counts(const riffle_mpi_sort_plan *s, const riffle_mpi_sort_arrays *arrays) {
    if (arrays->from_count == s->from_count && arrays->count == s->count) return RIFFLE_OK;
    return mpi_fail(RIFFLE_ERROR_INVALID_ARGUMENT,
                    "from_count and count are %llu and %llu, and the plan is for %llu and %llu",
                    (unsigned long long)arrays->from_count, (unsigned long long)arrays->count,
                    (unsigned long long)s->from_count, (unsigned long long)s->count);
}

riffle_status riffle_mpi_sort_execute(riffle_mpi_sort_plan *plan, const riffle_mpi_sort_arrays *arrays,
                                      riffle_mpi_sort_report *report) {
    if (plan == NULL) return mpi_fail(RIFFLE_ERROR_INVALID_ARGUMENT, "plan is NULL");
    riffle_status status = check_arrays(arrays, &plan->asked);
    if (status == RIFFLE_OK) status = check_counts(plan, arrays);
    status = riffle_mpi_agree(plan->all.comm, status);
    return status == RIFFLE_OK ? execute(plan, arrays, report) : status;
}

riffle_status riffle_mpi_sort(const riffle_sort_key *key, const riffle_mpi_sort_arrays *arrays, MPI_Comm comm,
                              const riffle_mpi_sort_options *options, riffle_mpi_sort_report *report) {
    const riffle_mpi_sort_options defaults = {0}, *const asked = options != NULL ? options : &defaults;
    riffle_mpi_sort_plan *plan = NULL;
    riffle_status status = communicator_check(comm);
    if (status != RIFFLE_OK) return status;
    const riffle_status own = check_arrays(arrays, asked);
    status = create(own, key, own == RIFFLE_OK ? arrays->from_count : 0, own == RIFFLE_OK ? arrays->count : 0,
                    comm, asked, &plan);
    if (status == RIFFLE_OK) status = execute(plan, arrays, report);
    riffle_mpi_sort_plan_free(plan);
    return status;
}
