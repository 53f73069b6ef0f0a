#include "moveit_format.h"

#include <string>

#include "problem_files.h"
#include "problem_set.h"

namespace mortise::io_moveit {

double MoveItFormat::probe(std::string_view path, std::string_view) const {
  return isProblemSet(std::string(path)) ? 1 : 0;
}

Resource MoveItFormat::read(FileContent, ReadContext& context) {
  ProblemSetFiles files;
  if (!context.path.empty()) files = problemSetOfFolder(context.path);
  applySettings(*settings_, files);
  return loadProblemSet(files, context.loader, context.diagnostics);
}

}  // namespace mortise::io_moveit
