/* SPDX-License-Identifier: Apache-2.0
 *
 * What libriffle-machine does for libriffle's public functions of the same names with riffle_ before them, as riffle/machine.h,
 * riffle/trace.h and riffle/vat.h say it: a line for each, of which the declarations here follow, the table (device/machine_library.h) and the public
 * functions themselves (device/machine_doors.c).
 */
#ifndef RIFFLE_MACHINE_LIBRARY_H
#define RIFFLE_MACHINE_LIBRARY_H

#include "riffle/machine.h"
#include "riffle/trace.h"
#include "riffle/vat.h"

/** OPERATION(type, name, parameters, arguments): those that may fail, of type riffle_status, and have the library loaded. */
#define MACHINE_OPERATIONS(OPERATION)                                                                          \
    OPERATION(riffle_status, lint,                                                                             \
              (const riffle_lint_job *job, const riffle_machine_options *options, riffle_report **out),        \
              (job, options, out))                                                                             \
    OPERATION(riffle_status, lint_for_all,                                                                     \
              (const riffle_lint_job *job, const riffle_machine_options *options, riffle_claims **out),        \
              (job, options, out))                                                                             \
    OPERATION(riffle_status, claims_print, (const riffle_claims *claims, FILE *stream), (claims, stream))      \
    OPERATION(riffle_status, claims_print_json, (const riffle_claims *claims, FILE *stream), (claims, stream)) \
    OPERATION(riffle_status, claims_print_sarif,                                                               \
              (const riffle_claims *claims, const char *path, FILE *stream), (claims, path, stream))           \
    OPERATION(riffle_status, report_print, (const riffle_report *report, FILE *stream), (report, stream))      \
    OPERATION(riffle_status, report_print_json, (const riffle_report *report, FILE *stream), (report, stream)) \
    OPERATION(riffle_status, report_print_sarif,                                                               \
              (const riffle_report *report, const char *path, FILE *stream), (report, path, stream))           \
    OPERATION(riffle_status, report_print_html,                                                                \
              (const riffle_report *report, const char *path, const char *source, FILE *stream),               \
              (report, path, source, stream))                                                                  \
    OPERATION(                                                                                                 \
        riffle_status, report_compare,                                                                         \
        (const riffle_report *report, const char *name, const char *json, FILE *stream, riffle_report **out),  \
        (report, name, json, stream, out))                                                                     \
    OPERATION(riffle_status, trace_create, (const riffle_trace_options *options, riffle_trace **out),          \
              (options, out))                                                                                  \
    OPERATION(riffle_status, trace_add, (riffle_trace * trace, const riffle_trace_access *access),             \
              (trace, access))                                                                                 \
    OPERATION(riffle_status, trace_event_at, (const riffle_trace *trace, uint64_t k, riffle_trace_event *out), \
              (trace, k, out))                                                                                 \
    OPERATION(riffle_status, trace_write,                                                                      \
              (const riffle_trace *trace, riffle_trace_format format, FILE *stream), (trace, format, stream))  \
    OPERATION(riffle_status, vat_create,                                                                       \
              (riffle_vat_policy policy, const riffle_vat_options *options, riffle_vat **out),                 \
              (policy, options, out))                                                                          \
    OPERATION(riffle_status, vat_access, (riffle_vat * vat, const uint64_t *addresses, size_t count),          \
              (vat, addresses, count))                                                                         \
    OPERATION(riffle_status, vat_count, (riffle_vat * vat, riffle_vat_counts * out), (vat, out))               \
    OPERATION(riffle_status, vat_count_layers, (riffle_vat * vat, uint64_t * faults, size_t layers),           \
              (vat, faults, layers))                                                                           \
    OPERATION(riffle_status, vat_create_nested,                                                                \
              (riffle_vat_policy policy, const riffle_vat_options *guest, const riffle_vat_options *host,      \
               riffle_vat **out),                                                                              \
              (policy, guest, host, out))                                                                      \
    OPERATION(riffle_status, vat_count_host,                                                                   \
              (riffle_vat * vat, riffle_vat_counts * out, uint64_t * faults, size_t layers),                   \
              (vat, out, faults, layers))                                                                      \
    OPERATION(riffle_status, vat_program_feed,                                                                 \
              (riffle_vat_program program, uint64_t n, uint64_t seed, uint64_t * array,                        \
               riffle_vat_sink * sink, void *context, uint64_t *checksum),                                     \
              (program, n, seed, array, sink, context, checksum))                                              \
    OPERATION(riffle_status, vat_program_prepare,                                                              \
              (riffle_vat_program program, uint64_t n, uint64_t seed, uint64_t * array),                       \
              (program, n, seed, array))                                                                       \
    OPERATION(riffle_status, vat_program_run,                                                                  \
              (riffle_vat_program program, uint64_t n, uint64_t seed, uint64_t * array, uint64_t * checksum),  \
              (program, n, seed, array, checksum))                                                             \
    OPERATION(riffle_status, vat_program_sample,                                                               \
              (riffle_vat_program program, uint64_t n, uint64_t operations, uint64_t seed, uint64_t * array,   \
               uint64_t * checksum, double *share),                                                            \
              (program, n, operations, seed, array, checksum, share))                                          \
    OPERATION(riffle_status, vat_program_replay,                                                               \
              (riffle_vat_program program, uint64_t n, uint64_t seed, uint64_t * array, riffle_vat * vat,      \
               uint64_t * checksum),                                                                           \
              (program, n, seed, array, vat, checksum))                                                        \
    OPERATION(riffle_status, vat_program_cost,                                                                 \
              (riffle_vat_program program, uint64_t n, const riffle_vat_options *options, double em_cache,     \
               double em_block, riffle_vat_cost *out),                                                         \
              (program, n, options, em_cache, em_block, out))                                                  \
    OPERATION(riffle_status, vat_program_cost_nested,                                                          \
              (riffle_vat_program program, uint64_t n, const riffle_vat_options *guest,                        \
               const riffle_vat_options *host, double em_cache, double em_block, riffle_vat_cost *out),        \
              (program, n, guest, host, em_cache, em_block, out))                                              \
    OPERATION(riffle_status, vat_program_transfers,                                                            \
              (riffle_vat_program program, uint64_t n, const riffle_vat_options *options, double *transfers,   \
               size_t layers),                                                                                 \
              (program, n, options, transfers, layers))                                                        \
    OPERATION(riffle_status, vat_em_time,                                                                      \
              (double n, size_t levels, const double *sizes, const double *times, double *out),                \
              (n, levels, sizes, times, out))                                                                  \
    OPERATION(riffle_status, vat_pattern_create,                                                               \
              (const riffle_vat_options *options, riffle_vat_pattern **out), (options, out))                   \
    OPERATION(riffle_status, vat_pattern_access,                                                               \
              (riffle_vat_pattern * pattern, const uint64_t *addresses, size_t count),                         \
              (pattern, addresses, count))                                                                     \
    OPERATION(riffle_status, vat_pattern_count,                                                                \
              (const riffle_vat_pattern *pattern, riffle_vat_pattern_counts *out), (pattern, out))

