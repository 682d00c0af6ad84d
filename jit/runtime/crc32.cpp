#include <array>
#include <bit>
#include <cstring>

#include "jit/runtime/checkpoint.h"

namespace rlc::runtime {
namespace {

// tables[k][b]: the CRC of byte b followed by k zero bytes ("slicing by 8").
constexpr auto kTables = [] {
  std::array<std::array<uint32_t, 256>, 8> tables{};
  for (uint32_t b = 0; b < 256; ++b) {
    uint32_t crc = b;
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ (crc & 1 ? 0xEDB88320u : 0);
    tables[0][b] = crc;
  }
  for (uint32_t b = 0; b < 256; ++b) {
    for (size_t k = 1; k < 8; ++k)
      tables[k][b] = (tables[k - 1][b] >> 8) ^ tables[0][tables[k - 1][b] & 255];
  }
  return tables;
}();

}  // namespace

uint32_t crc32(std::span<const std::byte> bytes, uint32_t before) {
  static_assert(std::endian::native == std::endian::little);
  uint32_t crc = ~before;
  size_t i = 0;
  for (; i + 8 <= bytes.size(); i += 8) {
    uint64_t word;
    std::memcpy(&word, bytes.data() + i, 8);
    word ^= crc;
    crc = 0;
    for (int k = 0; k < 8; ++k) crc ^= kTables[static_cast<size_t>(7 - k)][(word >> (8 * k)) & 255];
  }
  for (; i < bytes.size(); ++i)
    crc = (crc >> 8) ^ kTables[0][(crc ^ static_cast<uint32_t>(bytes[i])) & 255];
  return ~crc;
}

}  // namespace rlc::runtime
