// The CUDA driver, run-time compiler and linear algebra, opened when a GPU is asked for: one table
// of entry points each, and where they were looked for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace rlc::gpu {

// The driver API's handles and codes, as cuda.h has them.
using CUresult = int;
using CUdevice = int;
using CUdeviceptr = unsigned long long;
using CUcontext = struct CUctx_st*;
using CUmodule = struct CUmod_st*;
using CUfunction = struct CUfunc_st*;
using CUstream = struct CUstream_st*;
using CUevent = struct CUevent_st*;
using CUgraph = struct CUgraph_st*;
using CUgraphExec = struct CUgraphExec_st*;
using nvrtcProgram = struct _nvrtcProgram*;
using nvrtcResult = int;
using cublasHandle_t = struct cublasContext*;

// name, result, parameters
#define RLC_CUDA_ENTRY_POINTS(X)                                                              \
  X(cuInit, (unsigned flags))                                                                 \
  X(cuDriverGetVersion, (int* version))                                                       \
  X(cuDeviceGetCount, (int* count))                                                           \
  X(cuDeviceGet, (CUdevice * device, int number))                                             \
  X(cuDeviceGetName, (char* name, int length, CUdevice device))                               \
  X(cuDeviceGetAttribute, (int* value, int attribute, CUdevice device))                       \
  X(cuDeviceTotalMem_v2, (size_t* bytes, CUdevice device))                                    \
  X(cuDevicePrimaryCtxRetain, (CUcontext * context, CUdevice device))                         \
  X(cuDevicePrimaryCtxRelease_v2, (CUdevice device))                                          \
  X(cuCtxSetCurrent, (CUcontext context))                                                     \
  X(cuModuleLoadData, (CUmodule * module, const void* image))                                 \
  X(cuModuleUnload, (CUmodule module))                                                        \
  X(cuModuleGetFunction, (CUfunction * function, CUmodule module, const char* name))          \
  X(cuMemGetInfo_v2, (size_t* free, size_t* total))                                           \
  X(cuMemAlloc_v2, (CUdeviceptr * pointer, size_t bytes))                                     \
  X(cuMemFree_v2, (CUdeviceptr pointer))                                                      \
  X(cuMemHostAlloc, (void** pointer, size_t bytes, unsigned flags))                           \
  X(cuMemFreeHost, (void* pointer))                                                           \
  X(cuMemHostGetDevicePointer_v2, (CUdeviceptr * device, void* host, unsigned flags))         \
  X(cuMemcpyHtoDAsync_v2, (CUdeviceptr to, const void* from, size_t bytes, CUstream stream))  \
  X(cuMemcpyDtoHAsync_v2, (void* to, CUdeviceptr from, size_t bytes, CUstream stream))        \
  X(cuMemsetD8Async, (CUdeviceptr to, unsigned char value, size_t bytes, CUstream stream))    \
  X(cuStreamCreate, (CUstream * stream, unsigned flags))                                      \
  X(cuStreamDestroy_v2, (CUstream stream))                                                    \
  X(cuStreamBeginCapture_v2, (CUstream stream, int mode))                                     \
  X(cuStreamEndCapture, (CUstream stream, CUgraph * graph))                                   \
  X(cuGraphInstantiateWithFlags,                                                              \
    (CUgraphExec * executable, CUgraph graph, unsigned long long flags))                      \
  X(cuGraphLaunch, (CUgraphExec executable, CUstream stream))                                 \
  X(cuGraphDestroy, (CUgraph graph))                                                          \
  X(cuGraphExecDestroy, (CUgraphExec executable))                                             \
  X(cuEventCreate, (CUevent * event, unsigned flags))                                         \
  X(cuEventDestroy_v2, (CUevent event))                                                       \
  X(cuEventRecord, (CUevent event, CUstream stream))                                          \
  X(cuStreamWaitEvent, (CUstream stream, CUevent event, unsigned flags))                      \
  X(cuEventQuery, (CUevent event))                                                            \
  X(cuEventElapsedTime, (float* milliseconds, CUevent from, CUevent to))                      \
  X(cuFuncGetAttribute, (int* value, int attribute, CUfunction function))                     \
  X(cuLaunchKernel, (CUfunction function, unsigned gridX, unsigned gridY, unsigned gridZ,     \
                     unsigned blockX, unsigned blockY, unsigned blockZ, unsigned sharedBytes, \
                     CUstream stream, void** parameters, void** extra))                       \
  X(cuGetErrorName, (CUresult error, const char** name))                                      \
  X(cuGetErrorString, (CUresult error, const char** text))

