// Products of matrices by cuBLAS, where it is installed.
#pragma once

#include "jit/gpu/device.h"
#include "jit/gpu/module.h"

namespace rlc::gpu {

// How products of f32 are computed: Exact rounds nothing but the results, Tf32 lets tensor cores
// round the factors to ten bits. Factors of bf16 go to tensor cores in any case; sums are f32.
enum class MatmulPrecision { Exact, Tf32 };

class Blas {
 public:
  // Its work goes to `stream`. There is a cuBLAS for the device's driver. Throws
  // runtime::DeviceError.
  Blas(const Device& device, CUstream stream, MatmulPrecision precision);
  ~Blas();
  Blas(const Blas&) = delete;
  Blas& operator=(const Blas&) = delete;

  // `matrices`: on the device, three pointers: left, right, result. They are read when the
  // product's turn comes.
  void multiply(const Product& product, CUdeviceptr matrices) const;

  size_t workspaceBytes() const { return workspace_.size(); }

 private:
  void check(int status, const char* what) const;

  const Cublas& api_;
  MatmulPrecision precision_;
  cublasHandle_t handle_ = nullptr;
  DeviceBytes workspace_;
};

}  // namespace rlc::gpu
