#include "file_system.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <string_view>

#include "child_process.h"
#include "mortise/base/error.h"
#include "mortise/base/files.h"

namespace mortise::io_assimp {

namespace {

class Stream final : public Assimp::IOStream {
 public:
  explicit Stream(std::shared_ptr<const std::string> bytes) : bytes_(std::move(bytes)) {}

  std::size_t Read(void* buffer, std::size_t size, std::size_t count) override {
    if (size == 0 || count == 0) return 0;
    const std::size_t full = std::min(count, (bytes_->size() - at_) / size);
    std::memcpy(buffer, bytes_->data() + at_, full * size);
    at_ += full * size;
    return full;
  }
  std::size_t Write(const void*, std::size_t, std::size_t) override { return 0; }
  aiReturn Seek(std::size_t offset, aiOrigin origin) override {
    const std::size_t base = origin == aiOrigin_CUR ? at_ : origin == aiOrigin_END ? bytes_->size() : 0;
    const std::size_t target = base + offset;  // Going back wraps around, as with fseek's long.
    if (target > bytes_->size()) return aiReturn_FAILURE;
    at_ = target;
    return aiReturn_SUCCESS;
  }
  std::size_t Tell() const override { return at_; }
  std::size_t FileSize() const override { return bytes_->size(); }
  void Flush() override {}

 private:
  std::shared_ptr<const std::string> bytes_;
  std::size_t at_ = 0;
};

}  // namespace

FileSystem::FileSystem(ReadContext& context) : context_(context) {}

/// Empty when there is no such file.
std::string FileSystem::find(const char* path) const {
  if (path == context_.path) return context_.path;
  if (std::find(requestedFiles_.begin(), requestedFiles_.end(), path) == requestedFiles_.end())
    requestedFiles_.emplace_back(path);
  try {
    // Assimp often puts the folder of the file it reads in front.
    const std::size_t slash = context_.path.find_last_of('/');
    std::string_view reference(path);
    if (slash != std::string::npos && reference.starts_with(context_.path.substr(0, slash + 1)))
      reference.remove_prefix(slash + 1);
    return context_.loader.find(reference, context_.path);
  } catch (const Error&) {
    return {};
  }
}

bool FileSystem::Exists(const char* path) const { return !find(path).empty(); }

Assimp::IOStream* FileSystem::Open(const char* path, const char* mode) {
  if (std::strpbrk(mode, "wa+") != nullptr) return nullptr;
  const std::string found = find(path);
  if (found.empty()) {
    missing_.emplace_back(path);
    return nullptr;
  }
  auto& content = contents_[found];
  try {
    if (!content && found == context_.path) content = context_.content();
    if (!content) {
      std::error_code code;
      const std::uintmax_t size = std::filesystem::file_size(found, code);
      if (!code) grantMemory(kMemoryOfAByte * static_cast<std::size_t>(size));
      content = std::make_shared<const std::string>(readFile(found));
    }
  } catch (const Error&) {
    missing_.emplace_back(path);
    return nullptr;
  }
  return new Stream(content);
}

void FileSystem::Close(Assimp::IOStream* stream) { delete stream; }

}  // namespace mortise::io_assimp
