/* SPDX-License-Identifier: Apache-2.0
 *
 * riffle_lint: arguments, launches and messages as text, and kernels compiled and run with the C++ compiler of
 * this machine.
 */
#define _POSIX_C_SOURCE 200809L /* open_memstream */
#include "support.h"

#include <float.h>

#include "machine/count/report.h"
#include "machine/lint/arguments/arguments.h"
#include "machine/lint/compiler/messages.h"
#include "machine/lint/object/object.h"
#include "machine/lint/source/declarations.h"
#include "machine/lint/source/gaps.h"
#include "machine/lint/source/host_code.h"
#include "machine/lint/source/launches.h"
#include "machine/lint/source/members.h"
#include "machine/lint/source/quiet.h"
#include "riffle/npy.h"

static uint64_t seed;
static const riffle_machine_options defaults;

/* ---- arguments */

static void refuses_argument(const char *text, const char *why) {
    lint_argument argument;
    if (lint_argument_parse(3, text, &argument) != RIFFLE_ERROR_SYNTAX) fail_msg("'%s' was taken", text);
    const char *detail = riffle_error_detail();
    if (strncmp(detail, "argument 3, '", 13) != 0 || strstr(detail, why) == NULL)
        fail_msg("'%s': %s", text, detail);
}

static void wrong_arguments_are_named(void **state) {
    (void)state;
    refuses_argument("", "neither");
    refuses_argument("float", "neither");
    refuses_argument("flot:12", "unknown type 'flot'");
    refuses_argument("float5:12", "unknown type 'float5'");
    refuses_argument("half:12", "unknown type 'half'");
    refuses_argument(":12", "unknown type ''");
    refuses_argument("float:", "no length");
    refuses_argument("float:0",
                     "an array of no elements; write TYPE=0 if a number is meant, else a length from 1");
    refuses_argument("int:0:zero", "an array of no elements");
    refuses_argument("int:0x0", "an array of no elements");
    refuses_argument("float:-3", "no length");
    refuses_argument("float:2^41", "an array of more than 2^40 elements; shorten it");
    refuses_argument("float:12x", "no length");
    refuses_argument("float:0.5", "no length");
    refuses_argument("float:12:", "unknown filling");
    refuses_argument("float:12:radom", "unknown filling");
    refuses_argument("float:12:permutation", "needs an integer type");
    refuses_argument("uint8_t:257:permutation", "needs an integer type");
    refuses_argument("int=", "no whole number that the type holds");
    refuses_argument("int=x", "no whole number that the type holds");
    refuses_argument("int=2147483648", "no whole number that the type holds");
    refuses_argument("unsigned=-1", "no whole number that the type holds");
    refuses_argument("char=128", "no whole number that the type holds");
    refuses_argument("bool=2", "neither true nor false");
    refuses_argument("float2=1", "one for each component");
    refuses_argument("float2=1,2,3", "one for each component");
    refuses_argument("long long=18446744073709551616", "no whole number that the type holds");
    refuses_argument("int=2^", "no whole number that the type holds");
    refuses_argument("int=2^ 5", "no whole number that the type holds");
    refuses_argument("float=1e39", "no number that the type holds");
    refuses_argument("double=1e999", "no number that the type holds");
}

static lint_argument parsed(const char *text) {
    lint_argument argument;
    if (lint_argument_parse(1, text, &argument) != RIFFLE_OK) fail_msg("'%s': %s", text, riffle_error_detail());
    return argument;
}

static void arrays_are_read(void **state) {
    (void)state;
    const lint_argument one = parsed("  unsigned   long long :2^10:random");
    assert_true(one.is_array && one.fill == FILL_RANDOM && one.length == 1024);
    assert_string_equal(one.type.name, "unsigned long long");
    const lint_argument vector = parsed("uchar4:7");
    assert_true(vector.fill == FILL_NONE && lint_type_bytes(&vector.type) == 4 && vector.type.components == 4);
    assert_string_equal(parsed("uint:4").type.name, "unsigned int");
    assert_string_equal(parsed("uchar=200").type.name, "unsigned char");
    const lint_argument none = parsed("float4:null");
    assert_true(none.is_array && none.fill == FILL_NULL && none.type.components == 4);
    const lint_argument file = parsed("double:some where:x.npy");
    assert_true(file.fill == FILL_FILE);
    assert_string_equal(file.file, "some where:x.npy");
}

