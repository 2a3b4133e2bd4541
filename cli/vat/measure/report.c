/* SPDX-License-Identifier: Apache-2.0 */
#include "vat/measure/report.h"

#include <stdio.h>

#include "build_commit.h"
#include "frame/message.h"
#include "vat/measure/fit.h"

typedef unsigned long long printable;

/* ------------------------------------------------------------------ text */

static const vat_row *find_row(const vat_run *run, const vat_row *like, vat_pages pages) {
    for (size_t k = 0; k < run->count; ++k) {
        const vat_row *row = &run->rows[k];
        if (row->program == like->program && row->n == like->n && row->pages == pages) return row;
    }
    return NULL;
}

static void print_time(const vat_row *row) {
    if (row == NULL) {
        printf(" %10s ", "");
    } else {
        printf(" %10.3f%c", vat_row_nanoseconds(row), vat_row_is_granted(row) ? ' ' : '!');
    }
}

static void print_size(const vat_run *run, const vat_row *row) {
    const vat_row *small = find_row(run, row, VAT_PAGES_4K), *huge = find_row(run, row, VAT_PAGES_2M);
    printf("%-20s %12llu %12llu", riffle_vat_program_string(row->program), (printable)row->n,
           (printable)row->bytes);
    print_time(small);
    print_time(huge);
    if (small != NULL && huge != NULL && vat_row_is_granted(huge)) {
        printf(" %6.0f%%", 100 * huge->seconds / small->seconds);
    } else {
        printf(" %7s", "");
    }
    printf("  %11.3g %11.3g\n", row->cost.vat_least / row->cost.ram, row->cost.vat_most / row->cost.ram);
}

static void print_explained(const vat_fit *fit, vat_predictor by) {
    for (int from = 0; from < VAT_BASES; ++from) {
        const vat_explained *explained = &fit->by[by][from];
        if (explained->is_known) {
            printf(" %9.1f%%", 100 * explained->r2);
        } else {
            printf(" %10s", "-");
        }
    }
}

static void print_fit(const vat_run *run, riffle_vat_program program, vat_pages pages) {
    const vat_fit fit = vat_fit_rows(run, program, pages);
    if (fit.sizes < VAT_FIT_LEAST) return;
    printf("%-20s %5s %5u", riffle_vat_program_string(program), vat_pages_name(pages), fit.sizes);
    for (int by = VAT_BY_EM; by < VAT_PREDICTORS; ++by) print_explained(&fit, (vat_predictor)by);
    printf("\n");
}

/* In words, by the VAT's upper bound from the cache's edge. */
static void print_verdict(const vat_run *run, riffle_vat_program program, vat_pages pages) {
    const double enough = 0.9;
    const vat_fit fit = vat_fit_rows(run, program, pages);
    const vat_explained *vat = &fit.by[VAT_BY_MOST][VAT_FROM_EDGE], *em = &fit.by[VAT_BY_EM][VAT_FROM_EDGE];
    if (fit.sizes < VAT_FIT_LEAST || !vat->is_known) return;
    printf("%s, %s: faults explain %.0f%%, ", riffle_vat_program_string(program), vat_pages_name(pages),
           100 * vat->r2);
    if (vat->r2 >= enough) {
        printf("the VAT fits\n");
    } else if (em->is_known && em->r2 > 0) {
        printf("the VAT does not fit: block transfers explain %.0f%%, so misses of data grow as well\n",
               100 * em->r2);
    } else {
        printf("the VAT does not fit: less than the 90%% that a fit wants\n");
    }
}

static bool has_fits(const vat_run *run) {
    for (int p = 0; p < RIFFLE_VAT_PROGRAM_COUNT; ++p)
        for (int k = 0; k < VAT_PAGE_KINDS; ++k)
            if (vat_fit_rows(run, (riffle_vat_program)p, (vat_pages)k).sizes >= VAT_FIT_LEAST) return true;
    return false;
}

