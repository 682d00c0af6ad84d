// benchmarks/workloads/product.rl by OpenBLAS. Prints JSON: operations per second.
#include <cblas.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

extern "C" void openblas_set_num_threads(int);

namespace {

int64_t argument(int argc, char** argv, const char* name, int64_t otherwise) {
  for (int k = 1; k + 1 < argc; ++k)
    if (std::strcmp(argv[k], name) == 0) return std::atoll(argv[k + 1]);
  return otherwise;
}

}  // namespace

int main(int argc, char** argv) {
  const int64_t m = argument(argc, argv, "--m", 256), n = argument(argc, argv, "--n", 256),
                steps = argument(argc, argv, "--steps", 200),
                repeats = argument(argc, argv, "--repeats", 5),
                threads = argument(argc, argv, "--threads", 1);
  openblas_set_num_threads(static_cast<int>(threads));
  std::vector<float> w(static_cast<size_t>(n * n)), x(static_cast<size_t>(m * n)), y(x.size());
  uint32_t state = 2463534242U;
  const auto uniform = [&] {
    state ^= state << 13, state ^= state >> 17, state ^= state << 5;
    return static_cast<float>(state >> 8) * 0x1p-23F - 1;
  };
  std::vector<float> b(x.size());
  // As large on average as the workload's.
  for (float& value : w) value = uniform() * std::sqrt(0.75F / static_cast<float>(n));
  for (float& value : b) value = uniform() * std::sqrt(3.0F);
  std::vector<double> times;
  for (int64_t repeat = 0; repeat <= repeats; ++repeat) {
    x = b;
    const auto begin = std::chrono::steady_clock::now();
    for (int64_t s = 0; s < steps; ++s) {
      const auto rows = static_cast<int>(m), columns = static_cast<int>(n);
      std::copy(b.begin(), b.end(), y.begin());
      cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, rows, columns, columns, 1, x.data(),
                  columns, w.data(), columns, 1, y.data(), columns);
      std::swap(x, y);
    }
    if (repeat > 0)  // the first warms up
      times.push_back(
          std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  }
  std::sort(times.begin(), times.end());
  const double seconds = times[times.size() / 2];
  std::printf(
      "{\"rate\": %.6g, \"seconds\": %.6g, \"threads\": %d, \"version\": \"OpenBLAS\", "
      "\"first\": %g}\n",
      2.0 * static_cast<double>(m * n * n * steps) / seconds, seconds, static_cast<int>(threads),
      static_cast<double>(x[0]));
}
