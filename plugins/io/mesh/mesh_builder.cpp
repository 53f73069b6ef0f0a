#include "mesh/mesh_builder.h"

#include <algorithm>

#include "text/fast_numbers.h"

namespace mortise::io {

namespace {

template <typename Number, typename Read>
bool readPlain(Cursor& cursor, Number (&numbers)[3], Read read) {
  const char *const begin = cursor.rest().data(), *const end = begin + cursor.remaining();
  const char* at = begin;
  while (at < end && (*at == ' ' || *at == '\n' || *at == '\t' || *at == '\r')) ++at;
  at = read(at, end, numbers);
  if (at == nullptr) return false;
  cursor.skip(static_cast<std::size_t>(at - begin));
  return true;
}

}  // namespace

bool plainNumbers(Cursor& cursor, double (&numbers)[3]) { return readPlain(cursor, numbers, readShortReals); }
bool plainNumbers(Cursor& cursor, int (&numbers)[3]) { return readPlain(cursor, numbers, readIndices); }

int readCount(const TextFile& file, Cursor& cursor, const std::string& things, std::size_t shortest) {
  cursor.skipSpace();
  const std::size_t begin = cursor.offset();
  const int count = cursor.integer("the number of " + things);
  if (count < 0) throw Error("the number of " + things + " is negative", file.position(begin));
  if (static_cast<std::size_t>(count) > cursor.remaining() / shortest + 1)
    throw Error("the header promises " + std::to_string(count) + " " + things + ", more than the file can hold",
                file.position(begin), "the file may have been cut off, or the header is wrong");
  return count;
}

void HashIndex::grow() {
  std::vector<Slot> old(2 * slots_.size());
  old.swap(slots_);
  const std::size_t mask = slots_.size() - 1;
  for (const Slot& slot : old) {
    if (slot.number == 0) continue;
    std::size_t at = slot.hash & mask;
    while (slots_[at].number != 0) at = (at + 1) & mask;
    slots_[at] = slot;
  }
}

void joinVertices(TriangleMesh& mesh) {
  std::vector<Vector3d>& vertices = mesh.vertices;
  const std::size_t count = vertices.size();
  HashIndex index(count);
  std::vector<int> moved(count);
  constexpr std::size_t kBatch = 32;
  std::array<std::uint32_t, kBatch> hashes;
  std::size_t kept = 0;
  InterruptionPoints points;
  for (std::size_t begin = 0; begin < count; begin += kBatch) {
    points.pass();
    const std::size_t end = std::min(count, begin + kBatch);
    for (std::size_t i = begin; i < end; ++i) {
      vertices[i] += Vector3d::Zero();  // Turns -0 into 0, so that both meet.
      hashes[i - begin] = hashOf(vertices[i]);
      index.prefetch(hashes[i - begin]);
    }
    for (std::size_t i = begin; i < end; ++i) {
      const Vector3d& p = vertices[i];
      moved[i] = index.find(hashes[i - begin], static_cast<int>(kept),
                            [&](int other) { return vertices[static_cast<std::size_t>(other)] == p; });
      if (moved[i] == static_cast<int>(kept)) vertices[kept++] = p;
    }
  }
  if (kept == count) return;
  vertices.resize(kept);
  std::size_t triangles = 0;
  for (std::array<int, 3> t : mesh.triangles) {
    for (int& corner : t) corner = moved[static_cast<std::size_t>(corner)];
    if (t[0] != t[1] && t[1] != t[2] && t[2] != t[0]) mesh.triangles[triangles++] = t;
  }
  mesh.triangles.resize(triangles);
}

}  // namespace mortise::io