static void numbers_are_read(void **state) {
    (void)state;
    int number;
    memcpy(&number, parsed("int=-2147483648").value, sizeof number);
    assert_int_equal(number, INT32_MIN);
    memcpy(&number, parsed("int=0x10").value, sizeof number);
    assert_int_equal(number, 16);
    memcpy(&number, parsed("int=010").value, sizeof number);
    assert_int_equal(number, 10);
    uint64_t wide;
    memcpy(&wide, parsed("size_t=2^40").value, sizeof wide);
    assert_true(wide == UINT64_C(1) << 40);
    float real[4];
    memcpy(real, parsed("float4=1,-2.5,3e2f,0x1p-3").value, sizeof real);
    assert_true(real[0] == 1.0F && real[1] == -2.5F && real[2] == 300.0F && real[3] == 0.125F);
    assert_int_equal(parsed("bool=true").value[0], 1);
    memcpy(real, parsed("float=inf").value, sizeof real[0]);
    assert_true(real[0] > FLT_MAX);
}

static void fillings_are_what_they_say(void **state) {
    (void)state;
    enum { LENGTH = 1000 };
    static float reals[LENGTH];
    static uint16_t order[LENGTH];
    static bool seen[LENGTH];
    uint64_t stream = seed, again = seed;
    lint_argument argument = parsed("float:1000:random");
    lint_fill_array(&argument, reals, &stream);
    for (unsigned i = 0; i < LENGTH; i++) assert_true(reals[i] >= 0 && reals[i] < 1);
    argument = parsed("uint16_t:1000:permutation");
    lint_fill_array(&argument, order, &stream);
    for (unsigned i = 0; i < LENGTH; i++) {
        if (order[i] >= LENGTH || seen[order[i]])
            fail_msg("seed %llu: no permutation", (unsigned long long)seed);
        seen[order[i]] = true;
    }
    static float repeated[LENGTH];
    argument = parsed("float:1000:random");
    lint_fill_array(&argument, repeated, &again);
    assert_memory_equal(reals, repeated, sizeof reals);
    argument = parsed("float2:500:index");
    lint_fill_array(&argument, reals, &stream);
    for (unsigned i = 0; i < LENGTH; i++) assert_true(reals[i] == (float)i);
}

/* ---- launches */

static char *rewritten(const char *text, void (*write)(const char *text, FILE *out)) {
    char *out = NULL;
    size_t length;
    FILE *stream = open_memstream(&out, &length);
    assert_non_null(stream);
    write(text, stream);
    assert_int_equal(fclose(stream), 0);
    return out;
}

static void write_launches(const char *text, FILE *out) { lint_write_launches(text, strlen(text), out); }

static void launches_as(const char *text, const char *expected) {
    char *out = rewritten(text, write_launches);
    assert_string_equal(out, expected);
    free(out);
}

#define CALL(name, with, text)                                                                                 \
    " ::riffle_lint::configure(\"" name "\", " with ").names(\"\")([&](auto &...riffle_a) "                    \
    "__attribute__((no_sanitize_thread)) { " text "(riffle_a...); })"

static void launches_become_calls(void **state) {
    (void)state;
    launches_as("f(); k<<<1, 2>>>(a, b);", "f(); " CALL("k", "1, 2", "k") "(a, b);");
    launches_as("return n::k<int, (3 > 2)> <<<g(1), b>>> (__null, x__null, \"__null\");",
                "return " CALL("n::k<int, (3 > 2)>", "g(1), b",
                               "n::k<int, (3 > 2)> ") "(nullptr, x__null, \"__null\");");
    launches_as("if (x) ::k<<<1,\n1>>>(f(1));", "if (x) " CALL("::k", "1,\n1", "::k") "(f(1));");
    launches_as("(*p)<<<1, 1>>>(); t[i]<<<1, 1>>>(); s->k<<<1, 1>>>();",
                CALL("(*p)", "1, 1", "(*p)") "(); " CALL("t[i]", "1, 1", "t[i]") "(); " CALL("s->k", "1, 1",
                                                                                             "s->k") "();");
    launches_as("puts(\"k<<<1, 1>>>(a)\"); a << b; V<V<V<int>>> v;",
                "puts(\"k<<<1, 1>>>(a)\"); a << b; V<V<V<int>>> v;");
    static const char *const kept[] = {"k<<<1, 1>>>;", "R\"x(k<<<1>>>(a))x\";", "c = '\"'; n = 1'000;", "k<<<",
                                       "friend S &operator<<<>(S &); V<V<V<int>>> v;", "a <<< b; c >>> d;", "\"unended"};
    for (size_t k = 0; k < sizeof kept / sizeof kept[0]; k++) launches_as(kept[k], kept[k]);
    launches_as("c = '\"'; n = 1'000; k<<<f(a >>> b), 2>>>();", "c = '\"'; n = 1'000; " CALL("k", "f(a >>> b), 2", "k") "();");
}

