#pragma once

#include <string>
#include <vector>

#include "mortise/pipeline/pipeline.h"

namespace mortise {

/// The text of run.lock.yaml: a pipeline file that repeats the run, complete with defaults, and below `locked` the
/// versions, ABI tag, inputs with their hashes, effective settings and state hashes. Paths in it are relative to
/// `directory`, the run's folder.
std::string lockFileText(const Pipeline& pipeline, const Registry& registry, const FormatLoader& loader,
                         const Value& results, const std::string& directory);

/// What differs between a locked run and now, before it starts: inputs that changed or are gone, and versions. Empty
/// when the pipeline is no lock file.
std::vector<std::string> changesSinceLock(const Pipeline& pipeline, const Registry& registry);

/// State hashes that came out otherwise than the lock says: "compare.ode: 0123... before, 4567... now".
std::vector<std::string> differentStateHashes(const Pipeline& pipeline, const Value& results);

}  // namespace mortise
