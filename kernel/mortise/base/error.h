#pragma once

/// Errors that explain themselves: what is wrong, where, and one next step.

#include <cstdint>
#include <stdexcept>
#include <string>

namespace mortise {

/// Author of a value: what it may open, run, write or delete depends on that alone, never on how a name is spelled.
enum class Origin : std::uint8_t {
  unknown,      ///< A file of which nothing else is known: trusted as little as any file.
  commandLine,  ///< An argument or option that the user typed, or a program that uses the libraries.
  pipeline,     ///< A pipeline or another file of settings that the user named.
  world,        ///< A world, or what it refers to.
  robot,        ///< A robot file, or what it refers to.
  lock,         ///< The lock file of an earlier run.
  log           ///< A log or the record of an earlier run.
};

/// A place in something a person wrote: a file position, a key path inside it, or both.
struct SourcePosition {
  std::string file;  ///< File name as the user gave it; "--set" or "command line" for arguments.
  int line = 0;      ///< 1-based; 0 when unknown.
  int column = 0;    ///< 1-based; 0 when unknown.
  std::string path;  ///< Key path such as `simulation.backend`; empty when there is none.
  Origin origin = Origin::unknown;

  bool known() const { return !file.empty() || !path.empty(); }

  /// "file:12:3 (simulation.backend)", leaving out what is unknown; empty when nothing is known.
  std::string describe() const;
};

/// The exception of every Mortise library. `what()` is the full text that a person reads:
/// position, message, then the hint on a line of its own.
class Error : public std::runtime_error {
 public:
  explicit Error(std::string message, SourcePosition where = {}, std::string hint = {});
  ~Error() override;

  const std::string& message() const { return message_; }
  const SourcePosition& where() const { return where_; }
  const std::string& hint() const { return hint_; }

 private:
  std::string message_;
  SourcePosition where_;
  std::string hint_;
};

}  // namespace mortise
