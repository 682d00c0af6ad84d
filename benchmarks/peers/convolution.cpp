// benchmarks/workloads/convolution.rl by oneDNN, and with `--learning 1` convolution_learning.rl.
// Everything lies beforehand in the formats that each primitive likes best; with `--plain 1`
// images, filters and results lie one channel after the other. Prints JSON: operations per second,
// of all together and of each primitive.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <oneapi/dnnl/dnnl.hpp>
#include <string>
#include <unordered_map>
#include <vector>

extern "C" void omp_set_num_threads(int);

namespace {

using dnnl::memory;
using Dims = memory::dims;

int64_t argument(int argc, char** argv, const char* name, int64_t otherwise) {
  for (int k = 1; k + 1 < argc; ++k)
    if (std::strcmp(argv[k], name) == 0) return std::atoll(argv[k + 1]);
  return otherwise;
}

class Convolution {
 public:
  struct Step {
    std::string name;
    dnnl::primitive primitive;
    std::unordered_map<int, memory> memories;
  };

  Convolution(int64_t batch, int64_t rows, int64_t channels, int64_t filters, int64_t size,
              int64_t stride, bool plain)
      : plain_(plain), engine_(dnnl::engine::kind::cpu, 0), stream_(engine_) {
    const int64_t out = (rows - size) / stride + 1;
    x_ = {batch, channels, rows, rows};
    w_ = {filters, channels, size, size};
    y_ = {batch, filters, out, out};
    c_ = {filters};
    strides_ = {stride, stride};
    operations_ = 2.0 * static_cast<double>(batch * filters * out * out * channels * size * size);
  }

  void addForward() {
    const auto done = forward();
    steps_.push_back({"forward",
                      dnnl::convolution_forward(done),
                      {{DNNL_ARG_SRC, random(done.src_desc(), x_)},
                       {DNNL_ARG_WEIGHTS, random(done.weights_desc(), w_)},
                       {DNNL_ARG_BIAS, random(done.bias_desc(), c_)},
                       {DNNL_ARG_DST, random(done.dst_desc(), y_)}}});
  }

  void addGradients() {
    const auto hint = forward();
    using Data = dnnl::convolution_backward_data;
    const Data::primitive_desc data(convolution<Data::desc>(dnnl::algorithm::convolution_direct,
                                                            images(x_), weights(), images(y_)),
                                    engine_, hint);
    steps_.push_back({"data",
                      Data(data),
                      {{DNNL_ARG_DIFF_DST, random(data.diff_dst_desc(), y_)},
                       {DNNL_ARG_WEIGHTS, random(data.weights_desc(), w_)},
                       {DNNL_ARG_DIFF_SRC, random(data.diff_src_desc(), x_)}}});
    using Weights = dnnl::convolution_backward_weights;
    const Weights::primitive_desc weight(
        convolution<Weights::desc>(dnnl::algorithm::convolution_direct, images(x_), weights(),
                                   biases(), images(y_)),
        engine_, hint);
    steps_.push_back({"weights",
                      Weights(weight),
                      {{DNNL_ARG_SRC, random(weight.src_desc(), x_)},
                       {DNNL_ARG_DIFF_DST, random(weight.diff_dst_desc(), y_)},
                       {DNNL_ARG_DIFF_WEIGHTS, random(weight.diff_weights_desc(), w_)},
                       {DNNL_ARG_DIFF_BIAS, random(weight.diff_bias_desc(), c_)}}});
  }

  const std::vector<Step>& steps() const { return steps_; }
  double operations() const { return operations_; }  // of each step

  double secondsOf(const Step& step) {
    const auto begin = std::chrono::steady_clock::now();
    step.primitive.execute(stream_, step.memories);
    stream_.wait();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  }

 private:
  memory::desc described(const Dims& dims, memory::format_tag tag) const {
    return {dims, memory::data_type::f32, plain_ ? tag : memory::format_tag::any};
  }
  memory::desc images(const Dims& dims) const { return described(dims, memory::format_tag::nchw); }
  memory::desc weights() const { return described(w_, memory::format_tag::oihw); }
  memory::desc biases() const { return {c_, memory::data_type::f32, memory::format_tag::x}; }

  // What all three have: the steps between windows, and no padding.
  template <typename Desc, typename... Parts>
  Desc convolution(const Parts&... parts) const {
    return Desc(parts..., strides_, Dims{0, 0}, Dims{0, 0});
  }

  dnnl::convolution_forward::primitive_desc forward() const {
    return {convolution<dnnl::convolution_forward::desc>(
                dnnl::prop_kind::forward_training, dnnl::algorithm::convolution_direct, images(x_),
                weights(), biases(), images(y_)),
            engine_};
  }

  // Numbers in -0.1..0.1, in the primitive's format.
  memory random(const memory::desc& format, const Dims& dims) {
    const auto tag = dims.size() == 1 ? memory::format_tag::x : memory::format_tag::nchw;
    memory numbers({dims, memory::data_type::f32, tag}, engine_), result(format, engine_);
    auto* data = static_cast<float*>(numbers.get_data_handle());
    for (size_t k = 0; k < numbers.get_desc().get_size() / sizeof(float); ++k) {
      state_ ^= state_ << 13, state_ ^= state_ >> 17, state_ ^= state_ << 5;
      data[k] = 0.1F * (static_cast<float>(state_ >> 8) * 0x1p-23F - 1);
    }
    dnnl::reorder(numbers, result).execute(stream_, numbers, result);
    stream_.wait();
    return result;
  }

  bool plain_;
  dnnl::engine engine_;
  dnnl::stream stream_;
  Dims x_, w_, y_, c_, strides_;
  double operations_ = 0;
  std::vector<Step> steps_;
  uint32_t state_ = 2463534242U;
};

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

}  // namespace

int main(int argc, char** argv) {
  const auto number = [&](const char* name, int64_t otherwise) {
    return argument(argc, argv, name, otherwise);
  };
  const int64_t steps = number("--steps", 200), repeats = number("--repeats", 5),
                threads = number("--threads", 1);
  omp_set_num_threads(static_cast<int>(threads));
  Convolution convolution(number("--batch", 32), number("--rows", 10), number("--channels", 4),
                          number("--filters", 16), number("--size", 3), number("--stride", 1),
                          number("--plain", 0) != 0);
  convolution.addForward();
  if (number("--learning", 0) != 0) convolution.addGradients();
  const size_t kinds = convolution.steps().size();
  std::vector<double> times;
  std::vector<std::vector<double>> each(kinds);
  for (int64_t repeat = 0; repeat <= repeats; ++repeat) {
    std::vector<double> seconds(kinds);
    for (int64_t s = 0; s < steps; ++s)
      for (size_t k = 0; k < kinds; ++k)
        seconds[k] += convolution.secondsOf(convolution.steps()[k]);
    if (repeat == 0) continue;  // it warms up
    double all = 0;
    for (size_t k = 0; k < kinds; ++k) {
      all += seconds[k];
      each[k].push_back(seconds[k]);
    }
    times.push_back(all);
  }
  const double operations = convolution.operations() * static_cast<double>(steps);
  std::printf(
      "{\"rate\": %.6g, \"seconds\": %.6g, \"threads\": %d, \"version\": \"oneDNN %d.%d.%d\"",
      operations * static_cast<double>(kinds) / median(times), median(times),
      static_cast<int>(threads), dnnl_version()->major, dnnl_version()->minor,
      dnnl_version()->patch);
  for (size_t k = 0; k < kinds; ++k)
    std::printf(", \"%s\": %.6g", convolution.steps()[k].name.c_str(),
                operations / median(each[k]));
  std::printf("}\n");
}
