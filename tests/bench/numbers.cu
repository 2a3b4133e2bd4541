/* SPDX-License-Identifier: Apache-2.0
 *
 * numbers FILE: riffle-bench's kernels for sorts, as test_numbers.py has riffle lint run them: numbers of every order and type go
 * into FILE, and looks at results that are right, and at wrong ones, are counted.
 */
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <numeric>
#include <vector>

#include "gpu/kernels.cu"

enum { N = 130, SEGMENTS = 3, ALL = N * SEGMENTS };

static const struct {
    riffle_type type;
    size_t bytes;
} types[] = {{RIFFLE_TYPE_U8, 1},   {RIFFLE_TYPE_I16, 2},
             {RIFFLE_TYPE_U32, 4},  {RIFFLE_TYPE_I64, 8},
             {RIFFLE_TYPE_U64, 8},  {RIFFLE_TYPE_F16, 2},
             {RIFFLE_TYPE_F32, 4},  {RIFFLE_TYPE_F64, 8},
             {RIFFLE_TYPE_U64, 16}, {RIFFLE_TYPE_I64, BENCH_SORT_ROW_BYTES}};

/* The arrays in a GPU's memory. */
struct arrays {
    bench_numbers of;
    char *numbers, *found;
    unsigned long long *sums;
};

/* True if a kernel finds nothing wrong with what it is given. */
template <typename Kernel>
static bool is_right(Kernel kernel, const arrays &a, const void *found, size_t bytes) {
    unsigned long long sums[2];
    cudaMemcpy(a.found, found, bytes, cudaMemcpyHostToDevice);
    cudaMemset(a.sums, 0, sizeof sums);
    kernel<<<2, 64>>>(a.of, a.numbers, a.found, a.sums);
    cudaMemcpy(sums, a.sums, sizeof sums, cudaMemcpyDeviceToHost);
    return sums[0] == 0 && sums[1] == 0;
}

/* The numbers' stable order by its plain definition, segment by segment. */
static std::vector<uint32_t> order_of(const bench_numbers &of, const std::vector<char> &numbers) {
    std::vector<uint32_t> order(ALL);
    std::iota(order.begin(), order.end(), 0u);
    for (uint64_t first = 0; first < ALL; first += of.length)
        std::stable_sort(order.begin() + first, order.begin() + first + of.length, [&](uint32_t a, uint32_t b) {
            return bench_code_at(&of, numbers.data(), a) < bench_code_at(&of, numbers.data(), b);
        });
    return order;
}

static unsigned looks, mistakes;

static void expect(bool right, bool found, const char *what, const arrays &a) {
    ++looks;
    if (right == found) return;
    ++mistakes;
    printf("%s of order %d, type %d, %d bytes: taken for %s\n", what, (int)a.of.order, (int)a.of.type,
           (int)a.of.elem_bytes, found ? "right" : "wrong");
}

static void look(const arrays &a, const std::vector<char> &numbers) {
    const size_t width = a.of.elem_bytes, bytes = ALL * width;
    std::vector<uint32_t> order = order_of(a.of, numbers);
    std::vector<char> sorted(bytes);
    for (size_t k = 0; k < ALL; ++k) memcpy(&sorted[k * width], &numbers[order[k] * width], width);
    expect(true, is_right(riffle_bench_look_at_numbers, a, sorted.data(), bytes), "sorted", a);
    expect(true, is_right(riffle_bench_look_at_indices, a, order.data(), sizeof(uint32_t) * ALL), "order", a);
    size_t k = 1; /* the first that differs from the one before, so that one of them twice is in order too */
    while (k < N && memcmp(&sorted[(k - 1) * width], &sorted[k * width], width) == 0) ++k;
    if (k < N) {
        char *const one = &sorted[(k - 1) * width], *const next = one + width;
        std::swap_ranges(one, next, next);
        expect(false, is_right(riffle_bench_look_at_numbers, a, sorted.data(), bytes), "two exchanged", a);
        memcpy(next, one, width);
        expect(false, is_right(riffle_bench_look_at_numbers, a, sorted.data(), bytes), "one twice", a);
    }
    std::swap(order[N / 2], order[N / 2 + 1]);
    expect(false, is_right(riffle_bench_look_at_indices, a, order.data(), sizeof(uint32_t) * ALL),
           "two indices", a);
    order[N / 2] = order[N / 2 + 1];
    expect(false, is_right(riffle_bench_look_at_indices, a, order.data(), sizeof(uint32_t) * ALL),
           "an index twice", a);
}

