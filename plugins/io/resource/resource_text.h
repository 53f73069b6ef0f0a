#pragma once

/// Klamp't's text of small data: vectors with their length first, 3-vectors and matrices without. The same text stands
/// in files and inside resource libraries.

#include <string>

#include "mortise/base/diagnostics.h"
#include "mortise/component/resource.h"
#include "text/text_file.h"

namespace mortise::io {

/// Length, then numbers. Throws `Error` with the position.
VectorXd readCountedVector(const TextFile& file, Cursor& cursor);
std::string countedVectorText(const VectorXd& v);

/// Says whether that kind has a text of its own.
bool hasText(FileContent kind);
/// Reads a whole text as that kind. Throws `Error` with the position; what follows is a warning.
Resource readResourceText(FileContent kind, const TextFile& file, Diagnostics& diagnostics);
/// The text, ending in a new line. Throws `Error` for what the text cannot say; what is lost is a warning.
std::string resourceText(const Resource& resource, Diagnostics& diagnostics);

/// Reads a text that is part of another file: problems carry the place of the whole and say the line within.
Resource readEmbeddedText(FileContent kind, std::string text, const SourcePosition& where, Diagnostics& diagnostics);

}  // namespace mortise::io
