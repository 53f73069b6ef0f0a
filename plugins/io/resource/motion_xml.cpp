#include "resource/motion_xml.h"

#include <algorithm>
#include <cmath>

#include "common/contact_text.h"
#include "mortise/base/value_text.h"
#include "resource/resource_text.h"

namespace mortise::io {

namespace {

using tinyxml2::XMLElement;

MultiPath::Settings readSettings(const XMLElement& element, ForeignAttributes foreign) {
  MultiPath::Settings settings;
  for (const auto* attribute = element.FirstAttribute(); attribute != nullptr; attribute = attribute->Next())
    if (std::find(foreign.begin(), foreign.end(), attribute->Name()) == foreign.end())
      settings.emplace_back(attribute->Name(), attribute->Value());
  return settings;
}

/// The text of the element as a `T`; nullopt when it is not one, which the diagnostics then say.
template <typename T>
std::optional<T> readText(std::string text, const SourcePosition& where, Diagnostics& diagnostics) {
  try {
    return std::get<T>(readEmbeddedText(contentOfType<T>(), std::move(text), where, diagnostics));
  } catch (const Error& error) {
    diagnostics.error(error);
    return std::nullopt;
  }
}

class SectionReader {
 public:
  SectionReader(const XmlFile& file, Diagnostics& diagnostics) : file_(file), diagnostics_(diagnostics) {}

  MultiPath::Section read(const XMLElement& element) {
    section_.settings = readSettings(element, {});
    for (const XMLElement* child = element.FirstChildElement(); child != nullptr; child = child->NextSiblingElement()) {
      const std::string_view name = child->Name();
      if (name == "milestone")
        milestone(*child);
      else if (name == "ikgoal")
        goal(*child);
      else if (name == "hold")
        hold(*child);
      else
        warnAboutElement(file_, *child, {"milestone", "ikgoal", "hold"}, diagnostics_);
    }
    if (section_.milestones.size() < 2)
      diagnostics_.error(
          "a section needs two milestones at least, this one has " + std::to_string(section_.milestones.size()),
          file_.position(element));
    return std::move(section_);
  }

 private:
  void milestone(const XMLElement& element) {
    XmlElement attributes(file_, element, diagnostics_);
    const std::size_t before = section_.milestones.size();
    if (!attributes.has("config")) {
      diagnostics_.error("a milestone needs a config", attributes.position(), "write config=\"LENGTH NUMBERS\"");
      return;
    }
    const auto config = vector(attributes, "config");
    const auto time = attributes.finite("time");
    const auto velocity = vector(attributes, "velocity");
    attributes.warnAboutOthers();
    if (!config) return;
    section_.milestones.push_back(*config);
    // All of them or none, as the first one has it.
    allOrNone(attributes, "time", attributes.has("time"), before, before == section_.times.size());
    allOrNone(attributes, "velocity", attributes.has("velocity"), before, before == section_.velocities.size());
    if (time) {
      if (!section_.times.empty() && *time < section_.times.back())
        attributes.error("time", formatReal(*time) + " lies before the time of the milestone above, " +
                                     formatReal(section_.times.back()));
      section_.times.push_back(*time);
    }
    if (velocity) {
      if (velocity->size() != config->size())
        attributes.error("velocity", "has " + std::to_string(velocity->size()) + " numbers, the configuration " +
                                         std::to_string(config->size()));
      section_.velocities.push_back(*velocity);
    }
    if (config->size() != section_.milestones.front().size())
      attributes.error("config", "has " + std::to_string(config->size()) + " numbers, the first milestone " +
                                     std::to_string(section_.milestones.front().size()));
  }

  void allOrNone(XmlElement& element, const char* attribute, bool given, std::size_t before, bool expected) {
    if (before == 0 || given == expected) return;
    if (!expected)
      element.error(attribute, "milestones above have none", "give every milestone of a section one, or none");
    else
      diagnostics_.error("milestones above have a " + std::string(attribute) + ", this one has none",
                         element.position(), "give every milestone of a section one, or none");
  }

  static std::optional<VectorXd> vector(XmlElement& element, const char* attribute) {
    const auto numbers = element.countedReals(attribute);
    if (!numbers) return std::nullopt;
    return Eigen::Map<const VectorXd>(numbers->data(), std::ssize(*numbers));
  }