/* A cast to void *, and &, may stand before the kernel or not. */
static void addresses_have_names(void **state) {
    (void)state;
    launches_as("cudaLaunchKernel((void *)k<3>, 1, 2, a);", "cudaLaunchKernel( ::riffle_lint::named(\"k<3>\", k<3>), 1, 2, a);");
    launches_as("cudaLaunchCooperativeKernel (&n::k, 1)", "cudaLaunchCooperativeKernel ( ::riffle_lint::named(\"n::k\", n::k), 1)");
    launches_as("cudaLaunchKernel(p->func, p->b)", "cudaLaunchKernel( ::riffle_lint::named(\"p->func\", p->func), p->b)");
    launches_as("p.func = (void *)k; q.func = other;", "p.func = ::riffle_lint::named(\"k\", k); q.func = other;");
    launches_as("(cudaLaunchKernel)(f k); mycudaLaunchKernel(k)", "(cudaLaunchKernel)(f k); mycudaLaunchKernel(k)");
}

/* As far as a declaration of a kernel has them. */
static void launches_name_parameters(void **state) {
    (void)state;
    static const struct {
        const char *declaration, *names;
    } known[] = {
        {"__attribute__((noinline)) void k(const T<int, 2> *__restrict__ in, int n = (1, 2), int a[4]) {}",
         "in,n,a"},
        {"__attribute__((noinline)) void __launch_bounds__(k(2)) k(float *, int *__restrict__, float **out);",
         ",,out"},
        {"void k(int *no); __attribute__((noinline)) void kk(int *no); __attribute__((noinline)) void k();",
         ""},
        {"__attribute__((noinline)) void k(int *", ""},
    };
    for (size_t k = 0; k < sizeof known / sizeof known[0]; k++) {
        char text[256], expected[64];
        snprintf(text, sizeof text, "%s\nn::k<int><<<1, 2>>>(a);", known[k].declaration);
        snprintf(expected, sizeof expected, ".names(\"%s\")(", known[k].names);
        char *out = rewritten(text, write_launches);
        if (strstr(out, expected) == NULL) fail_msg("'%s' became '%s'", text, out);
        free(out);
    }
}
#undef CALL

static void blanks_host_code(const char *text, const char *expected) {
    char copy[512];
    snprintf(copy, sizeof copy, "%s", text);
    lint_blank_host_code(copy, strlen(copy));
    assert_string_equal(copy, expected);
}

/* Host code is told by its own words, not by the names of files and other constants. */
static void host_code_is_blanked(void **state) {
    (void)state;
    blanks_host_code("int main() { f(); }", "int main() {      }");
    blanks_host_code("void f() { cudaMalloc(&a, 1); }", "void f() {__builtin_trap();   }");
    static const char *const kept[] = {"__attribute__((noinline)) void k() { cudaMalloc(&a, 1); }",
                                       "# 1 \"/work/main/main.cu\"\nint f() { return 1; }",
                                       "int f() {\n# 2 \"cublas/cufft.cu\" 3 4\n return 1; }",
                                       "int domain() { return 1; }", "int f() { puts(\"<<<\"); }"};
    for (size_t k = 0; k < sizeof kept / sizeof kept[0]; k++) blanks_host_code(kept[k], kept[k]);
}

static FILE *constants;
static void write_declarations(const char *text, FILE *out) { lint_declarations_write(text, out, constants); }

static void declares(const char *text, const char *expected, const char *names) {
    char *found = NULL;
    size_t length;
    constants = open_memstream(&found, &length);
    assert_non_null(constants);
    char *out = rewritten(text, write_declarations);
    assert_int_equal(fclose(constants), 0);
    assert_string_equal(out, expected);
    assert_string_equal(found, names);
    free(out);
    free(found);
}

