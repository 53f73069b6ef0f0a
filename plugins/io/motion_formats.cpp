#include "motion_formats.h"

#include "mortise/base/resources.h"
#include "mortise/base/value_text.h"
#include "text_file.h"

namespace mortise::io {

namespace {

VectorXd readVector(const TextFile& file, Cursor& cursor) {
  cursor.skipSpace();
  const std::size_t begin = cursor.offset();
  const int size = cursor.integer("the length of a vector");
  // Each number takes at least one digit and one blank.
  if (size < 0 || static_cast<std::size_t>(size) > cursor.remaining() / 2 + 1)
    throw Error("a vector of " + std::to_string(size) + " numbers does not fit the rest of the file",
                file.position(begin), "the file may be cut off, or the length is missing");
  VectorXd v(size);
  for (int i = 0; i < size; ++i) v[i] = cursor.finite("a number of the vector");
  return v;
}

void append(const TextFile& file, std::size_t begin, double time, VectorXd q, Trajectory& trajectory) {
  if (!trajectory.empty() && q.size() != trajectory.configurations.front().size())
    throw Error("this vector has " + std::to_string(q.size()) + " numbers, the first one has " +
                    std::to_string(trajectory.configurations.front().size()),
                file.position(begin));
  trajectory.times.push_back(time);
  trajectory.configurations.push_back(std::move(q));
}

void refuseEmpty(const Trajectory& trajectory, const std::string& path) {
  if (trajectory.empty()) throw Error("the file holds no configurations", fileOnly(path));
}

std::string vectorText(const VectorXd& v) {
  std::string text = std::to_string(v.size()) + "\t";
  for (Eigen::Index i = 0; i < v.size(); ++i) text += (i ? " " : "") + formatReal(v[i]);
  return text + "\n";
}

}  // namespace

VectorXd ConfigurationFormat::readConfiguration(ReadContext& context) {
  const TextFile file(context.path);
  Cursor cursor(file);
  VectorXd q = readVector(file, cursor);
  if (cursor.skipSpace()) context.diagnostics.warning("what follows the first vector is ignored", cursor.position());
  return q;
}

void ConfigurationFormat::writeConfiguration(const VectorXd& q, const std::string& path) {
  writeFile(path, vectorText(q));
}

Trajectory PathFormat::readTrajectory(ReadContext& context) {
  const TextFile file(context.path);
  Cursor cursor(file);
  Trajectory trajectory;
  while (cursor.skipSpace()) {
    const std::size_t begin = cursor.offset();
    const double time = cursor.finite("a time");
    if (!trajectory.empty() && time < trajectory.times.back())
      throw Error("time " + formatReal(time) + " lies before the one above, " + formatReal(trajectory.times.back()),
                  file.position(begin));
    append(file, begin, time, readVector(file, cursor), trajectory);
  }
  refuseEmpty(trajectory, context.path);
  return trajectory;
}

void PathFormat::writeTrajectory(const Trajectory& trajectory, const std::string& path) {
  std::string text;
  for (std::size_t i = 0; i < trajectory.times.size(); ++i)
    text += formatReal(trajectory.times[i]) + "\t" + vectorText(trajectory.configurations[i]);
  writeFile(path, text);
}

Trajectory ConfigurationListFormat::readTrajectory(ReadContext& context) {
  const TextFile file(context.path);
  Cursor cursor(file);
  Trajectory trajectory;
  while (cursor.skipSpace()) {
    const std::size_t begin = cursor.offset();
    append(file, begin, static_cast<double>(trajectory.times.size()), readVector(file, cursor), trajectory);
  }
  refuseEmpty(trajectory, context.path);
  return trajectory;
}

Trajectory MilestoneFormat::readTrajectory(ReadContext& context) {
  const TextFile file(context.path);
  Cursor cursor(file);
  Trajectory trajectory;
  while (cursor.skipSpace()) {
    const std::size_t begin = cursor.offset();
    append(file, begin, static_cast<double>(trajectory.times.size()), readVector(file, cursor), trajectory);
    cursor.skipSpace();
    const std::size_t second = cursor.offset();
    if (readVector(file, cursor).size() != trajectory.configurations.front().size())
      throw Error("the velocity of milestone " + std::to_string(trajectory.times.size() - 1) +
                      " has another length than its configuration",
                  file.position(second), "milestones are a configuration and a velocity by turns");
  }
  refuseEmpty(trajectory, context.path);
  return trajectory;
}

}  // namespace mortise::io
