#include "jit/runtime/checkpoint.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "jit/runtime/checkpoint_header.h"

namespace rlc::runtime {
namespace {

constexpr unsigned char kMagic[8] = {0x89, 'R', 'L', 'C', '\r', '\n', 0x1a, '\n'};
constexpr uint32_t kVersion = 1;
constexpr size_t kFixedBytes = 24, kAlignment = 64, kChecksumBytes = 4;

struct FixedHeader {
  unsigned char magic[8];
  uint32_t version, headerBytes;
  uint64_t fileBytes;
};
static_assert(sizeof(FixedHeader) == kFixedBytes);

size_t aligned(size_t n) { return (n + kAlignment - 1) / kAlignment * kAlignment; }

std::string systemError() { return std::strerror(errno); }

class File {
 public:
  explicit File(int descriptor) : descriptor_(descriptor) {}
  ~File() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  bool isOpen() const { return descriptor_ >= 0; }
  int descriptor() const { return descriptor_; }
  bool close() { return ::close(std::exchange(descriptor_, -1)) == 0; }

 private:
  int descriptor_;
};

// Writes everything, and keeps the checksum of what it wrote.
class ChecksummedWriter {
 public:
  explicit ChecksummedWriter(const File& file) : file_(file) {}

  bool write(const void* data, size_t bytes) {
    checksum_ = crc32({static_cast<const std::byte*>(data), bytes}, checksum_);
    position_ += bytes;
    const char* at = static_cast<const char*>(data);
    while (bytes > 0) {
      const ssize_t written = ::write(file_.descriptor(), at, std::min(bytes, size_t{1} << 30));
      if (written < 0 && errno == EINTR) continue;
      if (written <= 0) return false;
      at += written;
      bytes -= static_cast<size_t>(written);
    }
    return true;
  }
  bool padTo(size_t position) {
    constexpr char zeros[kAlignment] = {};
    return position <= position_ || write(zeros, position - position_);
  }
  uint32_t checksum() const { return checksum_; }