static void declarations_become_cpp(void **state) {
    (void)state;
    declares("void __launch_bounds__(N + 1, 2) k(int a = f()) { g(); }",
             "void  k(int a = f()) { ::riffle_lint_bounds(N + 1, 2); g(); }", "");
    declares("__launch_bounds__(64) void k(); void f() { }", " void k(); void f() { }", "");
    declares("__constant__ const float a[4], b = {1}, *c = &b; int d;",
             "__attribute__((used)) const float a[4], b = {1}, *c = &b; int d;", "a\nb\nc\n");
    declares("my__constant__ x; \"__constant__ y;\"", "my__constant__ x; \"__constant__ y;\"", "");
    assert_true(lint_declarations_name("a\nlong_name\n", "long_name"));
    assert_true(lint_declarations_name("a\nlong_name\n", "_ZL9long_name"));
    assert_true(lint_declarations_name("a\nlong_name\n", "_ZN5inner1aE"));
    assert_false(lint_declarations_name("a\nlong_name\n", "name"));
    assert_false(lint_declarations_name("a\n", "_ZL2aa"));
    assert_false(lint_declarations_name("", "a"));
}

static void structures_with_x_are_found(void **state) {
    (void)state;
    assert_true(lint_declares_member_x("struct s { int m; float x, y; };"));
    assert_true(lint_declares_member_x("class s { void f() { int a; } float *x; };"));
    assert_true(lint_declares_member_x("union { double y, x[2]; } u;"));
    assert_false(lint_declares_member_x("struct s { void f() { int x; } int xx; };"));
    assert_false(lint_declares_member_x("struct s f(int x, int y) { int x, y; return s(x); }"));
    assert_false(
        lint_declares_member_x("# 1 \"/usr/include/v.h\" 1 3\nstruct v { int x; };\n# 2 \"k.cu\" 2\nint x;\n"));
    assert_true(lint_declares_member_x("# 1 \"mine.h\" 1\nstruct v { int x; };\n"));
}

/* ---- messages */

static void explains(const char *messages, const char *expected) {
    const riffle_lint_job job = {.file = "my.cu", .kernel = "k"};
    char copy[1024];
    snprintf(copy, sizeof copy, "%s", messages);
    assert_int_equal(lint_fail_compile(&job, "/home/my.cu", "my.cu", "/tmp/dir", copy), RIFFLE_ERROR_FORMAT);
    assert_string_equal(riffle_error_detail(), expected);
}

static void messages_name_the_users_line(void **state) {
    (void)state;
    explains("/home/my.cu:12:5: error: expected ';'\n", "my.cu:12: expected ';'");
    explains("/home/my.cu: In function 'f':\n/home/other.h:3:1: fatal error: x.h: No such file or directory\n",
             "/home/other.h:3: x.h: No such file or directory");
    explains("/home/my.cu:12:5: error: '__hadd' was not declared in this scope; did you mean '__fadd_rn'?\n",
             "my.cu:12: __hadd: the machine does not supply this part of CUDA");
    explains("/home/my.cu:1:5: fatal error: cudaGL.h: No such file or directory\n",
             "my.cu:1: cudaGL.h: the machine does not supply this part of CUDA");
    explains("/home/my.cu:7:9: error: use of undeclared identifier 'foo'\n",
             "my.cu:7: use of undeclared identifier 'foo'");
    explains("/home/my.cu:9:11:   required from here\n/tmp/dir/a.h:5:1: error: static assertion failed: no\n",
             "my.cu:9: static assertion failed: no");
    explains(
        "/tmp/dir/a.h:5:1: error: static_assert failed \"no\"\n/home/my.cu:9:3: note: in instantiation of f\n",
        "my.cu:9: static_assert failed \"no\"");
    explains(LINT_ENTRY_FILE ":1:30: error: 'k' was not declared in this scope\n",
             "kernel 'k': 'k' was not declared in this scope");
    explains("out of disk\n", "my.cu: the compiler failed: out of disk");
    explains("", "my.cu: the compiler failed: it said nothing");
}

/* ---- gaps */

