#include "jit/gpu/cublas.h"

#include <string>

#include "compiler/diagnostics/internal_error.h"
#include "jit/runtime/machine.h"

namespace rlc::gpu {

namespace {

constexpr size_t kWorkspaceBytes = size_t{32}
                                   << 20;  // what cuBLAS recommends for the largest devices

// cudaDataType, cublasComputeType_t, cublasOperation_t, cublasGemmAlgo_t
constexpr int kF32 = 0, kF64 = 1, kBf16 = 14;
constexpr int kComputeF32 = 68, kComputeF64 = 70, kComputeTf32 = 77;
constexpr int kAsItIs = 0, kTransposed = 1;
constexpr int kAnyAlgorithm = -1;

const Cublas& required(int driverMajor) {
  const Cublas* api = cublas(driverMajor);
  if (api == nullptr) throw InternalError("a product for cuBLAS, which is not there");
  return *api;
}

}  // namespace

Blas::Blas(const Device& device, CUstream stream, MatmulPrecision precision)
    : api_(required(device.driverMajor())),
      precision_(precision),
      workspace_(device, kWorkspaceBytes, "cuBLAS's workspace") {
  check(api_.cublasCreate_v2(&handle_), "starting");
  check(api_.cublasSetStream_v2(handle_, stream), "choosing the stream");
  // Memory of its own would not be part of a graph.
  check(api_.cublasSetWorkspace_v2(handle_, reinterpret_cast<void*>(workspace_.at()),
                                   workspace_.size()),
        "giving it memory");
}

Blas::~Blas() {
  if (handle_ != nullptr) api_.cublasDestroy_v2(handle_);
}

void Blas::check(int status, const char* what) const {
  if (status != 0)
    throw runtime::DeviceError("cuBLAS: " + std::string(what) + " failed with status " +
                               std::to_string(status) + " (" + api_.path + ")");
}

void Blas::multiply(const Product& product, CUdeviceptr matrices) const {
  // cuBLAS counts by columns: what is stored by rows is the transposed matrix to it, and (A B)' =
  // B' A'.
  const bool leftByRows = product.leftColumn == 1, rightByRows = product.rightColumn == 1;
  const auto leading = [](int64_t row, int64_t column) {
    return static_cast<int>(row > column ? row : column);
  };
  const bool wide = product.type == DType::F64;
  const int type = wide ? kF64 : product.type == DType::BF16 ? kBf16 : kF32;
  const int compute = wide ? kComputeF64
                      : product.type == DType::F32 && precision_ == MatmulPrecision::Tf32
                          ? kComputeTf32
                          : kComputeF32;
  const float one = 1, zero = 0;
  const double oneWide = 1, zeroWide = 0;
  const auto place = [&](size_t number) {
    return reinterpret_cast<void**>(matrices + number * sizeof(void*));
  };
  check(api_.cublasGemmBatchedEx(handle_, rightByRows ? kAsItIs : kTransposed,
                                 leftByRows ? kAsItIs : kTransposed, static_cast<int>(product.n),
                                 static_cast<int>(product.m), static_cast<int>(product.k),
                                 wide ? static_cast<const void*>(&oneWide) : &one, place(1), type,
                                 leading(product.rightRow, product.rightColumn), place(0), type,
                                 leading(product.leftRow, product.leftColumn),
                                 wide ? static_cast<const void*>(&zeroWide) : &zero, place(2), type,
                                 static_cast<int>(product.n), 1, compute, kAnyAlgorithm),
        "multiplying matrices");
}

}  // namespace rlc::gpu