 private:
  const File& file_;
  uint32_t checksum_ = 0;
  size_t position_ = 0;
};

// Offsets depend on the header's length and it on them: a header with the same offsets in wider
// digits bounds its length.
std::string layOut(CheckpointHeader& header, size_t& fileBytes) {
  for (HeaderTensor& tensor : header.tensors) tensor.offset = INT64_MAX;
  const size_t headerBytes = aligned(kFixedBytes + writeHeader(header).size()) - kFixedBytes;
  size_t end = kFixedBytes + headerBytes;
  for (HeaderTensor& tensor : header.tensors) {
    tensor.offset = static_cast<int64_t>(aligned(end));
    end = static_cast<size_t>(tensor.offset + tensorBytes(tensor.type, tensor.shape));
  }
  fileBytes = end + kChecksumBytes;
  std::string text = writeHeader(header);
  text.resize(headerBytes, ' ');
  return text;
}

bool writeAll(const File& file, const std::string& headerText, size_t fileBytes,
              const CheckpointHeader& header, std::span<const SavedTensor> tensors) {
  FixedHeader fixed;
  std::memcpy(fixed.magic, kMagic, sizeof kMagic);
  fixed.version = kVersion;
  fixed.headerBytes = static_cast<uint32_t>(headerText.size());
  fixed.fileBytes = fileBytes;
  ChecksummedWriter writer(file);
  if (!writer.write(&fixed, sizeof fixed) || !writer.write(headerText.data(), headerText.size()))
    return false;
  for (size_t i = 0; i < tensors.size(); ++i) {
    const auto bytes = static_cast<size_t>(tensorBytes(tensors[i].type, tensors[i].shape));
    if (!writer.padTo(static_cast<size_t>(header.tensors[i].offset)) ||
        !writer.write(tensors[i].data, bytes))
      return false;
  }
  const uint32_t checksum = writer.checksum();
  return writer.write(&checksum, sizeof checksum) && ::fsync(file.descriptor()) == 0;
}

// Makes the rename itself durable; a file system that cannot sync a folder has still renamed.
void syncFolderOf(const std::string& path) {
  const size_t slash = path.rfind('/');
  const std::string folder = slash == std::string::npos ? "." : path.substr(0, slash + 1);
  const File handle(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (handle.isOpen()) (void)::fsync(handle.descriptor());
}

bool readAll(const File& file, std::vector<std::byte>& bytes) {
  size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t n = ::read(file.descriptor(), bytes.data() + done,
                             std::min(bytes.size() - done, size_t{1} << 30));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return false;
    if (n == 0) break;
    done += static_cast<size_t>(n);
  }
  bytes.resize(done);
  return true;
}

// What is wrong with the file's contents, after "'path' ", or nothing.
std::string interpret(Checkpoint& result) {
  const std::vector<std::byte>& bytes = result.bytes;
  const std::string cutShort = "is cut short: it has " + std::to_string(bytes.size()) + " bytes";
  if (bytes.empty() ||
      std::memcmp(bytes.data(), kMagic, std::min(bytes.size(), sizeof kMagic)) != 0) {
    return "is not a checkpoint";
  }
  if (bytes.size() < kFixedBytes + kChecksumBytes) return cutShort;
  FixedHeader fixed;
  std::memcpy(&fixed, bytes.data(), sizeof fixed);
  if (fixed.version != kVersion) {
    return "has format version " + std::to_string(fixed.version) + "; this program reads version " +
           std::to_string(kVersion);
  }
  if (bytes.size() < fixed.fileBytes)
    return cutShort + " and should have " + std::to_string(fixed.fileBytes);
  const size_t checksumAt = bytes.size() - kChecksumBytes;
  uint32_t checksum;
  std::memcpy(&checksum, bytes.data() + checksumAt, sizeof checksum);
  if (bytes.size() != fixed.fileBytes || fixed.headerBytes > checksumAt - kFixedBytes ||
      checksum != crc32({bytes.data(), checksumAt})) {
    return "is damaged: its checksum does not match";
  }
  CheckpointHeader header;
  const auto* text = reinterpret_cast<const char*>(bytes.data() + kFixedBytes);
  if (!parseHeader({text, fixed.headerBytes}, header))
    return "is damaged: its header does not parse";
  for (HeaderTensor& tensor : header.tensors) {
    const int64_t size = tensorBytes(tensor.type, tensor.shape);
    if (size < 0 || tensor.offset < 0 || tensor.offset > static_cast<int64_t>(checksumAt) ||
        size > static_cast<int64_t>(checksumAt) - tensor.offset) {
      return "is damaged: '" + tensor.name + "' lies outside the file";
    }
    result.tensors.push_back({std::move(tensor.name), tensor.type, std::move(tensor.shape),
                              bytes.data() + tensor.offset});
  }
  result.attributes = std::move(header.attributes);
  return {};
}

}  // namespace

FileStatus writeCheckpoint(const std::string& path, const Attributes& attributes,
                           std::span<const SavedTensor> tensors) {
  CheckpointHeader header{attributes, {}};
  for (const SavedTensor& tensor : tensors)
    header.tensors.push_back({tensor.name, tensor.type, tensor.shape, 0});
  size_t fileBytes = 0;
  const std::string text = layOut(header, fileBytes);

  const std::string temporary = path + ".part" + std::to_string(::getpid());
  File file(::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
  const auto failure = [&] { return FileStatus{"cannot write '" + path + "': " + systemError()}; };
  if (!file.isOpen()) return failure();
  if (!writeAll(file, text, fileBytes, header, tensors) || !file.close() ||
      ::rename(temporary.c_str(), path.c_str()) != 0) {
    const FileStatus status = failure();
    ::unlink(temporary.c_str());
    return status;
  }
  syncFolderOf(path);
  return {};
}

const SavedTensor* Checkpoint::find(std::string_view name) const {
  for (const SavedTensor& tensor : tensors) {
    if (tensor.name == name) return &tensor;
  }
  return nullptr;
}

FileStatus readCheckpoint(const std::string& path, Checkpoint& result) {
  const File file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  struct stat info;
  const auto failure = [&](const std::string& why) {
    return FileStatus{"cannot read '" + path + "': " + why};
  };
  if (!file.isOpen() || ::fstat(file.descriptor(), &info) != 0) return failure(systemError());
  if (!S_ISREG(info.st_mode)) return failure("it is not a file");
  Checkpoint loaded;
  loaded.bytes.resize(static_cast<size_t>(info.st_size));
  if (!readAll(file, loaded.bytes)) return failure(systemError());
  if (const std::string wrong = interpret(loaded); !wrong.empty())
    return {"'" + path + "' " + wrong};
  result = std::move(loaded);
  return {};
}

}  // namespace rlc::runtime