  void goal(const XMLElement& element) {
    XmlElement(file_, element, diagnostics_).warnAboutOthers();
    if (auto goal = readText<IKGoal>(textOf(element), file_.position(element), diagnostics_))
      section_.goals.push_back(*goal);
  }

  void hold(const XMLElement& element) {
    XmlElement attributes(file_, element, diagnostics_);
    if (const auto index = attributes.integer("index"))
      section_.holdIndices.push_back(*index);
    else if (const auto name = attributes.text("name"))
      section_.holdNames.push_back(*name);
    else if (!attributes.has("index")) {
      if (auto hold = readText<Hold>(textOf(element), attributes.position(), diagnostics_))
        section_.holds.push_back(std::move(*hold));
    }
    attributes.warnAboutOthers();
    const bool refers = element.Attribute("index") != nullptr || element.Attribute("name") != nullptr;
    if (refers && textOf(element).find_first_not_of(" \t\r\n") != std::string::npos)
      diagnostics_.warning("the text is ignored: this <hold> refers to one of the path", attributes.position());
  }

  const XmlFile& file_;
  Diagnostics& diagnostics_;
  MultiPath::Section section_;
};

void writeSettings(const MultiPath::Settings& settings, XmlText& xml) {
  for (const auto& [name, value] : settings) xml.attribute(name, value);
}

void writeSection(const MultiPath::Section& section, XmlText& xml, Diagnostics& diagnostics) {
  xml.open("section");
  writeSettings(section.settings, xml);
  for (const IKGoal& goal : section.goals) xml.open("ikgoal").text(goalText(goal)).close();
  for (const Hold& hold : section.holds) xml.open("hold").text(holdText(hold, diagnostics)).close();
  for (const int index : section.holdIndices) xml.open("hold").attribute("index", std::to_string(index)).close();
  for (const std::string& name : section.holdNames) xml.open("hold").attribute("name", name).close();
  for (std::size_t i = 0; i < section.milestones.size(); ++i) {
    xml.open("milestone");
    if (!section.times.empty()) xml.attribute("time", formatReal(section.times[i]));
    xml.attribute("config", countedVectorText(section.milestones[i]));
    if (!section.velocities.empty()) xml.attribute("velocity", countedVectorText(section.velocities[i]));
    xml.close();
  }
  xml.close();
}

std::string threeNumbers(const Vector3d& v) {
  return formatReal(v[0]) + " " + formatReal(v[1]) + " " + formatReal(v[2]);
}

void readContact(XmlElement& element, Grasp& grasp, Diagnostics& diagnostics) {
  Grasp::Contact contact;
  const auto link = element.integer("link");
  const auto x = element.vector3("x"), n = element.vector3("n"), force = element.vector3("force");
  const auto friction = element.nonNegative("kFriction", false);
  element.warnAboutOthers();
  for (const char* needed : {"link", "x", "n", "kFriction"})
    if (!element.has(needed))
      diagnostics.error("a <contact> needs the attribute '" + std::string(needed) + "'", element.position());
  if (!link || !x || !n || !friction) return;
  contact.link = *link;
  contact.point = {*x, *n, *friction};
  contact.force_W = force;
  grasp.contacts.push_back(contact);
}

}  // namespace

std::string textOf(const XMLElement& element) {
  std::string text;
  for (const auto* node = element.FirstChild(); node != nullptr; node = node->NextSibling())
    if (const auto* piece = node->ToText()) text += piece->Value();
  return text;
}

MultiPath readMultiPath(const XmlFile& file, const XMLElement& root, Diagnostics& diagnostics,
                        ForeignAttributes foreign) {
  const int errorsBefore = diagnostics.errorCount();
  MultiPath path;
  path.settings = readSettings(root, foreign);
  for (const XMLElement* child = root.FirstChildElement(); child != nullptr; child = child->NextSiblingElement()) {
    const std::string_view name = child->Name();
    if (name == "section") {
      path.sections.push_back(SectionReader(file, diagnostics).read(*child));
    } else if (name == "hold") {
      XmlElement attributes(file, *child, diagnostics);
      MultiPath::NamedHold hold;
      hold.name = attributes.text("name").value_or("");
      attributes.warnAboutOthers();
      if (auto read = readText<Hold>(textOf(*child), attributes.position(), diagnostics)) hold.hold = std::move(*read);
      path.holds.push_back(std::move(hold));
    } else {
      warnAboutElement(file, *child, {"section", "hold"}, diagnostics);
    }
  }
  if (diagnostics.errorCount() == errorsBefore)
    if (const std::string problem = path.problem(); !problem.empty()) diagnostics.error(problem, file.position(root));
  if (diagnostics.errorCount() > errorsBefore) diagnostics.throwIfErrors("the path cannot be used");
  return path;
}

void writeMultiPath(const MultiPath& path, XmlText& xml, Diagnostics& diagnostics) {
  if (const std::string problem = path.problem(); !problem.empty())
    throw Error("this path cannot be written: " + problem);
  writeSettings(path.settings, xml);
  for (const MultiPath::Section& section : path.sections) writeSection(section, xml, diagnostics);
  for (const MultiPath::NamedHold& hold : path.holds) {
    xml.open("hold");
    if (!hold.name.empty()) xml.attribute("name", hold.name);
    xml.text(holdText(hold.hold, diagnostics)).close();
  }
}

Grasp readGrasp(const XmlFile& file, const XMLElement& root, Diagnostics& diagnostics, ForeignAttributes foreign) {
  const int errorsBefore = diagnostics.errorCount();
  Grasp grasp;
  XmlElement element(file, root, diagnostics);
  if (const auto object = element.integer("object")) grasp.object = *object;
  if (const auto robot = element.integer("robot")) grasp.robot = *robot;
  if (const auto fixed = element.reals("fixed")) {
    if (fixed->size() % 2 != 0) element.error("fixed", "expected pairs of a degree of freedom and its value");
    for (std::size_t i = 0; i + 1 < fixed->size(); i += 2) {
      const double dof = (*fixed)[i];
      if (!(dof >= 0 && dof < 1e9) || dof != static_cast<int>(dof))
        element.error("fixed", "'" + formatReal(dof) + "' is no index of a degree of freedom");
      else if (!std::isfinite((*fixed)[i + 1]))
        element.error("fixed", "expected finite values");
      else
        grasp.fixed.emplace_back(static_cast<int>(dof), (*fixed)[i + 1]);
    }
  }
  for (const std::string_view name : foreign) element.expect({name.data()});
  element.warnAboutOthers();
  for (const XMLElement* child = root.FirstChildElement(); child != nullptr; child = child->NextSiblingElement()) {
    const std::string_view name = child->Name();
    XmlElement inner(file, *child, diagnostics);
    if (name == "IKGoal") {
      const auto data = inner.text("data");
      inner.warnAboutOthers();
      if (!data)
        diagnostics.error("an <IKGoal> needs the attribute 'data'", inner.position());
      else if (auto goal = readText<IKGoal>(*data, inner.position("data"), diagnostics))
        grasp.goals.push_back(*goal);
    } else if (name == "contact") {
      readContact(inner, grasp, diagnostics);
    } else {
      warnAboutElement(file, *child, {"IKGoal", "contact"}, diagnostics);
    }
  }
  if (diagnostics.errorCount() > errorsBefore) diagnostics.throwIfErrors("the grasp cannot be used");
  return grasp;
}

void writeGrasp(const Grasp& grasp, XmlText& xml) {
  xml.attribute("object", std::to_string(grasp.object)).attribute("robot", std::to_string(grasp.robot));
  if (!grasp.fixed.empty()) {
    std::string text;
    for (const auto& [dof, value] : grasp.fixed)
      text += (text.empty() ? "" : "  ") + std::to_string(dof) + " " + formatReal(value);
    xml.attribute("fixed", text);
  }
  for (const IKGoal& goal : grasp.goals) xml.open("IKGoal").attribute("data", goalText(goal)).close();
  for (const Grasp::Contact& contact : grasp.contacts) {
    xml.open("contact").attribute("link", std::to_string(contact.link));
    xml.attribute("x", threeNumbers(contact.point.p_WC)).attribute("n", threeNumbers(contact.point.n_W));
    xml.attribute("kFriction", formatReal(contact.point.friction));
    if (contact.force_W) xml.attribute("force", threeNumbers(*contact.force_W));
    xml.close();
  }
}

std::string multiPathFile(const MultiPath& path, Diagnostics& diagnostics) {
  XmlText xml;
  xml.open("multipath");
  writeMultiPath(path, xml, diagnostics);
  return xml.close().take();
}

std::string graspFile(const Grasp& grasp) {
  XmlText xml;
  xml.open("Grasp");
  writeGrasp(grasp, xml);
  return xml.close().take();
}

}  // namespace mortise::io
