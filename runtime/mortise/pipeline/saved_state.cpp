#include "mortise/pipeline/saved_state.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "mortise/base/bytes.h"
#include "mortise/base/random.h"
#include "mortise/base/resources.h"
#include "mortise/base/value_text.h"

namespace mortise {

namespace {

constexpr std::string_view kTag = "mortise state 1\n";
constexpr std::string_view kAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Names of everything that has an id, one a line.
std::string namesOf(const World& world) {
  std::string names;
  for (int id = 0; id < world.numIds(); ++id) names += world.nameOf(id) + "\n";
  return names;
}

std::string contactsOf(const Simulation& simulation) {
  return simulation.contactSource() == ContactSource::external ? "boundary_layer" : "engine";
}

/// "controller X of robot a, sensor Y of robot a"
std::string componentsOf(const Simulation& simulation) {
  std::string text;
  const Value settings = simulation.effectiveSettings();
  for (const Value& entry : settings.at("components").items()) {
    const char* kind = entry.contains("controller") ? "controller" : "sensor";
    text += (text.empty() ? "" : ", ") + std::string(kind) + " " + entry.string(kind, "") + " of " +
            entry.string("robot", "");
  }
  return text.empty() ? "no components" : text;
}

std::string_view viewOf(const std::vector<std::byte>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// What the words of two lists are that differ, for a message.
void mustBeEqual(const std::string& saved, const std::string& here, const std::string& what, const std::string& hint,
                 const SourcePosition& where) {
  if (saved != here)
    throw Error("the state was saved with " + what + " " + saved + "; here it is " + here, where, hint);
}

void loadBytes(Simulation& simulation, std::string_view bytes, const SourcePosition& where) {
  ByteReader in({reinterpret_cast<const std::byte*>(bytes.data()), bytes.size()});
  for (std::size_t i = 0; i < kTag.size(); ++i) in.get<char>();
  const std::string backend = in.getString(), contacts = in.getString(), names = in.getString(),
                    components = in.getString();
  const auto hash = in.get<std::uint64_t>();
  const std::string snapshot = in.getString();
  if (!in.atEnd() || hashBytes(snapshot.data(), snapshot.size()) != hash)
    throw Error("the state is damaged", where, "save it again");
  mustBeEqual(backend, simulation.backend(), "backend", "choose that backend, or start without the state", where);
  if (const std::string here = namesOf(simulation.world()); names != here) {
    const auto pair = std::mismatch(names.begin(), names.end(), here.begin(), here.end());
    const auto word = [](const std::string& text, std::string::const_iterator at) {
      const auto start = std::find(std::make_reverse_iterator(at), text.rend(), '\n').base();
      return "'" + std::string(start, std::find(at, text.end(), '\n')) + "'";
    };
    throw Error("the state was saved in another world: it has " + word(names, pair.first) + " where this one has " +
                    word(here, pair.second),
                where, "use the world that it was saved with");
  }
  mustBeEqual(contacts, contactsOf(simulation), "contacts", "choose contacts: " + contacts, where);
  mustBeEqual(components, componentsOf(simulation), "", "run with the same components", where);
  try {
    simulation.restore({reinterpret_cast<const std::byte*>(snapshot.data()), snapshot.size()});
  } catch (const Error& error) {
    simulation.reset();  // Part of it may have been taken.
    throw Error("the state does not fit: " + error.message(), where, error.hint());
  }
}

/// Line and column of the element `<state` in a file; only the file when it cannot be seen.
SourcePosition stateElement(const std::string& file) {
  SourcePosition where{file, 0, 0, {}};
  std::string text;
  try {
    text = readFile(file);
  } catch (const Error&) {
    return where;
  }
  const std::size_t at = text.find("<state");
  if (at == std::string::npos) return where;
  where.line = 1 + static_cast<int>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
  const std::size_t lineStart = text.rfind('\n', at);
  where.column = static_cast<int>(at - (lineStart == std::string::npos ? 0 : lineStart + 1)) + 1;
  return where;
}

}  // namespace

std::string toBase64(std::string_view bytes) {
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    unsigned word = 0;
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
    for (std::size_t k = 0; k < 3; ++k) word = word << 8 | (k < count ? static_cast<unsigned char>(bytes[i + k]) : 0u);
    for (std::size_t k = 0; k < 4; ++k) text += k <= count ? kAlphabet[word >> (18 - 6 * k) & 63] : '=';
  }
  return text;
}

bool fromBase64(std::string_view text, std::string& bytes) {
  static const std::array<signed char, 256> kValues = [] {
    std::array<signed char, 256> values;
    values.fill(-1);
    for (std::size_t i = 0; i < kAlphabet.size(); ++i)
      values[static_cast<unsigned char>(kAlphabet[i])] = static_cast<signed char>(i);
    return values;
  }();
  bytes.clear();
  unsigned word = 0;
  int count = 0, padding = 0;
  for (const char c : text) {
    if (std::isspace(static_cast<unsigned char>(c))) continue;
    const int value = c == '=' ? 0 : kValues[static_cast<unsigned char>(c)];
    if (value < 0 || (c != '=' && padding > 0)) return false;
    padding += c == '=';
    word = word << 6 | static_cast<unsigned>(value);
    if (++count % 4 != 0) continue;
    if (padding > 2) return false;
    for (int k = 0; k < 3 - padding; ++k) bytes += static_cast<char>(word >> (16 - 8 * k) & 255);
    word = 0;
  }
  return count % 4 == 0;
}

std::string stateText(const Simulation& simulation, StateFormat format) {
  const std::vector<std::byte> snapshot = simulation.save();
  ByteWriter out;
  out.append(kTag.data(), kTag.size());
  out.put(std::string_view(simulation.backend()));
  out.put(std::string_view(contactsOf(simulation)));
  out.put(std::string_view(namesOf(simulation.world())));
  out.put(std::string_view(componentsOf(simulation)));
  out.put(hashBytes(snapshot.data(), snapshot.size()));
  out.put(viewOf(snapshot));
  return format == StateFormat::raw ? std::string(viewOf(out.bytes())) : toBase64(viewOf(out.bytes()));
}

void loadState(Simulation& simulation, std::string_view content, const SourcePosition& where) {
  std::string decoded;
  if (!content.starts_with(kTag) && fromBase64(content, decoded)) content = decoded;
  if (!content.starts_with(kTag))
    throw Error("this is not a state that was saved here", where,
                "Klamp't's binary states hold the memory of its own engine objects and cannot be read");
  try {
    loadBytes(simulation, content, where);
  } catch (const Error& error) {
    if (error.where().known() || !where.known()) throw;
    throw Error("the state is damaged: " + error.message(), where, "save it again");
  }
}

bool loadWorldState(Simulation& simulation, LogSink& log) {
  const World& world = simulation.world();
  if (world.simulation.stateData.empty()) return false;
  try {
    loadState(simulation, world.simulation.stateData, stateElement(world.file));
    return true;
  } catch (const Error& error) {
    log.write(LogLevel::warning, "simulation",
              Error("<state> is left out: " + error.message(), error.where(), error.hint()).what());
    return false;
  }
}

}  // namespace mortise
