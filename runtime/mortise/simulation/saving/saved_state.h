#pragma once

/// Snapshots of simulations as files hold them: bytes, or the base64 text of a world file's `<state data="...">`.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "mortise/base/diagnostics.h"
#include "mortise/simulation/simulation.h"

namespace mortise {

enum class StateFormat { raw, base64 };

/// Settings of a continued run that take precedence over those of the state.
struct StateRequest {
  std::optional<double> timeStep;     ///< s
  std::optional<std::uint64_t> seed;  ///< Must be the state's own, which holds the random streams.
};

/// The snapshot of `Simulation::save`, with what is needed to check that it fits before anything is changed (backend,
/// source of contacts, names of everything in the world, contents of the scene, components with their settings), and
/// separate poses and velocities. Like a snapshot it belongs to the machine that made it.
std::string stateText(const Simulation& simulation, StateFormat format);

/// Continues from the text or bytes of `stateText`. Throws `Error` at `where` for anything else: Klamp't's binary
/// states, damaged ones, those of another world, backend or other components, and of another seed than asked for. The
/// simulation is then as it was.
///
/// The step is the one asked for, if any; else the world's, if the world's has changed since; else the state's. Gravity
/// is the world's if that has changed, else the state's.
void loadState(Simulation& simulation, std::string_view content, const SourcePosition& where,
               const StateRequest& request = {});

/// Throws `Error` at `where` for what is no state that was saved here, or not a whole one.
void checkState(std::string_view content, const SourcePosition& where);

/// True when `loadState` would refuse a sound state of a world with the same names only because backend, contacts,
/// components, or what the bodies are differ; `reason` then says which.
bool fitsInPosesOnly(const Simulation& simulation, std::string_view content, std::string& reason);
/// Poses and velocities of a state as the start of the world. Joints of the world go where the bodies took them. Throws
/// `Error` for a state of another world.
void takePoses(std::string_view content, World& world, const SourcePosition& where);

/// Continues from the state in the world's file, when there is one that fits. One that cannot be used (Klamp't's, or of
/// another backend) is left out with a warning that has its place. Returns whether a state was loaded.
bool loadWorldState(Simulation& simulation, LogSink& log, const StateRequest& request = {});

/// Standard base64 (RFC 4648) with padding.
std::string toBase64(std::string_view bytes);
/// Spaces and line ends are skipped. False for other characters and a wrong length.
bool fromBase64(std::string_view text, std::string& bytes);

}  // namespace mortise
