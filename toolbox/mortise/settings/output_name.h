#pragma once

#include <string>

#include "mortise/settings/setting_type.h"

namespace mortise {

/// The name of an output file with the place where it was written, which decides where the file may be
/// (`mortise/settings/output_path.h`).
struct OutputName {
  std::string name;
  SourcePosition where = {};
};

template <>
struct SettingType<OutputName> {
  static constexpr ParameterType type = ParameterType::string;
  static constexpr int size = -1;
  static Value value(const OutputName& output) { return Value(output.name); }
  static OutputName from(const Value& value, std::string_view) { return {value.asString(), value.position()}; }
};

}  // namespace mortise
