#pragma once

#include <string>
#include <vector>

#include "mortise/closed_forms/truth_case.h"
#include "mortise/closed_forms/truth_table.h"
#include "mortise/settings/settings.h"

namespace mortise::truth {

/// Settings of the table of truth besides its engines.
struct TruthSettings {
  std::vector<std::string> cases;     ///< Names of rows; empty: all.
  double step = TruthOptions().step;  ///< s
  void bind(SettingBinder& b);
  /// Throws `Error` for a row that is given twice.
  void check() const;
  /// Returns the rows in the order of `cases`. Throws `Error` for a name that is no row's.
  std::vector<const TruthCase*> rows() const;
};

}  // namespace mortise::truth
