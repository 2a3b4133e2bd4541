// SPDX-License-Identifier: Apache-2.0
//
// sort_std TYPE NUMBERS REPEAT: std::sort and std::stable_sort of indices by numbers of a type of riffle's (u8, i16, f64, ...), as many as
// the file has. Prints the medians of both times in seconds.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <string>
#include <vector>

static double median(std::vector<double> seconds) {
    std::sort(seconds.begin(), seconds.end());
    return seconds[seconds.size() / 2];
}

template <class work> static double timed(work todo) {
    const auto began = std::chrono::steady_clock::now();
    todo();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
}

template <class number> static int measure(const char *path, int repeat) {
    std::vector<number> numbers, copy;
    FILE *const file = std::fopen(path, "rb");
    if (file == nullptr) return 1;
    std::vector<number> chunk(1 << 16);
    for (size_t n; (n = std::fread(chunk.data(), sizeof(number), chunk.size(), file)) > 0;)
        numbers.insert(numbers.end(), chunk.begin(), chunk.begin() + static_cast<long>(n));
    std::fclose(file);
    std::vector<double> sorts, orders;
    std::vector<uint64_t> order(numbers.size());
    for (int k = 0; k < repeat; k++) {
        copy = numbers;
        sorts.push_back(timed([&] { std::sort(copy.begin(), copy.end()); }));
        std::iota(order.begin(), order.end(), uint64_t(0));
        orders.push_back(timed([&] {
            std::stable_sort(order.begin(), order.end(), [&](uint64_t a, uint64_t b) { return numbers[a] < numbers[b]; });
        }));
    }
    std::printf("%.9f %.9f\n", median(sorts), median(orders));
    return 0;
}

int main(int argc, char **argv) {
    if (argc != 4) return 2;
    const std::string type = argv[1];
    const int repeat = std::atoi(argv[3]);
    if (type == "u8") return measure<uint8_t>(argv[2], repeat);
    if (type == "i16") return measure<int16_t>(argv[2], repeat);
    if (type == "u32") return measure<uint32_t>(argv[2], repeat);
    if (type == "u64") return measure<uint64_t>(argv[2], repeat);
    if (type == "i64") return measure<int64_t>(argv[2], repeat);
    if (type == "f32") return measure<float>(argv[2], repeat);
    if (type == "f64") return measure<double>(argv[2], repeat);
    return 3;
}
