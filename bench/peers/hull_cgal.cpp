// SPDX-License-Identifier: Apache-2.0
//
// hull_cgal POINTS CORNERS REPEAT: CGAL's convex_hull_2 of doubles, x0 y0 x1 y1 ..., with exact predicates. Writes the corners,
// and prints the median of the times in seconds.
#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/convex_hull_2.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <vector>

typedef CGAL::Exact_predicates_inexact_constructions_kernel::Point_2 point;

static std::vector<point> read_points(const char *path) {
    std::vector<point> points;
    std::vector<double> chunk(1 << 16);
    FILE *const file = std::fopen(path, "rb");
    if (file == nullptr) std::exit(1);
    for (size_t n; (n = std::fread(chunk.data(), sizeof(double), chunk.size(), file)) > 0;)
        for (size_t k = 0; k + 1 < n; k += 2) points.emplace_back(chunk[k], chunk[k + 1]);
    std::fclose(file);
    return points;
}

int main(int argc, char **argv) {
    if (argc != 4) return 2;
    const std::vector<point> points = read_points(argv[1]);
    std::vector<point> corners;
    std::vector<double> seconds;
    for (int k = 0; k < std::atoi(argv[3]); k++) {
        corners.clear();
        const auto began = std::chrono::steady_clock::now();
        CGAL::convex_hull_2(points.begin(), points.end(), std::back_inserter(corners));
        seconds.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count());
    }
    FILE *const file = std::fopen(argv[2], "wb");
    if (file == nullptr) return 1;
    for (const point &corner : corners) {
        const double pair[2] = {corner.x(), corner.y()};
        std::fwrite(pair, sizeof pair, 1, file);
    }
    std::sort(seconds.begin(), seconds.end());
    std::printf("%.9f\n", seconds[seconds.size() / 2]);
    return std::fclose(file) == 0 ? 0 : 1;
}
