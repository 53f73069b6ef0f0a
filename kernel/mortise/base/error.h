#pragma once

/// Errors that explain themselves: what is wrong, where, and one next step.

#include <stdexcept>
#include <string>

namespace mortise {

/// A place in something a person wrote: a file position, a key path inside it, or both.
struct SourcePosition {
  std::string file;  ///< File name as the user gave it; "--set" or "command line" for arguments.
  int line = 0;      ///< 1-based; 0 when unknown.
  int column = 0;    ///< 1-based; 0 when unknown.
  std::string path;  ///< Key path such as `simulation.backend`; empty when there is none.

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