static void print_fits(const vat_run *run) {
    if (!has_fits(run)) return;
    printf("\nWhat the models explain of the variance beyond the last-level cache, %llu bytes%s, with one "
           "constant c:\n"
           "ns = t0 + c (x - x0), x what an operation costs on the model's machine. t0 is the least time of "
           "all (s),\n"
           "x0 = 0, or both are those of the largest array in that cache (e). The RAM explains 0%%.\n\n",
           (printable)run->machine.cache, run->machine.knows_cache ? "" : " (assumed)");
    printf("%-20s %5s %5s %10s %10s %10s %10s %10s %10s\n", "program", "pages", "sizes", "EM, s", "EM, e",
           "VAT from,s", "e", "VAT to, s", "e");
    for (int p = 0; p < RIFFLE_VAT_PROGRAM_COUNT; ++p)
        for (int k = 0; k < VAT_PAGE_KINDS; ++k) print_fit(run, (riffle_vat_program)p, (vat_pages)k);
    printf("\n");
    for (int p = 0; p < RIFFLE_VAT_PROGRAM_COUNT; ++p)
        for (int k = 0; k < VAT_PAGE_KINDS; ++k) print_verdict(run, (riffle_vat_program)p, (vat_pages)k);
}

void vat_report_text(const vat_run *run) {
    const vat_machine *machine = &run->machine;
    printf("riffle %s (%s), %s, translation cache %s\n", riffle_version(), RIFFLE_COMMIT, machine->cpu,
           machine->preset.name);
    printf("ns: the fastest run's time over the RAM's operations; faults of the VAT model an operation, "
           "between its "
           "bounds\n\n");
    printf("%-20s %12s %12s %11s %11s  %6s  %11s %11s\n", "program", "n", "bytes", "ns, 4 KiB", "ns, 2 MiB",
           "ratio", "faults from", "to");
    for (size_t k = 0; k < run->count; ++k) {
        const vat_row *row = &run->rows[k];
        if (row->pages == VAT_PAGES_4K || find_row(run, row, VAT_PAGES_4K) == NULL) print_size(run, row);
    }
    print_fits(run);
}

/* ------------------------------------------------------------------ JSON */

static void print_json_machine(const vat_run *run) {
    const vat_machine *machine = &run->machine;
    printf("{\"version\": \"%s\", \"commit\": \"%s\", \"cpu\": \"%s\", \"cache\": %llu, \"cache_known\": %s,\n",
           riffle_version(), RIFFLE_COMMIT, machine->cpu, (printable)machine->cache,
           machine->knows_cache ? "true" : "false");
    printf(" \"translation_cache\": \"%s\", \"huge_pages\": \"%s\", \"seed\": %llu, \"seconds\": %.1f,\n",
           machine->preset.name, machine->huge_pages, (printable)run->settings.seed, run->elapsed);
    printf(" \"model\": {");
    for (int k = 0; k < VAT_PAGE_KINDS; ++k) {
        const riffle_vat_options *options = &machine->options[k];
        printf("%s\"%s\": {\"fanout\": %llu, \"page\": %llu, \"height\": %u, \"cache\": %llu}",
               k > 0 ? ", " : "", vat_pages_name((vat_pages)k), (printable)options->fanout,
               (printable)options->page, options->height, (printable)options->cache);
    }
    printf("},\n");
}

static void print_json_row(const vat_row *row) {
    printf("{\"program\": \"%s\", \"pages\": \"%s\", \"n\": %llu, \"bytes\": %llu, \"huge_share\": %.4g, "
           "\"sampled_share\": %.4g, \"runs\": %u, "
           "\"seconds\": %.6g, \"normalized_ns\": %.6g, \"ram\": %.10g, \"em\": %.10g, \"vat_least\": %.10g, "
           "\"vat_most\": %.10g, \"faults\": ",
           riffle_vat_program_string(row->program), vat_pages_name(row->pages), (printable)row->n,
           (printable)row->bytes, row->huge_share, row->sampled_share, row->runs, row->seconds,
           vat_row_nanoseconds(row), row->cost.ram, row->cost.em, row->cost.vat_least, row->cost.vat_most);
    if (row->is_replayed) {
        printf("%llu}", (printable)row->faults);
    } else {
        printf("null}");
    }
}

static void print_json_explained(const vat_fit *fit, vat_predictor by) {
    printf(", \"%s\": {", vat_predictor_name(by));
    for (int from = 0; from < VAT_BASES; ++from) {
        const vat_explained *explained = &fit->by[by][from];
        printf("%s\"%s\": ", from > 0 ? ", " : "", vat_base_name((vat_base)from));
        if (explained->is_known) {
            printf("{\"constant_ns\": %.6g, \"r2\": %.6g}", explained->constant_ns, explained->r2);
        } else {
            printf("null");
        }
    }
    printf("}");
}