/* Behind the data of each object lies a gap; a symbol keeps its size. */
static void check_written(void (*write)(const char *, FILE *), const char *assembler, const char *expected) {
    char *text, copy[4096];
    size_t length;
    FILE *stream = open_memstream(&text, &length);
    assert_non_null(stream);
    write(assembler, stream);
    assert_int_equal(fclose(stream), 0);
    snprintf(copy, sizeof copy, "%s", text);
    free(text);
    assert_string_equal(copy, expected);
}

static void check_gaps(const char *assembler, const char *expected) {
    check_written(lint_gaps_write, assembler, expected);
}

#define GAP(k)                                                                                                 \
    "\t.type riffle_lint_gap_" k ", @object\nriffle_lint_gap_" k ":\n\t.zero 256\n\t.size riffle_lint_gap_" k  \
    ", 256\n"

static void variables_are_set_apart(void **state) {
    (void)state;
    check_gaps("\t.type\tf, @function\nf:\n\tret\n", "\t.type\tf, @function\nf:\n\tret\n");
    check_gaps("\t.type\ta, @object\n\t.size\ta, 4\na:\n\t.long\t1\n\t.globl\tb\n",
               "\t.type\ta, @object\n\t.size\ta, 4\na:\n\t.long\t1\n" GAP("0") "\t.globl\tb\n");
    check_gaps("\t.type\ta,@object  # @a\n\t.bss\na:\n\t.zero\t4\n\t.size\ta, 4",
               "\t.type\ta,@object  # @a\n\t.bss\na:\n\t.zero\t4\n\t.size\ta, 4" GAP("0"));
    check_gaps("\t.type\ta, @object\n\t.section\t.rodata.cst4,\"aM\",@progbits,4\na:\n\t.long\t1\n",
               "\t.type\ta, @object\n\t.section\t.rodata.cst4,\"aM\",@progbits,4\na:\n\t.long\t1\n");
    check_gaps("\t.local\ta\n\t.comm\ta,8,4\n",
               "\t.local\ta\n\t.pushsection .bss\n\t.balign 4\n\t.type a, @object\n\t.size a, 8\na:\n"
               "\t.zero 8\n" GAP("0") "\t.popsection\n");
}
#undef GAP

/* Volatile accesses and atomics keep their calls: who waits for them gives others their turn. */
static void hooks_are_passed_over(void **state) {
    (void)state;
#if defined(__x86_64__)
#define QUIET(seen, call) "\ttestb\t$" seen ", riffle_lint_seen(%rip)\n\tje\t93f\n" call "93:\n"
#define END "\t.hidden\triffle_lint_seen\n"
    check_written(lint_quiet_write, "", END);
    check_written(lint_quiet_write, "\tcall\t__tsan_read4@PLT\n\tmovl\t(%rax), %eax",
                  QUIET("1", "\tcall\t__tsan_read4@PLT\n") "\tmovl\t(%rax), %eax" END);
    check_written(lint_quiet_write, "f:\n  callq  __sanitizer_cov_trace_pc@PLT\n",
                  "f:\n" QUIET("2", "  callq  __sanitizer_cov_trace_pc@PLT\n") END);
    check_written(lint_quiet_write, "\tcall\t__tsan_unaligned_write8\n",
                  QUIET("1", "\tcall\t__tsan_unaligned_write8\n") END);
    static const char *const kept[] = {"\tcall\t__tsan_volatile_read4@PLT\n",
                                       "\tcall\t__tsan_unaligned_volatile_read4\n",
                                       "\tcall\t__tsan_atomic32_load\n",
                                       "\tcall\tread\n",
                                       "\tjmp\t__tsan_read4\n",
                                       "call"};
    for (size_t k = 0; k < sizeof kept / sizeof kept[0]; k++) {
        char expected[256];
        snprintf(expected, sizeof expected, "%s" END, kept[k]);
        check_written(lint_quiet_write, kept[k], expected);
    }
#undef END
#undef QUIET
#endif
}

/* ---- kernels */

static char functions_path[1024], arguments_path[1024], examples[1024];

static void find_files(void) {
    const char *end = strrchr(__FILE__, '/');
    const int length = end != NULL ? (int)(end - __FILE__) : 0;
    snprintf(functions_path, sizeof functions_path, "%.*s%slint_functions.cu", length, __FILE__,
             length > 0 ? "/" : "");
    snprintf(arguments_path, sizeof arguments_path, "%.*s%slint_arguments.cu", length, __FILE__,
             length > 0 ? "/" : "");
    snprintf(examples, sizeof examples, "%.*s%s../../examples/lint", length, __FILE__, length > 0 ? "/" : "");
}

