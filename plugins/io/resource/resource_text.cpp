#include "resource/resource_text.h"

#include <algorithm>
#include <array>

#include "common/contact_text.h"
#include "mortise/base/value_text.h"
#include "mortise/text/article.h"

namespace mortise::io {

namespace {

constexpr std::array kTextKinds = {
    FileContent::contactPoint,      FileContent::configuration, FileContent::configurations, FileContent::trajectory,
    FileContent::hermiteTrajectory, FileContent::ikGoal,        FileContent::hold,           FileContent::stance,
    FileContent::vector3,           FileContent::matrix3,       FileContent::transform,      FileContent::matrix,
    FileContent::integers,          FileContent::numbers};

void requireLength(const TextFile& file, std::size_t begin, const VectorXd& v, const std::vector<VectorXd>& before) {
  if (!before.empty() && v.size() != before.front().size())
    throw Error("this vector has " + std::to_string(v.size()) + " numbers, the first one has " +
                    std::to_string(before.front().size()),
                file.position(begin));
}

/// A count that the rest of the text can bear out: each number takes a digit and a blank.
int readCount(const TextFile& file, Cursor& cursor, const char* expected, const char* what) {
  cursor.skipSpace();
  const std::size_t begin = cursor.offset();
  const int size = cursor.integer(expected);
  if (size < 0 || static_cast<std::size_t>(size) > cursor.remaining() / 2 + 1)
    throw Error(std::string(what) + " of " + std::to_string(size) + " numbers does not fit the rest of the file",
                file.position(begin), "the file may be cut off, or the length is missing");
  return size;
}

ConfigurationList readList(const TextFile& file, Cursor& cursor) {
  ConfigurationList list;
  while (cursor.skipSpace()) list.configurations.push_back(readCountedVector(file, cursor));
  return list;
}

Trajectory readPath(const TextFile& file, Cursor& cursor) {
  Trajectory path;
  while (cursor.skipSpace()) {
    const std::size_t begin = cursor.offset();
    const double time = cursor.finite("a time");
    if (!path.empty() && time < path.times.back())
      throw Error("time " + formatReal(time) + " lies before the one above, " + formatReal(path.times.back()),
                  file.position(begin));
    path.configurations.push_back(readCountedVector(file, cursor));
    requireLength(file, begin, path.configurations.back(), path.configurations);
    path.times.push_back(time);
  }
  return path;
}

HermiteTrajectory readMilestones(const TextFile& file, Cursor& cursor) {
  HermiteTrajectory path;
  while (cursor.skipSpace()) {
    const std::size_t begin = cursor.offset();
    path.configurations.push_back(readCountedVector(file, cursor));
    requireLength(file, begin, path.configurations.back(), path.configurations);
    cursor.skipSpace();
    const std::size_t second = cursor.offset();
    path.velocities.push_back(readCountedVector(file, cursor));
    if (path.velocities.back().size() != path.configurations.front().size())
      throw Error("the velocity of milestone " + std::to_string(path.times.size()) +
                      " has another length than its configuration",
                  file.position(second), "milestones are a configuration and a velocity by turns");
    path.times.push_back(static_cast<double>(path.times.size()));
  }
  return path;
}

Vector3d readVector3(Cursor& cursor) {
  Vector3d v;
  for (double& x : v) x = cursor.finite("one of three numbers");
  return v;
}

/// Row-major.
Matrix3d readMatrix3(Cursor& cursor) {
  Matrix3d M;
  for (int row = 0; row < 3; ++row)
    for (int column = 0; column < 3; ++column) M(row, column) = cursor.finite("one of nine numbers of a matrix");
  return M;
}

Eigen::MatrixXd readMatrix(const TextFile& file, Cursor& cursor) {
  cursor.skipSpace();
  const std::size_t begin = cursor.offset();
  const int rows = cursor.integer("the number of rows"), columns = cursor.integer("the number of columns");
  const auto room = static_cast<std::int64_t>(cursor.remaining() / 2 + 1);
  // Rows without numbers still take a line each.
  if (rows < 0 || columns < 0 || std::int64_t{rows} * columns > room ||
      static_cast<std::size_t>(rows) > cursor.remaining() + 1 ||
      (std::int64_t{rows} + columns > room && rows != 0 && columns != 0))
    throw Error("a matrix of " + std::to_string(rows) + " by " + std::to_string(columns) +
                    " numbers does not fit the rest of the file",
                file.position(begin));
  Eigen::MatrixXd M(rows, columns);
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column < columns; ++column) M(row, column) = cursor.finite("a number of the matrix");
  return M;
}

Resource readKind(FileContent kind, const TextFile& file, Cursor& cursor) {
  if (kind == FileContent::configuration) return readCountedVector(file, cursor);
  if (kind == FileContent::configurations) return readList(file, cursor);
  if (kind == FileContent::trajectory) return readPath(file, cursor);
  if (kind == FileContent::hermiteTrajectory) return readMilestones(file, cursor);
  if (kind == FileContent::ikGoal) return readGoal(cursor);
  if (kind == FileContent::contactPoint) {
    ContactPoint contact;
    contact.p_WC = readVector3(cursor);
    contact.n_W = readVector3(cursor);
    contact.friction = cursor.finite("a coefficient of friction");
    return contact;
  }
  if (kind == FileContent::vector3) return readVector3(cursor);
  if (kind == FileContent::matrix3) return readMatrix3(cursor);
  if (kind == FileContent::transform) {
    const Matrix3d R = readMatrix3(cursor);
    return RigidTransform(R, readVector3(cursor));
  }
  if (kind == FileContent::matrix) return readMatrix(file, cursor);
  if (kind == FileContent::integers) {
    std::vector<int> numbers(static_cast<std::size_t>(readCount(file, cursor, "the length of a list", "a list")));
    for (int& number : numbers) number = cursor.integer("an integer of the list");
    return numbers;
  }
  if (kind == FileContent::numbers) {
    const VectorXd v = readCountedVector(file, cursor);
    return std::vector<double>(v.data(), v.data() + v.size());
  }
  throw Error(withArticle(contentName(kind)) + " has no text form");
}

std::string rowText(const Eigen::MatrixXd& M, Eigen::Index row) {
  std::string text;
  for (Eigen::Index column = 0; column < M.cols(); ++column) text += (column ? " " : "") + formatReal(M(row, column));
  return text;
}

struct ResourceTextWriter {
  Diagnostics& diagnostics;

