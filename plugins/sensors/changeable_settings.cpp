#include "changeable_settings.h"

#include <algorithm>
#include <cmath>

#include "mortise/base/error.h"
#include "mortise/base/value_text.h"
#include "setting_values.h"

namespace mortise {

namespace {

// Longer lists in a snapshot are damage: nothing is measured of so many links.
constexpr std::uint64_t kLongestList = 1u << 20;

}  // namespace

void checkNumber(double number, std::string_view name, const ChangeableSettings::Limits& limits,
                 const SourcePosition& where) {
  const std::string owner = "'" + std::string(name) + "'";
  if (std::isnan(number) || (!limits.infinite && std::isinf(number)))
    throw Error(owner + " must be a finite number, not " + formatReal(number), where);
  if (number < limits.min)
    throw Error(
        owner +
            (limits.min == 0 ? std::string(" must not be negative") : " must be at least " + formatReal(limits.min)) +
            ", found " + formatReal(number),
        where);
}

void ChangeableSettings::add(Entry entry) {
  const Value& value = settings_.at(entry.name);
  if (!value.isNull()) entry.set(numbersFromSetting(value, entry.name), value.position());
  entries_.push_back(std::move(entry));
}

void ChangeableSettings::numbers(std::string name, std::span<double> variables, Limits limits) {
  const auto get = [variables] { return std::vector<double>(variables.begin(), variables.end()); };
  const auto set = [variables, limits, name](const std::vector<double>& values, const SourcePosition& where) {
    if (values.size() != variables.size())
      throw Error("expected " + (variables.size() == 1 ? std::string("a number") : "3 numbers") + " for '" + name +
                      "', found " + std::to_string(values.size()),
                  where, variables.size() == 1 ? "" : "one for each of x, y and z");
    for (const double value : values) checkNumber(value, name, limits, where);
    std::copy(values.begin(), values.end(), variables.begin());
  };
  add({name, {}, get, set});
}

void ChangeableSettings::number(std::string name, double& variable, Limits limits) {
  numbers(std::move(name), std::span(&variable, 1), limits);
}

void ChangeableSettings::vector(std::string name, Vector3d& variable, Limits limits) {
  numbers(std::move(name), std::span(variable.data(), 3), limits);
}

void ChangeableSettings::list(std::string name, std::vector<double>& variable, std::vector<std::string> aliases,
                              CheckCount checkCount) {
  const auto get = [&variable] { return variable; };
  const auto set = [&variable, checkCount, name](const std::vector<double>& values, const SourcePosition& where) {
    if (checkCount) checkCount(values.size(), where);
    for (const double value : values) checkNumber(value, name, Limits(), where);
    variable = values;
  };
  add({name, std::move(aliases), get, set});
}

void ChangeableSettings::covariance(std::string name, CovarianceNoise& variable) {
  const auto get = [&variable] {
    const Matrix3d& C = variable.covariance();
    return std::vector<double>{C(0, 0), C(0, 1), C(0, 2), C(1, 0), C(1, 1), C(1, 2), C(2, 0), C(2, 1), C(2, 2)};
  };
  const auto set = [&variable, name](const std::vector<double>& v, const SourcePosition& where) {
    if (v.size() != 9)
      throw Error("expected 9 numbers for '" + name + "', found " + std::to_string(v.size()), where,
                  "a covariance, row by row; variances alone: a 0 0  0 b 0  0 0 c");
    Matrix3d C;
    C << v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8];
    variable = CovarianceNoise(C, name, where);
  };
  add({name, {}, get, set});
}

bool ChangeableSettings::change(std::string_view name, const Value& value) {
  for (const Entry& entry : entries_) {
    if (entry.name != name && std::find(entry.aliases.begin(), entry.aliases.end(), name) == entry.aliases.end())
      continue;
    const std::vector<double> numbers = numbersFromSetting(value, name);
    entry.set(numbers, value.position());
    settings_.set(entry.name,
                  numbers.size() == 1 && settings_.at(entry.name).isNumber() ? Value(numbers[0]) : Value(numbers));
    return true;
  }
  return false;
}

void ChangeableSettings::save(ByteWriter& out) const {
  for (const Entry& entry : entries_) out.put(std::span<const double>(entry.get()));
}

void ChangeableSettings::restore(ByteReader& in) {
  for (const Entry& entry : entries_) {
    const auto count = in.get<std::uint64_t>();
    if (count > kLongestList)
      throw Error("snapshot holds " + std::to_string(count) + " numbers for '" + entry.name + "'");
    std::vector<double> numbers;
    for (std::uint64_t i = 0; i < count; ++i) numbers.push_back(in.get<double>());
    if (numbers == entry.get()) continue;
    entry.set(numbers, {});
    settings_.set(entry.name,
                  numbers.size() == 1 && settings_.at(entry.name).isNumber() ? Value(numbers[0]) : Value(numbers));
  }
}

}  // namespace mortise