/* The report of a launch of `kernel` with 64 threads, which must work and find no hazard. */
static riffle_report *lint_kernel_of(const char *file, const char *kernel, size_t count,
                                     const char *const *arguments) {
    const riffle_lint_job job = {.file = file,
                                 .kernel = kernel,
                                 .block = {64},
                                 .shared_bytes = 512,
                                 .argument_count = count,
                                 .arguments = arguments,
                                 .seed = seed};
    riffle_report *report = NULL;
    if (riffle_lint(&job, &defaults, &report) != RIFFLE_OK) fail_msg("%s: %s", kernel, riffle_error_detail());
    if (riffle_report_hazards(report) != 0) {
        riffle_report_print(report, stderr);
        fail_msg("%s has hazards; seed %llu", kernel, (unsigned long long)seed);
    }
    return report;
}

static void check_kernel(const char *kernel, size_t count, const char *const *arguments) {
    riffle_report_free(lint_kernel_of(arguments_path, kernel, count, arguments));
}

static void functions_do_what_cuda_says(void **state) {
    (void)state;
    riffle_report_free(lint_kernel_of(functions_path, "functions", 0, NULL));
}

static void arguments_arrive(void **state) {
    (void)state;
    check_kernel("parameters", 8,
                 (const char *const[]){"int=-7", "bool=true", "size_t=2^40", "double=0.25", "char=65",
                                       "float4=1,2,3,4", "int:9", "int64_t:4:index"});
    check_kernel("permuted", 2, (const char *const[]){"uint16_t:64:zero", "uint16_t:64:permutation"});
    check_kernel("index_filled", 3, (const char *const[]){"float:64", "float:64:index", "float2:64:index"});
    check_kernel("dynamic<double, 64>", 2, (const char *const[]){"double:64", "double:64:random"});
}

static void a_file_is_an_argument(void **state) {
    (void)state;
    static const char path[] = "test_lint.npy";
    const riffle_npy_header header = {.descr = "'<f8'", .elem_bytes = 8, .rank = 1, .shape = {64}};
    riffle_npy_output *output;
    assert_int_equal(riffle_npy_output_create(path, &header, NULL, &output), RIFFLE_OK);
    for (unsigned i = 0; i < 64; i++) ((double *)riffle_npy_output_data(output))[i] = 3.0 * i;
    assert_int_equal(riffle_npy_output_commit(output), RIFFLE_OK);
    check_kernel("from_file", 1, (const char *const[]){"double:test_lint.npy"});
    const char *const wrong[] = {"float:test_lint.npy"};
    const riffle_lint_job job = {
        .file = arguments_path, .kernel = "from_file", .block = {64}, .argument_count = 1, .arguments = wrong};
    riffle_report *report;
    assert_int_not_equal(riffle_lint(&job, &defaults, &report), RIFFLE_OK);
    const riffle_npy_header columns = {
        .descr = "'<f8'", .elem_bytes = 8, .fortran_order = true, .rank = 2, .shape = {8, 8}};
    assert_int_equal(riffle_npy_output_create(path, &columns, NULL, &output), RIFFLE_OK);
    assert_int_equal(riffle_npy_output_commit(output), RIFFLE_OK);
    const char *const right[] = {"double:test_lint.npy"};
    riffle_lint_job again = job;
    again.arguments = right;
    assert_int_equal(riffle_lint(&again, NULL, &report), RIFFLE_ERROR_FORMAT);
    assert_non_null(strstr(riffle_error_detail(), "ascontiguousarray"));
    remove(path);
}

static void vectors_are_whole_accesses(void **state) {
    (void)state;
    riffle_report *report = lint_kernel_of(arguments_path, "vectors", 3,
                                           (const char *const[]){"float4:64", "float4:64:random", "int2:64"});
    for (size_t k = 0; k < report->lines; k++) {
        const report_line *line = &report->line[k];
        if (line->rounds != 1 || line->stages != line->ideal_stages || line->cell_bytes < 8)
            fail_msg("line %u: %u bytes, %llu rounds", line->line, line->cell_bytes,
                     (unsigned long long)line->rounds);
    }
    assert_int_equal(report->lines, 7);
    riffle_report_free(report);
}