static void print_json_fit(const vat_fit *fit, riffle_vat_program program, vat_pages pages) {
    printf("{\"program\": \"%s\", \"pages\": \"%s\", \"sizes\": %u, \"smallest_ns\": %.6g, \"edge_n\": %llu, "
           "\"edge_ns\": %.6g",
           riffle_vat_program_string(program), vat_pages_name(pages), fit->sizes,
           vat_row_nanoseconds(fit->fastest), (printable)(fit->edge != NULL ? fit->edge->n : 0),
           fit->edge != NULL ? vat_row_nanoseconds(fit->edge) : 0);
    for (int by = 0; by < VAT_PREDICTORS; ++by) print_json_explained(fit, (vat_predictor)by);
    printf("}");
}

void vat_report_json(const vat_run *run) {
    print_json_machine(run);
    printf(" \"results\": [");
    for (size_t k = 0; k < run->count; ++k) {
        printf(k > 0 ? ",\n  " : "\n  ");
        print_json_row(&run->rows[k]);
    }
    printf("],\n \"fits\": [");
    const char *between = "\n  ";
    for (int p = 0; p < RIFFLE_VAT_PROGRAM_COUNT; ++p) {
        for (int k = 0; k < VAT_PAGE_KINDS; ++k) {
            const vat_fit fit = vat_fit_rows(run, (riffle_vat_program)p, (vat_pages)k);
            if (fit.sizes < VAT_FIT_LEAST) continue;
            printf("%s", between);
            print_json_fit(&fit, (riffle_vat_program)p, (vat_pages)k);
            between = ",\n  ";
        }
    }
    printf("]}\n");
}

/* ------------------------------------------------------------------- CSV */

void vat_report_csv(const vat_run *run) {
    printf("program,pages,n,bytes,huge_share,sampled_share,runs,seconds,normalized_ns,ram,em,vat_least,vat_"
           "most,faults\n");
    for (size_t k = 0; k < run->count; ++k) {
        const vat_row *row = &run->rows[k];
        printf("%s,%s,%llu,%llu,%.4g,%.4g,%u,%.6g,%.6g,%.10g,%.10g,%.10g,%.10g,",
               riffle_vat_program_string(row->program), vat_pages_name(row->pages), (printable)row->n,
               (printable)row->bytes, row->huge_share, row->sampled_share, row->runs, row->seconds,
               vat_row_nanoseconds(row), row->cost.ram, row->cost.em, row->cost.vat_least, row->cost.vat_most);
        if (row->is_replayed) printf("%llu", (printable)row->faults);
        printf("\n");
    }
}

/* ------------------------------------------------------------------ gaps */

static void report_pages(const vat_run *run, vat_pages pages) {
    size_t refused = 0, all = 0;
    for (size_t k = 0; k < run->count; ++k) {
        if (run->rows[k].pages != pages) continue;
        ++all;
        refused += !vat_row_is_granted(&run->rows[k]);
    }
    if (refused == 0) return;
    complain("vat measure: the system did not give %s pages to %zu of %zu measurements, which are marked and "
             "left out of "
             "the fits; /sys/kernel/mm/transparent_hugepage/enabled says %s%s",
             pages == VAT_PAGES_2M ? "2 MiB" : "4 KiB", refused, all, run->machine.huge_pages,
             pages == VAT_PAGES_2M ? ", and must say madvise or always" : "");
}

void vat_report_gaps(const vat_run *run) {
    for (int k = 0; k < VAT_PAGE_KINDS; ++k) report_pages(run, (vat_pages)k);
    for (int p = 0; p < RIFFLE_VAT_PROGRAM_COUNT; ++p) {
        for (int k = 0; k < VAT_PAGE_KINDS; ++k) {
            const vat_series *series = &run->series[p][k];
            if (series->stopped_bytes == 0) continue;
            complain(
                "vat measure: %s with pages %s: no time for %.4g MiB, which would take about %.3g s; --seconds "
                "allows more",
                riffle_vat_program_string((riffle_vat_program)p), vat_pages_name((vat_pages)k),
                (double)series->stopped_bytes / (1 << 20), series->stopped_seconds);
        }
    }
}
