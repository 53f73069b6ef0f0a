#pragma once

/// The first lines of docstrings: signatures, into which the types are filled that C++ knows.

#include <string>

namespace mortise::python {

struct BoundFunction;

/// Returns `doc` with its signature, "advance(seconds)", completed: "advance(seconds: float) -> str". What has a type
/// there keeps it, and texts that do not begin with a signature stay as they are.
std::string completeSignature(const BoundFunction& function, const std::string& name, const std::string& doc);
/// Returns the docstring of an attribute: "name: type" and a line for itself, then `doc`, which may begin so itself.
std::string completeAttribute(const std::string& name, const std::string& type, const std::string& doc);

}  // namespace mortise::python