static const report_line *find_line(const riffle_report *report, report_space space, report_op op) {
    for (size_t k = 0; k < report->lines; k++) {
        if (report->line[k].space == space && report->line[k].op == op && report->line[k].casual_rounds > 0)
            return &report->line[k];
    }
    fail_msg("no casual rounds in %s %s", report_space_names[space], report_op_names[op]);
    return NULL;
}

static riffle_report *lint_example(const char *name, const char *kernel, const riffle_machine_options *options,
                                   riffle_lint_job job) {
    char path[1200];
    snprintf(path, sizeof path, "%s/%s.cu", examples, name);
    job.file = path;
    job.kernel = kernel;
    riffle_report *report = NULL;
    if (riffle_lint(&job, options, &report) != RIFFLE_OK) fail_msg("%s: %s", name, riffle_error_detail());
    return report;
}

static void the_worked_example_comes_out(void **state) {
    (void)state;
    const riffle_machine_options options = {.width = 4, .latency = 5, .shared_latency = 5};
    const char *const arguments[] = {"int:8", "int:16:index"};
    const riffle_lint_job job = {.block = {8}, .argument_count = 2, .arguments = arguments};
    riffle_report *report = lint_example("worked_example", "umm", &options, job);
    assert_int_equal(find_line(report, SPACE_GLOBAL, OP_READ)->time_units, 9);
    riffle_report_free(report);
    report = lint_example("worked_example", "dmm", &options, job);
    assert_int_equal(find_line(report, SPACE_SHARED, OP_READ)->time_units, 7);
    riffle_report_free(report);
}

static void transposes_are_told_apart(void **state) {
    (void)state;
    const char *const arguments[] = {"float:16384", "float:16384:random", "int=128"};
    const riffle_lint_job job = {.grid = {4, 4}, .block = {32, 8}, .argument_count = 3, .arguments = arguments};
    riffle_report *report = lint_example("transpose_naive", "transpose", &defaults, job);
    const report_line *column = find_line(report, SPACE_SHARED, OP_READ);
    assert_int_equal(column->stages, 32 * column->warps);
    assert_int_equal(riffle_report_casual_rounds(report), 4);
    riffle_report_free(report);
    static const char *const good[] = {"transpose_padded", "transpose_skewed"};
    for (size_t k = 0; k < 2; k++) {
        report = lint_example(good[k], "transpose", &defaults, job);
        assert_int_equal(riffle_report_casual_rounds(report), 0);
        assert_int_equal(riffle_report_hazards(report), 0);
        riffle_report_free(report);
    }
}

static void a_missing_barrier_is_found(void **state) {
    (void)state;
    const char *const arguments[] = {"int:1024:index"}, *const fixed[] = {"-DFIXED"};
    riffle_lint_job job = {.grid = {4}, .block = {256}, .argument_count = 1, .arguments = arguments};
    riffle_report *report = lint_example("race", "reverse", &defaults, job);
    assert_true(riffle_report_hazards(report) > 0);
    riffle_report_free(report);
    job.flags = fixed;
    job.flag_count = 1;
    report = lint_example("race", "reverse", &defaults, job);
    assert_int_equal(riffle_report_hazards(report), 0);
    riffle_report_free(report);
}

/* ---- what does not work */

static void refuses_job(riffle_lint_job job, riffle_status expected, const char *why) {
    riffle_report *report;
    if (job.file == NULL) job.file = arguments_path;
    const riffle_status status = riffle_lint(&job, &defaults, &report);
    if (status != expected || strstr(riffle_error_detail(), why) == NULL)
        fail_msg("status %d: %s", (int)status, riffle_error_detail());
}

