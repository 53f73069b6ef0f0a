#include "mortise/base/units.h"

#include <algorithm>
#include <charconv>
#include <numbers>
#include <span>
#include <utility>

#include "mortise/text/normalize.h"

namespace mortise {

namespace {

/// One unit: a quantity in it times `numerator / denominator` is in SI. Two numbers, because 3 / 1000 rounds to the
/// same double as the text 0.003 does and 3 * 0.001 need not.
struct Unit {
  std::string_view name;
  double numerator = 1;
  double denominator = 1;
};

struct Dimension {
  std::string_view what;  ///< With its article, for messages.
  std::span<const Unit> units;
};

constexpr double kGravity = 9.80665;

constexpr Unit kTime[] = {{"s"}, {"ms", 1, 1e3}, {"us", 1, 1e6}, {"ns", 1, 1e9}, {"min", 60}, {"h", 3600}};
constexpr Unit kFrequency[] = {{"Hz"}, {"kHz", 1e3}, {"MHz", 1e6}, {"1/s"}};
constexpr Unit kLength[] = {{"m"}, {"mm", 1, 1e3}, {"cm", 1, 1e2}, {"um", 1, 1e6}, {"km", 1e3}, {"in", 254, 1e4}};
constexpr Unit kArea[] = {{"m^2"}, {"cm^2", 1, 1e4}, {"mm^2", 1, 1e6}};
constexpr Unit kVolume[] = {{"m^3"}, {"l", 1, 1e3}, {"cm^3", 1, 1e6}, {"mm^3", 1, 1e9}};
constexpr Unit kAngle[] = {{"rad"}, {"deg", std::numbers::pi, 180}, {"mrad", 1, 1e3}, {"rev", 2 * std::numbers::pi}};
constexpr Unit kMass[] = {{"kg"}, {"g", 1, 1e3}, {"mg", 1, 1e6}, {"t", 1e3}};
constexpr Unit kDensity[] = {{"kg/m^3"}, {"g/cm^3", 1e3}};
constexpr Unit kForce[] = {{"N"}, {"mN", 1, 1e3}, {"kN", 1e3}, {"kgf", kGravity}};
constexpr Unit kTorque[] = {{"N*m"}, {"mN*m", 1, 1e3}, {"kN*m", 1e3}, {"N*mm", 1, 1e3}, {"N*cm", 1, 1e2}};
constexpr Unit kVelocity[] = {{"m/s"}, {"mm/s", 1, 1e3}, {"cm/s", 1, 1e2}, {"km/h", 1e3, 3600}};
constexpr Unit kAngularVelocity[] = {
    {"rad/s"}, {"deg/s", std::numbers::pi, 180}, {"rpm", 2 * std::numbers::pi, 60}, {"rev/s", 2 * std::numbers::pi}};
constexpr Unit kAcceleration[] = {{"m/s^2"}, {"mm/s^2", 1, 1e3}, {"cm/s^2", 1, 1e2}, {"g0", kGravity}};
constexpr Unit kAngularAcceleration[] = {
    {"rad/s^2"}, {"deg/s^2", std::numbers::pi, 180}, {"rev/s^2", 2 * std::numbers::pi}};
constexpr Unit kStiffness[] = {{"N/m"}, {"kN/m", 1e3}, {"N/mm", 1e3}, {"N/cm", 1e2}};
constexpr Unit kDamping[] = {{"N*s/m"}, {"kN*s/m", 1e3}, {"N*s/mm", 1e3}, {"kg/s"}};
constexpr Unit kTorsionalStiffness[] = {{"N*m/rad"}, {"N*m/deg", 180, std::numbers::pi}};
constexpr Unit kTorsionalDamping[] = {{"N*m*s/rad"}, {"N*m*s/deg", 180, std::numbers::pi}};
constexpr Unit kInertia[] = {{"kg*m^2"}, {"g*cm^2", 1, 1e7}, {"kg*cm^2", 1, 1e4}, {"kg*mm^2", 1, 1e6}};
constexpr Unit kPressure[] = {{"Pa"}, {"kPa", 1e3}, {"MPa", 1e6}, {"GPa", 1e9}, {"bar", 1e5}, {"N/m^2"}};
constexpr Unit kEnergy[] = {{"J"}, {"mJ", 1, 1e3}, {"kJ", 1e3}, {"Wh", 3600}};
constexpr Unit kPower[] = {{"W"}, {"mW", 1, 1e3}, {"kW", 1e3}};
constexpr Unit kImpulse[] = {{"N*s"}, {"kg*m/s"}};
constexpr Unit kVoltage[] = {{"V"}, {"mV", 1, 1e3}};
constexpr Unit kCurrent[] = {{"A"}, {"mA", 1, 1e3}};

// Torque comes before energy, so that "N*m" is a torque.
constexpr Dimension kDimensions[] = {
    {"a time", kTime},
    {"a frequency", kFrequency},
    {"a length", kLength},
    {"an area", kArea},
    {"a volume", kVolume},
    {"an angle", kAngle},
    {"a mass", kMass},
    {"a density", kDensity},
    {"a force", kForce},
    {"a torque", kTorque},
    {"a velocity", kVelocity},
    {"an angular velocity", kAngularVelocity},
    {"an acceleration", kAcceleration},
    {"an angular acceleration", kAngularAcceleration},
    {"a stiffness", kStiffness},
    {"a damping", kDamping},
    {"a torsional stiffness", kTorsionalStiffness},
    {"a torsional damping", kTorsionalDamping},
    {"a moment of inertia", kInertia},
    {"a pressure", kPressure},
    {"an energy", kEnergy},
    {"a power", kPower},
    {"an impulse", kImpulse},
    {"a voltage", kVoltage},
    {"a current", kCurrent},
};

using Spelling = std::pair<std::string_view, std::string_view>;

constexpr Spelling kSpellings[] = {{"·", "*"},   {"µ", "u"},   {"μ", "u"},   {"²", "^2"}, {"³", "^3"},
                                   {"°", "deg"}, {" * ", "*"}, {" / ", "/"}, {" ", "*"}};
constexpr Spelling kAliases[] = {{"sec", "s"},  {"second", "s"},       {"seconds", "s"},         {"hour", "h"},
                                 {"hz", "Hz"},  {"degree", "deg"},     {"degrees", "deg"},       {"radians", "rad"},
                                 {"Nm", "N*m"}, {"Nm/rad", "N*m/rad"}, {"Nms/rad", "N*m*s/rad"}, {"Ns/m", "N*s/m"},
                                 {"Ns", "N*s"}, {"kgm^2", "kg*m^2"}};

void replaceAll(std::string& text, std::string_view from, std::string_view to) {
  for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

/// The spelling used in the tables: "N m", "Nm" and "N·m" become "N*m", "m/s2" and "m/s²" become "m/s^2".
std::string canonicalUnit(std::string_view written) {
  std::string unit(trimmed(written));
  for (const auto& [from, to] : kSpellings) replaceAll(unit, from, to);
  for (const std::string_view power : {"2", "3"})
    for (const std::string_view base : {"m", "s"}) {
      const std::string plain = std::string(base) + std::string(power);
      if (unit.ends_with(plain)) unit.replace(unit.size() - 1, 1, "^" + std::string(power));
    }
  for (const auto& [alias, name] : kAliases)
    if (unit == alias) return std::string(name);
  return unit;
}

const Unit* findUnit(const Dimension& dimension, std::string_view name) {
  const auto at = std::ranges::find(dimension.units, name, &Unit::name);
  return at == dimension.units.end() ? nullptr : &*at;
}

std::string namesOf(const Dimension& dimension) {
  std::string text;
  for (const Unit& unit : dimension.units) (text.empty() ? text : text += ", ") += unit.name;
  return text;
}

}  // namespace

std::optional<double> parseQuantity(std::string_view text, std::string_view unit, std::string& problem) {
  const std::string_view full = trimmed(text);
  std::string_view rest = full;
  if (rest.starts_with('+')) rest.remove_prefix(1);
  double number = 0;
  const char* end = rest.data() + rest.size();
  const auto [stop, code] = std::from_chars(rest.data(), end, number);
  const bool twoSigns = rest.data() != full.data() && rest.starts_with('-');
  const std::string_view written = trimmed({stop, static_cast<std::size_t>(end - stop)});
  // "info" starts with "inf", and "nanometre" with "nan", yet neither is a number.
  const std::string_view digits(rest.data(), static_cast<std::size_t>(stop - rest.data()));
  const bool infOrNan = digits.find_first_of("0123456789") == std::string_view::npos;
  const bool longerWord = infOrNan && stop != end && written.data() == stop;
  if (code == std::errc::invalid_argument || rest.empty() || twoSigns || longerWord) {
    problem = "'" + std::string(full) + "' is not a number";
    return std::nullopt;
  }
  if (code == std::errc::result_out_of_range) {
    problem = "'" + std::string(digits) + "' is out of the range of numbers";
    return std::nullopt;
  }
  if (written.empty()) return number;

  const std::string name = canonicalUnit(written), wanted = canonicalUnit(unit);
  if (name == wanted) return number;
  if (wanted.empty()) {
    problem = "unit '" + std::string(written) + "' is not allowed; this is a number without unit";
    return std::nullopt;
  }
  for (const Dimension& dimension : kDimensions) {
    const Unit* stored = findUnit(dimension, wanted);
    if (!stored) continue;
    const Unit* given = findUnit(dimension, name);
    if (!given) {
      problem =
          "unit '" + std::string(written) + "' is not " + std::string(dimension.what) + "; use " + namesOf(dimension);
      return std::nullopt;
    }
    const double numerator = given->numerator * stored->denominator;
    const double denominator = given->denominator * stored->numerator;
    return number * numerator / denominator;
  }
  problem = "unit '" + std::string(written) + "' is not '" + std::string(unit) + "'; use " + std::string(unit);
  return std::nullopt;
}

}  // namespace mortise