  std::string operator()(const VectorXd& q) const { return countedVectorText(q) + "\n"; }
  std::string operator()(const ConfigurationList& list) const {
    std::string text;
    for (const VectorXd& q : list.configurations) text += countedVectorText(q) + "\n";
    return text;
  }
  std::string operator()(const Trajectory& path) const {
    std::string text;
    for (std::size_t i = 0; i < path.times.size(); ++i)
      text += formatReal(path.times[i]) + "\t" + countedVectorText(path.configurations[i]) + "\n";
    return text;
  }
  std::string operator()(const HermiteTrajectory& path) const {
    std::string text;
    bool seconds = true;
    for (std::size_t i = 0; i < path.times.size(); ++i) {
      seconds = seconds && path.times[i] == static_cast<double>(i);
      text += countedVectorText(path.configurations[i]) + "\t" + countedVectorText(path.velocities[i]) + "\n";
    }
    if (!seconds) diagnostics.warning("times are lost: milestones are read one second apart");
    return text;
  }
  std::string operator()(const IKGoal& goal) const { return goalText(goal); }
  std::string operator()(const ContactPoint& contact) const {
    return rowText(contact.p_WC.transpose(), 0) + " " + rowText(contact.n_W.transpose(), 0) + " " +
           formatReal(contact.friction) + "\n";
  }
  std::string operator()(const Hold& hold) const { return holdText(hold, diagnostics); }
  std::string operator()(const Stance& stance) const { return stanceText(stance, diagnostics); }
  std::string operator()(const Vector3d& v) const { return rowText(v.transpose(), 0) + "\n"; }
  std::string operator()(const Matrix3d& M) const {
    return rowText(M, 0) + "\n" + rowText(M, 1) + "\n" + rowText(M, 2) + "\n";
  }
  std::string operator()(const RigidTransform& X) const { return (*this)(X.R) + (*this)(X.p); }
  std::string operator()(const Eigen::MatrixXd& M) const {
    std::string text = std::to_string(M.rows()) + " " + std::to_string(M.cols()) + "\n";
    for (Eigen::Index row = 0; row < M.rows(); ++row) text += rowText(M, row) + "\n";
    return text;
  }
  std::string operator()(const std::vector<int>& numbers) const {
    std::string text = std::to_string(numbers.size()) + "\t";
    for (std::size_t i = 0; i < numbers.size(); ++i) text += (i ? " " : "") + std::to_string(numbers[i]);
    return text + "\n";
  }
  std::string operator()(const std::vector<double>& numbers) const {
    return countedVectorText(Eigen::Map<const VectorXd>(numbers.data(), std::ssize(numbers))) + "\n";
  }
  template <typename T>
  std::string operator()(const T& value) const {
    throw Error(withArticle(contentName(contentOf(Resource(value)))) + " has no text form");
  }
};

}  // namespace

VectorXd readCountedVector(const TextFile& file, Cursor& cursor) {
  VectorXd v(readCount(file, cursor, "the length of a vector", "a vector"));
  for (double& x : v) x = cursor.finite("a number of the vector");
  return v;
}

std::string countedVectorText(const VectorXd& v) {
  std::string text = std::to_string(v.size()) + "\t";
  for (Eigen::Index i = 0; i < v.size(); ++i) text += (i ? " " : "") + formatReal(v[i]);
  return text;
}

bool hasText(FileContent kind) { return std::find(kTextKinds.begin(), kTextKinds.end(), kind) != kTextKinds.end(); }

Resource readResourceText(FileContent kind, const TextFile& file, Diagnostics& diagnostics) {
  if (kind == FileContent::hold) return readHold(file, diagnostics);
  if (kind == FileContent::stance) return readStance(file, diagnostics);
  Cursor cursor(file);
  Resource resource = readKind(kind, file, cursor);
  if (cursor.skipSpace())
    diagnostics.warning(
        kind == FileContent::configuration ? "what follows the first vector is ignored" : "what follows is ignored",
        cursor.position());
  return resource;
}

std::string resourceText(const Resource& resource, Diagnostics& diagnostics) {
  return std::visit(ResourceTextWriter{diagnostics}, resource);
}

Resource readEmbeddedText(FileContent kind, std::string text, const SourcePosition& where, Diagnostics& diagnostics) {
  const auto within = [](const SourcePosition& inner) {
    return inner.line == 0
               ? std::string()
               : " (line " + std::to_string(inner.line) + ", column " + std::to_string(inner.column) + " of this text)";
  };
  Diagnostics inner;
  inner.setStrict(diagnostics.strict());
  try {
    Resource resource = readResourceText(kind, TextFile({}, std::move(text)), inner);
    for (Diagnostic entry : inner.all()) {
      entry.message += within(entry.where);
      entry.where = where;
      diagnostics.add(std::move(entry));
    }
    return resource;
  } catch (const Error& error) {
    throw Error(error.message() + within(error.where()), where, error.hint());
  }
}

}  // namespace mortise::io
