#pragma once

/// The content of logs as columns of numbers.

#include <string>
#include <vector>

namespace mortise::logs {

struct LogColumn {
  std::string name;
  std::vector<double> numbers;
  std::vector<std::string> texts;  ///< In place of numbers where a field of the column is none.
};

struct LogTable {
  std::string topic;  ///< Topic of MCAP; empty of CSV.
  std::vector<LogColumn> columns;
};

/// A CSV file (RFC 4180) whose first line names the columns, as recorders and Klamp't's SimLogger write it. An empty
/// field is not a number. Throws `Error` with file and line for rows of another length.
LogTable readCsvTable(const std::string& file);

/// The series of an MCAP log, each with the columns time (s) and tick before its own. Throws `Error` for what is no
/// such file.
std::vector<LogTable> readLogTables(const std::string& file);

}  // namespace mortise::logs