#define RLC_NVRTC_ENTRY_POINTS(X)                                                          \
  X(nvrtcVersion, (int* major, int* minor))                                                \
  X(nvrtcGetNumSupportedArchs, (int* count))                                               \
  X(nvrtcGetSupportedArchs, (int* archs))                                                  \
  X(nvrtcCreateProgram, (nvrtcProgram * program, const char* source, const char* name,     \
                         int headers, const char* const* texts, const char* const* names)) \
  X(nvrtcDestroyProgram, (nvrtcProgram * program))                                         \
  X(nvrtcCompileProgram, (nvrtcProgram program, int count, const char* const* options))    \
  X(nvrtcGetProgramLogSize, (nvrtcProgram program, size_t* bytes))                         \
  X(nvrtcGetProgramLog, (nvrtcProgram program, char* log))                                 \
  X(nvrtcGetCUBINSize, (nvrtcProgram program, size_t* bytes))                              \
  X(nvrtcGetCUBIN, (nvrtcProgram program, char* cubin))                                    \
  X(nvrtcGetPTXSize, (nvrtcProgram program, size_t* bytes))                                \
  X(nvrtcGetPTX, (nvrtcProgram program, char* ptx))

#define RLC_CUBLAS_ENTRY_POINTS(X)                                                                 \
  X(cublasGetProperty, (int property, int* value))                                                 \
  X(cublasCreate_v2, (cublasHandle_t * handle))                                                    \
  X(cublasDestroy_v2, (cublasHandle_t handle))                                                     \
  X(cublasSetStream_v2, (cublasHandle_t handle, CUstream stream))                                  \
  X(cublasSetWorkspace_v2, (cublasHandle_t handle, void* workspace, size_t bytes))                 \
  X(cublasGemmBatchedEx, (cublasHandle_t handle, int leftOperation, int rightOperation, int m,     \
                          int n, int k, const void* alpha, const void* const* left, int leftType,  \
                          int leftLeading, const void* const* right, int rightType,                \
                          int rightLeading, const void* beta, void* const* result, int resultType, \
                          int resultLeading, int count, int compute, int algorithm))

#define RLC_DECLARE(name, parameters) int(*name) parameters = nullptr;
struct Cuda {
  RLC_CUDA_ENTRY_POINTS(RLC_DECLARE)
};
struct Nvrtc {
  RLC_NVRTC_ENTRY_POINTS(RLC_DECLARE)
  std::string path;
  int major = 0, minor = 0;
  // A library that it opens itself when it compiles.
  std::string builtins() const {
    return "libnvrtc-builtins.so." + std::to_string(major) + "." + std::to_string(minor);
  }
};
struct Cublas {
  RLC_CUBLAS_ENTRY_POINTS(RLC_DECLARE)
  std::string path;
  int major = 0;
};
#undef RLC_DECLARE

// The driver; throws runtime::DeviceError that lists the places.
const Cuda& cuda();
// A compiler whose code a driver for CUDA `driverMajor` can run (0: any). $RLC_CUDA_PATH's folders
// come first, then the loader's, then those of toolkits, the system and pip packages. Throws
// runtime::DeviceError.
const Nvrtc& nvrtc(int driverMajor);
// cuBLAS, no newer than the driver's CUDA (0: any); null where there is none, which everything can
// do without.
const Cublas* cublas(int driverMajor);

// Where a library is looked for, in order; names without a folder go to the loader.
std::vector<std::string> placesOf(const std::vector<std::string>& names,
                                  const std::vector<std::string>& packageFolders);

}  // namespace rlc::gpu
