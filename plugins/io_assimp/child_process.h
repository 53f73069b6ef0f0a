#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "mortise/base/error.h"

namespace mortise::io_assimp {

/// The memory that reading takes for each byte of a file: good files need some ten.
constexpr std::size_t kMemoryOfAByte = 50;

struct ChildLimits {
  std::size_t memory = 0;  ///< Bytes beyond what the process has already; `grantMemory` adds to them.
  int seconds = 0;         ///< By the clock on the wall.
};

/// Runs `work` in a child process and returns what it gave, so that a library that crashes, loops or takes all memory
/// ends the child alone. The child is a copy of this process with one thread: what `work` changes stays there, and it
/// must not wait for other threads. Throws `Error` at `where` when the child crashes or reaches a limit, and again what
/// `work` threw (after `onTimeout` when its time was over); other exceptions become an `Error` with their text.
std::vector<std::byte> runInChild(const std::function<std::vector<std::byte>()>& work, const ChildLimits& limits,
                                  const SourcePosition& where, const std::function<void()>& onTimeout = {});

/// In a child: further files were read, for which so many bytes more may be taken, up to 2 GB in all. Nothing
/// elsewhere.
void grantMemory(std::size_t bytes);

}  // namespace mortise::io_assimp
