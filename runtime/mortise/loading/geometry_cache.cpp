#include "mortise/loading/geometry_cache.h"

#include <condition_variable>
#include <cstring>
#include <map>
#include <mutex>
#include <tuple>
#include <vector>

#include "mortise/hash/hash.h"

namespace mortise {

namespace {

std::uint64_t wordAt(const char* bytes) {
  std::uint64_t word;
  std::memcpy(&word, bytes, sizeof(word));
  return word;
}

struct Entry {
  bool loading = false;
  std::weak_ptr<const Geometry> geometry;
  std::vector<Diagnostic> said;
};

struct Cache {
  std::mutex mutex;
  std::condition_variable changed;
  std::map<GeometryKey, Entry> entries;

  /// Forgets what nobody holds any more, so that the table does not grow for ever.
  void sweep() {
    for (auto at = entries.begin(); at != entries.end();)
      at = !at->second.loading && at->second.geometry.expired() ? entries.erase(at) : std::next(at);
  }
};

Cache& cache() {
  static Cache& instance = *new Cache;  // Never destroyed: threads may still load while the process ends.
  return instance;
}

/// A reader's findings, under the name by which the file is known here; strictness is the receiver's.
void repeat(const std::vector<Diagnostic>& said, const std::string& file, Diagnostics& diagnostics) {
  for (const Diagnostic& entry : said) {
    SourcePosition where = entry.where;
    where.file = file;
    switch (entry.severity) {
      case Severity::note:
        diagnostics.note(entry.message, where, entry.hint);
        break;
      case Severity::warning:
        diagnostics.warning(entry.message, where, entry.hint);
        break;
      case Severity::error:
        diagnostics.error(entry.message, where, entry.hint);
        break;
    }
  }
}

/// Under another name, and keeping what the cache knows alive.
GeometryPtr named(const GeometryPtr& geometry, const std::string& file) {
  if (geometry->file() == file) return geometry;
  const GeometryPtr renamed = geometry->withFile(file);
  return GeometryPtr(renamed.get(), [renamed, geometry](const Geometry*) {});
}

}  // namespace

bool GeometryKey::operator<(const GeometryKey& other) const {
  return std::tie(hash[0], hash[1], size, extension, format) <
         std::tie(other.hash[0], other.hash[1], other.size, other.extension, other.format);
}

GeometryKey geometryKeyOf(std::string_view bytes, std::string extension, std::string format) {
  GeometryKey key;
  key.extension = std::move(extension);
  key.format = std::move(format);
  key.size = bytes.size();
  std::uint64_t a = kWyhashSecret[0], b = kWyhashSecret[1];
  const auto take = [&a, &b](const char* words) {
    const std::uint64_t first = wordAt(words), second = wordAt(words + 8);
    a = foldedProduct(first ^ kWyhashSecret[2], second ^ a);
    b = foldedProduct(second ^ kWyhashSecret[3], first ^ b);
  };
  const std::size_t full = bytes.size() / 16 * 16;
  for (std::size_t at = 0; at < full; at += 16) take(bytes.data() + at);
  if (full < bytes.size()) {
    char last[16] = {};  // Filled up with zeros; the size tells them from zeros of the file.
    std::memcpy(last, bytes.data() + full, bytes.size() - full);
    take(last);
  }
  key.hash[0] = foldedProduct(a ^ kWyhashSecret[1], key.size ^ kWyhashSecret[3]);
  key.hash[1] = foldedProduct(b ^ kWyhashSecret[0], key.size ^ kWyhashSecret[2]);
  return key;
}

GeometryPtr cachedGeometry(const GeometryKey& key, const std::string& file, Diagnostics& diagnostics, bool wait,
                           const std::function<LoadedGeometry()>& load) {
  Cache& all = cache();
  std::unique_lock lock(all.mutex);
  const auto known = [&]() -> GeometryPtr {
    const auto at = all.entries.find(key);
    if (at == all.entries.end()) return nullptr;
    GeometryPtr geometry = at->second.geometry.lock();
    if (geometry) repeat(at->second.said, file, diagnostics);
    return geometry;
  };
  for (;;) {
    if (GeometryPtr geometry = known()) return named(geometry, file);
    const auto at = all.entries.find(key);
    if (!wait || at == all.entries.end() || !at->second.loading) break;
    all.changed.wait(lock);
  }
  Entry& mine = all.entries[key];
  const bool owner = !mine.loading;
  if (owner) mine.loading = true;
  lock.unlock();

  /// Whatever happens, nobody is left waiting.
  struct Release {
    Cache& all;
    const GeometryKey& key;
    bool owner;
    ~Release() {
      const std::lock_guard guard(all.mutex);
      if (owner) {
        all.entries[key].loading = false;
        all.sweep();
        all.changed.notify_all();
      }
    }
  };
  GeometryPtr result;
  {
    const Release release{all, key, owner};
    LoadedGeometry loaded = load();
    result = loaded.geometry;
    repeat(loaded.diagnostics.all(), file, diagnostics);
    if (owner && loaded.cacheable && result && !loaded.diagnostics.hasErrors()) {
      const std::lock_guard guard(all.mutex);
      Entry& entry = all.entries[key];
      entry.geometry = result;
      entry.said = loaded.diagnostics.all();
    }
  }
  return result;
}

}  // namespace mortise
