#pragma once

/// ODE's process-wide side: initialization and messages. ODE prints and then ends the process by default; here its
/// errors become `mortise::Error` and its warnings are counted.

#include <cstdint>
#include <string>

namespace mortise::ode {

/// Complaints of ODE while a scene is being worked on.
struct Messages {
  std::uint64_t lcpErrors = 0;  ///< "LCP internal error": the exact solver met a singular system.
  std::uint64_t others = 0;
  std::string last;  ///< Text of the last message that is no LCP error; its first 200 characters.
};

/// Makes the calling thread ready for ODE and sends messages to `messages` for as long as it lives. Nests.
class Session {
 public:
  explicit Session(Messages& messages);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

 private:
  Messages* previous_;
};

}  // namespace mortise::ode
