/* SPDX-License-Identifier: Apache-2.0
 *
 * Launches each of the project's kernels, for elements of 4 and of 8 bytes, and checks what it moved.
 *
 *     kernels FOLDER    FOLDER has the tables as .npy files; bench/hardware/launches.py writes them and says
 *                       which launches these are, in the same order
 */
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "move/kernels/direct/copy.cu"
#include "papers/kernels/in_block.cu"
#include "move/kernels/direct/indexed.cu"
#include "papers/kernels/row_wise.cu"
#include "move/kernels/matrix/transpose.cu"

constexpr uint32_t N = 1 << 14, ROWS = 8, COLS = 2048, IN_BLOCK = 1024, BLOCKS = 4, REPETITIONS = 3, TILE = 32;
constexpr uint32_t ODD_ROWS = 100, ODD_COLS = 130, OFFSET = 5;
constexpr unsigned FLAT_THREADS = 256, ROW_THREADS = 1024;

static int wrong = 0;

static void check(cudaError_t error) {
    if (error == cudaSuccess) return;
    std::fprintf(stderr, "%s\n", cudaGetErrorString(error));
    std::exit(1);
}

/** An array on the device, and what the host has put there. */
template <class T> struct array {
    std::vector<T> host;
    T *device = nullptr;

    explicit array(const std::vector<T> &elements) : host(elements) {
        check(cudaMalloc(&device, bytes()));
        check(cudaMemcpy(device, host.data(), bytes(), cudaMemcpyHostToDevice));
    }
    size_t bytes() const { return host.size() * sizeof(T); }
};

/** The elements of a .npy file of version 1, whose header's length stands at byte 8. */
template <class T> static array<T> load(const std::string &path) {
    FILE *const file = std::fopen(path.c_str(), "rb");
    unsigned char head[10];
    if (file == nullptr || std::fread(head, 1, sizeof head, file) != sizeof head) {
        std::fprintf(stderr, "%s: cannot be read\n", path.c_str());
        std::exit(1);
    }
    std::vector<T> elements;
    T element_read;
    std::fseek(file, head[8] + 256 * head[9], SEEK_CUR);
    while (std::fread(&element_read, sizeof(T), 1, file) == 1) elements.push_back(element_read);
    std::fclose(file);
    return array<T>(elements);
}

/** a[k] is k scrambled; b is what the kernels write. */
template <class E> struct pair {
    array<E> a, b;

    static std::vector<E> scrambled() {
        std::vector<E> out(N);
        for (uint32_t k = 0; k < N; k++) out[k] = (E)k * (E)0x9e3779b97f4a7c15ULL;
        return out;
    }
    pair() : a(scrambled()), b(std::vector<E>(N)) {}

    /** Checks that b[to(i)] = a[from(i)] for all i < n; cleans b for the next launch. */
    template <class To, class From> void expect(const char *name, uint32_t n, To to, From from) {
        check(cudaGetLastError());
        check(cudaMemcpy(b.host.data(), b.device, b.bytes(), cudaMemcpyDeviceToHost));
        uint32_t bad = 0;
        for (uint32_t i = 0; i < n; i++) bad += b.host[to(i)] != a.host[from(i)];
        std::printf("%s, %zu bytes: %s\n", name, sizeof(E), bad == 0 ? "ok" : "wrong");
        wrong += bad != 0;
        check(cudaMemset(b.device, 0xff, b.bytes()));
    }
};

static uint32_t itself(uint32_t i) { return i; }

template <class E> static void run_flat(pair<E> &p, const array<uint32_t> &map) {
    const unsigned blocks = N / FLAT_THREADS;
    copy<E><<<blocks, FLAT_THREADS>>>(p.b.device, p.a.device, N, 0, 0);
    p.expect("copy", N, itself, itself);
    copy<E><<<blocks, FLAT_THREADS>>>(p.b.device, p.a.device, N, OFFSET, 1);
    p.expect(
        "copy, reflected", N, [](uint32_t i) { return (OFFSET + N - i) % N; }, itself);
    scatter<E><<<blocks, FLAT_THREADS>>>(p.b.device, p.a.device, map.device, N, 1);
    p.expect(
        "scatter", N, [&](uint32_t i) { return map.host[i]; }, itself);
    gather<E><<<blocks, FLAT_THREADS>>>(p.b.device, p.a.device, map.device, N, 1);
    p.expect("gather", N, itself, [&](uint32_t i) { return map.host[i]; });
}

