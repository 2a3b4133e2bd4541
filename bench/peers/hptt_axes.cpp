// SPDX-License-Identifier: Apache-2.0
//
// hptt_axes ELEM_BYTES SHAPE ORDER THREADS REPEAT MEASURE: HPTT's move of an array of floats (4) or doubles (8), NumPy's transpose(ORDER) of
// a row-major SHAPE, planned by its model or, with MEASURE 1, by its measuring. Prints the medians of the move and of a threaded copy
// in turn with it, and the time to plan, in seconds; what it moved is compared with the definition in 65536 places before and after.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include <hptt_types.h>
#include <transpose.h>
#include <sys/mman.h>

static double seconds_now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

static double median(std::vector<double> seconds) {
    std::sort(seconds.begin(), seconds.end());
    return seconds[seconds.size() / 2];
}

static std::vector<int> numbers(const std::string &text, char between) {
    std::vector<int> out;
    std::stringstream stream(text);
    for (std::string part; std::getline(stream, part, between);) out.push_back(std::atoi(part.c_str()));
    return out;
}

// On huge pages, as riffle's bench has them.
static void *buffer(size_t bytes) {
    const size_t page = size_t(2) << 20, whole = (bytes + page - 1) / page * page;
    void *const memory = aligned_alloc(page, whole);
    if (memory == nullptr || madvise(memory, whole, MADV_HUGEPAGE) != 0) std::exit(4);
    std::memset(memory, 0, whole);
    return memory;
}

static void copy(char *dst, const char *src, size_t bytes, int threads) {
#pragma omp parallel for num_threads(threads)
    for (int k = 0; k < threads; k++) {
        const size_t first = bytes / size_t(threads) * size_t(k), end = k + 1 < threads ? bytes / size_t(threads) * size_t(k + 1) : bytes;
        std::memcpy(dst + first, src + first, end - first);
    }
}

// Where in src the element number i of dst is from.
static size_t origin(size_t i, const std::vector<int> &shape, const std::vector<int> &order) {
    const size_t rank = shape.size();
    size_t from = 0;
    for (size_t k = rank; k-- > 0;) {
        const size_t extent = size_t(shape[size_t(order[k])]);
        size_t stride = 1;
        for (size_t j = size_t(order[k]) + 1; j < rank; j++) stride *= size_t(shape[j]);
        from += i % extent * stride;
        i /= extent;
    }
    return from;
}

template <class number>
static bool is_right(const number *dst, const number *src, size_t n, const std::vector<int> &shape, const std::vector<int> &order) {
    for (size_t k = 0; k < 65536; k++) {
        const size_t i = k * 2654435761u % n;
        if (dst[i] != src[origin(i, shape, order)]) return false;
    }
    return true;
}

template <class number> static int measure(const std::vector<int> &shape, const std::vector<int> &order, int threads, int repeat, bool tries) {
    size_t n = 1;
    for (int extent : shape) n *= size_t(extent);
    number *const src = static_cast<number *>(buffer(n * sizeof(number))), *const dst = static_cast<number *>(buffer(n * sizeof(number)));
    for (size_t k = 0; k < n; k++) src[k] = number(k & 0xffffff);
    const double began = seconds_now();
    hptt::Transpose<number> plan(shape.data(), order.data(), nullptr, nullptr, int(shape.size()), src, number(1), dst, number(0),
                                 tries ? hptt::MEASURE : hptt::ESTIMATE, threads, nullptr, true);
    plan.createPlan();
    const double planned = seconds_now() - began;
    std::memset(dst, 0xff, n * sizeof(number));
    plan.execute();
    if (!is_right(dst, src, n, shape, order)) return 5;
    std::vector<double> moves, copies;
    for (int k = 0; k < repeat; k++) {
        const double first = seconds_now();
        copy(reinterpret_cast<char *>(dst), reinterpret_cast<const char *>(src), n * sizeof(number), threads);
        const double second = seconds_now();
        plan.execute();
        moves.push_back(seconds_now() - second);
        copies.push_back(second - first);
    }
    if (!is_right(dst, src, n, shape, order)) return 5; // after a copy: what is not moved again is wrong
    std::printf("%.9f %.9f %.9f\n", median(moves), median(copies), planned);
    return 0;
}

int main(int argc, char **argv) {
    if (argc != 7) return 2;
    const std::vector<int> shape = numbers(argv[2], 'x'), order = numbers(argv[3], ',');
    const int threads = std::atoi(argv[4]), repeat = std::atoi(argv[5]);
    const bool tries = std::atoi(argv[6]) != 0;
    if (shape.size() != order.size() || repeat < 1) return 2;
    return std::atoi(argv[1]) == 4 ? measure<float>(shape, order, threads, repeat, tries) : measure<double>(shape, order, threads, repeat, tries);
}
