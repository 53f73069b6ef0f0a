// Lets the joints of a robot sway: the example of mortise_client.h, and the same as mortise_client.py does.
//
//   sway [ADDRESS [RADIANS]]

#include <cmath>
#include <cstdio>
#include <exception>

#include "mortise_client.h"

int main(int argc, char** argv) {
  const std::string address = argc > 1 ? argv[1] : "tcp://127.0.0.1:3456";
  const double sway = argc > 2 ? std::atof(argv[2]) : 0.1;
  const double period = 4;
  if (address == "--help" || address == "-h") {
    std::puts(
        "usage: sway [ADDRESS [RADIANS]]\n\nStart the simulation first, in a world that names a SerialController.");
    return 0;
  }
  try {
    mortise_client::Connection robot(address, 5);
    std::vector<double> center;
    int count = 0;
    double last = 0;
    while (const auto state = robot.receive()) {
      if (state->error == "busy") continue;  // Until the other client has left.
      if (!state->error.empty()) throw std::runtime_error(state->error + ": " + state->message);
      const auto commanded = state->values.find("qcmd");
      if (center.empty()) center = commanded != state->values.end() ? commanded->second : state->values.at("q");
      const double phase = 2 * M_PI * state->t / period;
      std::vector<double> q = center, dq(center.size());
      for (std::size_t i = 0; i < q.size(); ++i) {
        q[i] += sway * (1 - std::cos(phase)) / 2;
        dq[i] = sway * std::sin(phase) * M_PI / period;
      }
      ++count;
      last = state->t;
      if (!robot.position(q, dq)) break;
    }
    std::printf("%d messages, the last at t = %g s\n", count, last);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "sway: %s\n", error.what());
    return 1;
  }
  return 0;
}