/* True if the looks find nothing wrong with the first of each segment. */
static bool top_is_right(const arrays &a, const std::vector<float> &keys, const uint32_t *indices) {
    const size_t bytes = keys.size() * sizeof(float);
    bench_top_look looks[SEGMENTS] = {}, *device;
    char *const device_keys = a.found, *const device_indices = a.found + bytes;
    cudaMalloc(&device, sizeof looks);
    cudaMemcpy(device, looks, sizeof looks, cudaMemcpyHostToDevice);
    cudaMemcpy(device_keys, keys.data(), bytes, cudaMemcpyHostToDevice);
    if (indices != nullptr) cudaMemcpy(device_indices, indices, bytes, cudaMemcpyHostToDevice);
    const bench_top top = {a.numbers, device_keys, indices != nullptr ? device_indices : nullptr};
    riffle_bench_look_at_top<<<2, 64>>>(a.of, top, device);
    cudaMemcpy(looks, device, sizeof looks, cudaMemcpyDeviceToHost);
    cudaFree(device);
    return std::all_of(looks, looks + SEGMENTS,
                       [&](const bench_top_look &all) { return bench_top_is_right(&a.of, &top, all); });
}

/* The first of floats. */
static void look_at_top(arrays a, const std::vector<char> &numbers) {
    const std::vector<uint32_t> order = order_of(a.of, numbers);
    std::vector<uint32_t> indices;
    std::vector<float> keys;
    a.of.count = 7;
    for (uint64_t s = 0; s < SEGMENTS; ++s)
        indices.insert(indices.end(), order.begin() + s * N, order.begin() + s * N + a.of.count);
    for (const uint32_t index : indices) keys.push_back(((const float *)(const void *)numbers.data())[index]);
    expect(true, top_is_right(a, keys, nullptr), "the first", a);
    expect(true, top_is_right(a, keys, indices.data()), "the first with indices", a);
    std::swap(indices[N % 7], indices.back());
    expect(false, top_is_right(a, keys, indices.data()), "two indices of the first", a);
    keys.back() = 2;
    expect(false, top_is_right(a, keys, nullptr), "too great a last", a);
}

int main(int argc, char **argv) {
    FILE *const file = argc == 2 ? fopen(argv[1], "wb") : nullptr;
    if (file == nullptr) return 2;
    arrays a;
    cudaMalloc(&a.numbers, ALL * BENCH_SORT_ROW_BYTES);
    cudaMalloc(&a.found, ALL * BENCH_SORT_ROW_BYTES);
    cudaMalloc(&a.sums, 2 * sizeof *a.sums);
    for (int order = 0; order < BENCH_ORDERS; ++order)
        for (const auto &type : types) {
            const uint64_t length = order == BENCH_STREAMS ? ALL : N;
            a.of = {(bench_order)order, type.type, N, ALL, length, type.bytes, sizeof(uint32_t)};
            riffle_bench_fill_numbers<<<(ALL + 255) / 256, 256>>>(a.of, a.numbers);
            std::vector<char> numbers(ALL * type.bytes);
            cudaMemcpy(numbers.data(), a.numbers, numbers.size(), cudaMemcpyDeviceToHost);
            fwrite(numbers.data(), 1, numbers.size(), file);
            look(a, numbers);
            if (type.type == RIFFLE_TYPE_F32 && (order == BENCH_FEW || order == BENCH_UNIFORM))
                look_at_top(a, numbers);
        }
    cudaFree(a.sums);
    cudaFree(a.found);
    cudaFree(a.numbers);
    fclose(file);
    printf("%u looks, %u mistakes\n", looks, mistakes);
    return mistakes > 0;
}
