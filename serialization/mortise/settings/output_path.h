#pragma once

/// Places of files whose names stand in a file that somebody else may have written.

#include <string>

#include "mortise/base/error.h"

namespace mortise {

/// Lets the names of output files lead out of the folder of the run, for this whole process: what a user allows with
/// `--allow-outside`.
void allowOutputOutside(bool allowed);
bool outputOutsideAllowed();

/// The path of the output file `name` below `folder` (empty: the current folder). Absolute names, names with `..` and
/// names that a symbolic link leads out of the folder are refused with an `Error` at `where`, unless that is allowed or
/// the name comes from the command line (`permissions.h`). A name from the command line that holds a `/` is relative to
/// the current folder.
std::string outputPath(const std::string& folder, const std::string& name, const SourcePosition& where = {});

/// Throws the same `Error`s for a name alone, when its folder is not known yet.
void checkOutputName(const std::string& name, const SourcePosition& where);

/// Makes the folder that `path` lies in. Throws `Error` with the system's reason.
void makeParentFolder(const std::string& path);

}  // namespace mortise
