#pragma once

#include <string>
#include <vector>

#include "mortise/pipeline/file/pipeline.h"

namespace mortise {

/// The text of run.lock.yaml: a pipeline file that repeats the run, complete with defaults, and below `locked` the
/// versions, ABI tag, inputs with their hashes, effective settings and state hashes. Paths in it are relative to
/// `directory`, the run's folder. `made` {date, host, command} and the folder as it is now go to `locked.made`, which
/// takes no part in comparisons.
std::string lockFileText(const Pipeline& pipeline, const Registry& registry, const FormatLoader& loader,
                         const Value& results, const std::string& directory, const Value& made = Value::map());

/// The folder that paths in a lock file are relative to: where it lies, or, when the inputs are not to be found from
/// there, where its run was made. Of other pipelines, where they lie. May be empty for the current folder.
std::string lockedFolder(const Value& root, const std::string& path);

/// Lists what differs between a locked run and now, before it starts: inputs that changed or are gone, and versions.
/// Empty when the pipeline is no lock file.
std::vector<std::string> changesSinceLock(const Pipeline& pipeline, const Registry& registry);

/// State hashes that came out otherwise than the lock says: "compare.ode: 0123... before, 4567... now".
std::vector<std::string> differentStateHashes(const Pipeline& pipeline, const Value& results);

}  // namespace mortise