template <class E> static void run_transpose(pair<E> &p, uint32_t rows, uint32_t cols) {
    const unsigned tiles = (rows + TILE - 1) / TILE * ((cols + TILE - 1) / TILE);
    transpose<E><<<tiles, dim3(TILE, TILE), TILE * TILE * sizeof(E)>>>(p.b.device, p.a.device, rows, cols);
    p.expect(
        "transpose", rows * cols, [=](uint32_t i) { return i % cols * rows + i / cols; }, itself);
}

template <class E>
static void run_rows(pair<E> &p, const char *name, const array<uint16_t> &s, const array<uint16_t> &d) {
    row_wise<E>
        <<<ROWS, ROW_THREADS, 2 * COLS * sizeof(E)>>>(p.b.device, p.a.device, s.device, d.device, COLS, N, N);
    p.expect(
        name, N, [&](uint32_t i) { return i / COLS * COLS + d.host[i]; },
        [&](uint32_t i) { return i / COLS * COLS + s.host[i]; });
}

template <class E>
static void run_in_block(pair<E> &p, const array<uint16_t> &table, const array<uint16_t> &s,
                         const array<uint16_t> &d) {
    const size_t arrays = 2 * IN_BLOCK * sizeof(E), one = arrays + 2 * IN_BLOCK, two = one + 2 * IN_BLOCK;
    const uint32_t moved = BLOCKS * IN_BLOCK;
    const auto along = [](const array<uint16_t> &to) {
        return [&to](uint32_t i) { return i / IN_BLOCK * IN_BLOCK + to.host[i % IN_BLOCK]; };
    };
    E *const b = p.b.device, *const a = p.a.device;
    copy_in_block<E><<<BLOCKS, FLAT_THREADS, arrays>>>(b, a, IN_BLOCK, IN_BLOCK, REPETITIONS);
    p.expect("copy_in_block", moved, itself, itself);
    scatter_in_block<E><<<BLOCKS, FLAT_THREADS, one>>>(b, a, table.device, IN_BLOCK, IN_BLOCK, REPETITIONS);
    p.expect("scatter_in_block", moved, along(table), itself);
    gather_in_block<E><<<BLOCKS, FLAT_THREADS, one>>>(b, a, table.device, IN_BLOCK, IN_BLOCK, REPETITIONS);
    p.expect("gather_in_block", moved, itself, along(table));
    conflict_free_in_block<E>
        <<<BLOCKS, FLAT_THREADS, two>>>(b, a, s.device, d.device, IN_BLOCK, IN_BLOCK, REPETITIONS);
    p.expect("conflict_free_in_block", moved, along(d), along(s));
}

template <class E> static void run_all(const std::string &folder) {
    const auto map = load<uint32_t>(folder + "/map.npy");
    const auto identity = load<uint16_t>(folder + "/identity.npy"),
               casual = load<uint16_t>(folder + "/casual.npy");
    const auto s = load<uint16_t>(folder + "/s.npy"), d = load<uint16_t>(folder + "/d.npy");
    const auto table = load<uint16_t>(folder + "/block_table.npy");
    const auto block_s = load<uint16_t>(folder + "/block_s.npy"),
               block_d = load<uint16_t>(folder + "/block_d.npy");
    pair<E> p;
    run_flat(p, map);
    run_transpose(p, N / 128, 128);
    run_transpose(p, ODD_ROWS, ODD_COLS);
    run_rows(p, "row_wise, scheduled", s, d);
    run_rows(p, "row_wise, unscheduled", identity, casual);
    run_in_block(p, table, block_s, block_d);
}

int main(int argc, char **argv) {
    if (argc != 2) {
        std::fprintf(stderr, "usage: kernels FOLDER\n");
        return 2;
    }
    run_all<uint32_t>(argv[1]);
    run_all<uint64_t>(argv[1]);
    return wrong != 0;
}