static void wrong_jobs_are_refused(void **state) {
    (void)state;
    const char *const one[] = {"int:4"}, *const two[] = {"float:64", "float:64"}, *const bad[] = {"int"};
    refuses_job((riffle_lint_job){.kernel = ""}, RIFFLE_ERROR_SYNTAX, "no name");
    refuses_job((riffle_lint_job){.kernel = "k; evil"}, RIFFLE_ERROR_SYNTAX, "';'");
    refuses_job((riffle_lint_job){.kernel = "two_names", .argument_count = 1, .arguments = bad},
                RIFFLE_ERROR_SYNTAX, "argument 1");
    refuses_job((riffle_lint_job){.kernel = "two_name"}, RIFFLE_ERROR_FORMAT, "kernel 'two_name'");
    refuses_job((riffle_lint_job){.kernel = "dynamic"}, RIFFLE_ERROR_FORMAT, "template");
    refuses_job((riffle_lint_job){.kernel = "two_names", .argument_count = 1, .arguments = one},
                RIFFLE_ERROR_INVALID_ARGUMENT, "0 parameters, but 1 argument is given");
    refuses_job((riffle_lint_job){.kernel = "permuted", .argument_count = 2, .arguments = two},
                RIFFLE_ERROR_INVALID_ARGUMENT, "argument 1, 'float:64': the kernel's parameter is '");
    refuses_job((riffle_lint_job){.kernel = "two_names", .file = "no such file.cu"}, RIFFLE_ERROR_IO,
                "No such file");
    refuses_job((riffle_lint_job){.kernel = "two_names", .compiler = "no-such-compiler"},
                RIFFLE_ERROR_UNSUPPORTED, "no-such-compiler");
    refuses_job((riffle_lint_job){.kernel = "two_names", .compiler = "/bin/true"}, RIFFLE_ERROR_UNSUPPORTED,
                "'/bin/true' wrote nothing");
    refuses_job((riffle_lint_job){.kernel = "two_names", .compiler = ""}, RIFFLE_ERROR_INVALID_ARGUMENT,
                "no name");
    refuses_job((riffle_lint_job){.kernel = NULL}, RIFFLE_ERROR_INVALID_ARGUMENT, "kernel's name");
    refuses_job((riffle_lint_job){.kernel = "two_names", .block = {1, 1, 65}}, RIFFLE_ERROR_UNSUPPORTED,
                "in z");
    refuses_job((riffle_lint_job){.kernel = "two_names", .grid = {1, 65536}}, RIFFLE_ERROR_UNSUPPORTED, "in y");
    refuses_job((riffle_lint_job){.kernel = "two_names", .grid = {1, 1, 65536}}, RIFFLE_ERROR_UNSUPPORTED,
                "in z");
    refuses_job((riffle_lint_job){.kernel = "two_names", .shared_bytes = (size_t)227 << 10},
                RIFFLE_ERROR_UNSUPPORTED, "of static and");
    refuses_job((riffle_lint_job){.kernel = "two_names", .shared_bytes = 227 * 1024 - 511},
                RIFFLE_ERROR_UNSUPPORTED, "'two_names': 512 bytes of static and 231937 of dynamic");
    refuses_job((riffle_lint_job){.kernel = "also_named", .shared_bytes = 227 * 1024 - 511},
                RIFFLE_ERROR_UNSUPPORTED, "'also_named': 512 bytes of static and 231937 of dynamic");
    static const char *many[300];
    for (size_t k = 0; k < 300; k++) many[k] = "-w";
    refuses_job((riffle_lint_job){.kernel = "two_names", .flag_count = 300, .flags = many},
                RIFFLE_ERROR_INVALID_ARGUMENT, "more than fit");
    refuses_job((riffle_lint_job){.kernel = "two_names", .block = {4096}}, RIFFLE_ERROR_UNSUPPORTED, "");
}

int main(void) {
    seed = test_seed();
    find_files();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_arguments_are_named),
        cmocka_unit_test(arrays_are_read),
        cmocka_unit_test(numbers_are_read),
        cmocka_unit_test(fillings_are_what_they_say),
        cmocka_unit_test(addresses_have_names),
        cmocka_unit_test(launches_become_calls),
        cmocka_unit_test(launches_name_parameters),
        cmocka_unit_test(host_code_is_blanked),
        cmocka_unit_test(declarations_become_cpp),
        cmocka_unit_test(structures_with_x_are_found),
        cmocka_unit_test(messages_name_the_users_line),
        cmocka_unit_test(variables_are_set_apart),
        cmocka_unit_test(hooks_are_passed_over),
        cmocka_unit_test(functions_do_what_cuda_says),
        cmocka_unit_test(arguments_arrive),
        cmocka_unit_test(a_file_is_an_argument),
        cmocka_unit_test(vectors_are_whole_accesses),
        cmocka_unit_test(the_worked_example_comes_out),
        cmocka_unit_test(transposes_are_told_apart),
        cmocka_unit_test(a_missing_barrier_is_found),
        cmocka_unit_test(wrong_jobs_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
