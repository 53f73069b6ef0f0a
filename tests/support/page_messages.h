#pragma once

/// Messages of pages as people write them in tests.

#include <string>

#include "mortise/base/error.h"
#include "mortise/base/value_text.h"
#include "mortise/viewer/protocol/page_message.h"
#include "mortise/viewer/view_session.h"

namespace mortise::test {

inline viewer::PageMessage pageMessage(const std::string& yaml) {
  return viewer::readPageMessage(parseYaml(yaml, "message"));
}

/// The session's answer; what is refused before it is {type: problem, problem}.
inline Value askSession(viewer::ViewSession& session, const std::string& yaml) {
  try {
    return parseYaml(session.answer(1, pageMessage(yaml)), "answer");
  } catch (const Error& error) {
    Value answer = Value::map();
    answer.set("type", "problem");
    answer.set("problem", std::string(error.what()));
    return answer;
  }
}

}  // namespace mortise::test
