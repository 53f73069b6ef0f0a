#pragma once

#include <string>
#include <vector>

#include "mortise/closed_forms/truth_case.h"
#include "mortise/closed_forms/truth_engine.h"
#include "mortise/closed_forms/truth_table.h"
#include "mortise/settings/settings.h"

namespace mortise::truth {

/// Settings of the table of truth.
struct TruthSettings {
  std::vector<std::string> backends;  ///< Columns, as `splitBackends` takes them; empty: all that are installed.
  std::vector<std::string> cases;     ///< Names of rows; empty: all.
  double step = TruthOptions().step;  ///< s
  void bind(SettingBinder& b);
  /// Throws `Error` for a column or a row that is given twice.
  void check() const;
  /// Returns the rows in the order of `cases`. Throws `Error` for a name that is no row's.
  std::vector<const TruthCase*> rows() const;
  /// Returns the columns in the order of `backends`. What is installed and cannot be used goes to `leftOut`. Throws
  /// `Error` for a backend that is not registered, for settings that are wrong, and where there is no column.
  std::vector<TruthEngine> columns(Registry& registry, LogSink& log, std::vector<LeftOut>& leftOut) const;
};

}  // namespace mortise::truth