/** Questions, most about a report, which the library has made: it is loaded then. */
#define MACHINE_QUESTIONS(QUESTION)                                                                            \
    QUESTION(uint64_t, report_time_units, (const riffle_report *report), (report))                             \
    QUESTION(uint64_t, report_predicted_time_units, (const riffle_report *report), (report))                   \
    QUESTION(uint64_t, report_casual_rounds, (const riffle_report *report), (report))                          \
    QUESTION(uint64_t, report_uncoalesced, (const riffle_report *report, double threshold),                    \
             (report, threshold))                                                                              \
    QUESTION(uint64_t, report_conflicts, (const riffle_report *report, double threshold), (report, threshold)) \
    QUESTION(uint64_t, report_hazards, (const riffle_report *report), (report))                                \
    QUESTION(uint64_t, report_hazards_of, (const riffle_report *report, const char *kind), (report, kind))     \
    QUESTION(uint64_t, claims_refuted, (const riffle_claims *claims, const char *what), (claims, what))        \
    QUESTION(bool, report_is_partial, (const riffle_report *report), (report))                                 \
    QUESTION(unsigned, report_not_done_after, (const riffle_report *report), (report))                         \
    QUESTION(const char *, report_left_out, (const riffle_report *report), (report))                           \
    QUESTION(uint64_t, report_not_run, (const riffle_report *report), (report))                                \
    QUESTION(uint64_t, report_not_checked, (const riffle_report *report), (report))                            \
    QUESTION(bool, report_is_idle, (const riffle_report *report), (report))                                    \
    QUESTION(bool, report_is_empty, (const riffle_report *report), (report))                                   \
    QUESTION(uint64_t, trace_events, (const riffle_trace *trace), (trace))                                     \
    QUESTION(uint64_t, trace_time_units, (const riffle_trace *trace), (trace))                                 \
    QUESTION(uint64_t, vat_program_elements, (riffle_vat_program program, uint64_t n), (program, n))

/** Those that free what the library has made, and NULL where it has made nothing. */
#define MACHINE_ENDS(END)                                                                                      \
    END(void, report_free, (riffle_report * report), (report))                                                 \
    END(void, claims_free, (riffle_claims * claims), (claims))                                                 \
    END(void, trace_free, (riffle_trace * trace), (trace))                                                     \
    END(void, vat_free, (riffle_vat * vat), (vat))                                                             \
    END(void, vat_pattern_free, (riffle_vat_pattern * pattern), (pattern))

#define MACHINE_DECLARE(type, name, parameters, arguments) type name parameters;
MACHINE_OPERATIONS(MACHINE_DECLARE)
MACHINE_QUESTIONS(MACHINE_DECLARE)
MACHINE_ENDS(MACHINE_DECLARE)
#undef MACHINE_DECLARE

#endif
