#include <algorithm>
#include <utility>

#include "common/component_xml.h"
#include "common/references.h"
#include "urdf/urdf_parser.h"

namespace mortise::io {

namespace {

const std::vector<std::string> kChildren = {"link",  "selfcollision", "noselfcollision",
                                            "mount", "sensors",       "controller"};

/// Words between blanks; a word in quotes may hold blanks.
std::vector<std::string> words(const std::string& text) {
  std::vector<std::string> list;
  const auto blank = [](char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; };
  for (std::size_t at = 0; at < text.size();) {
    if (blank(text[at])) {
      ++at;
      continue;
    }
    const bool quoted = text[at] == '"';
    const std::size_t begin = quoted ? at + 1 : at;
    std::size_t end = begin;
    while (end < text.size() && (quoted ? text[end] != '"' : !blank(text[end]))) ++end;
    list.push_back(text.substr(begin, end - begin));
    at = quoted ? end + 1 : end;
  }
  return list;
}

class KlamptParser {
 public:
  KlamptParser(const XmlFile& file, const tinyxml2::XMLElement& klampt, ReadContext& context, UrdfKlampt defaults)
      : file_(file), xml_(klampt), context_(context), out_(context.diagnostics), klampt_(std::move(defaults)) {}

  UrdfKlampt parse() {
    readAttributes();
    for (const auto* child = xml_.FirstChildElement(); child != nullptr; child = child->NextSiblingElement()) {
      const std::string_view name = child->Name();
      if (name == "link")
        readLink(*child);
      else if (name == "selfcollision")
        readPairs(*child, klampt_.selfCollision);
      else if (name == "noselfcollision")
        readPairs(*child, klampt_.noSelfCollision);
      else if (name == "mount")
        readMount(*child);
      else if (name == "sensors" && klampt_.sensors.isNull())
        readSensors(*child);
      else if (name == "controller" && klampt_.controller.isNull())
        klampt_.controller = controllerMap(file_, *child, out_);
      else if (name == "sensors" || name == "controller")
        out_.warning("<klampt> has its " + std::string(name) + " already; this element is ignored",
                     file_.position(*child));
      else
        warnAboutElement(file_, *child, kChildren, out_);
    }
    return std::move(klampt_);
  }

 private:
  /// Sensors that stand here, or those of another file.
  void readSensors(const tinyxml2::XMLElement& child) {
    XmlElement element(file_, child, out_);
    const bool elsewhere = child.Attribute("file") != nullptr;
    if (elsewhere) readFile(element, "file", klampt_.sensors, &io::readSensors);
    element.warnAboutOthers();
    if (!elsewhere) klampt_.sensors = sensorList(file_, child, out_);
  }

  void readAttributes() {
    XmlElement element(file_, xml_, out_);
    klampt_.useVisuals = element.flag("use_vis_geom").value_or(klampt_.useVisuals);
    klampt_.flipYz = element.flag("flip_yz").value_or(klampt_.flipYz);
    klampt_.freezeRoot = element.flag("freeze_root_link").value_or(false);
    klampt_.worldFrame = element.text("world_frame").value_or("world");
    klampt_.packageRoot = element.text("package_root").value_or(klampt_.packageRoot);
    klampt_.accelerationMax = element.nonNegative("default_acc_max").value_or(klampt_.accelerationMax);
    klampt_.mass = element.nonNegative("default_mass", false).value_or(klampt_.mass);
    if (const auto values = element.reals("default_inertia")) {
      if (values->size() == 1)
        klampt_.inertia = (*values)[0] * Matrix3d::Identity();
      else if (values->size() == 3)
        klampt_.inertia = Vector3d((*values)[0], (*values)[1], (*values)[2]).asDiagonal();
      else if (values->size() == 9)
        for (int i = 0; i < 9; ++i) klampt_.inertia(i / 3, i % 3) = (*values)[static_cast<std::size_t>(i)];
      else
        element.error("default_inertia", "expected 1, 3 or 9 numbers, found " + std::to_string(values->size()));
      if (!klampt_.inertia.allFinite()) element.error("default_inertia", "expected finite numbers");
    }
    readFile(element, "sensors", klampt_.sensors, &io::readSensors);
    readFile(element, "controller", klampt_.controller, &readController);
    finishUrdfElement(element);
  }

  void readFile(XmlElement& element, const char* attribute, Value& target,
                Value (*read)(const XmlFile&, Diagnostics&)) {
    const auto reference = element.text(attribute);
    if (!reference) return;
    loadReference(out_, element.position(attribute), [&] {
      target = read(XmlFile(context_.loader.find(*reference, context_.path)), out_);
      return true;
    });
  }

  void readLink(const tinyxml2::XMLElement& xml) {
    XmlElement element(file_, xml, out_);
    const auto name = element.text("name");
    if (!name) out_.error("<link> needs the attribute 'name'", element.position());
    UrdfLinkSettings& link = klampt_.links[name.value_or("")];
    link.position = element.position(name ? "name" : "");
    link.physical = element.flag("physical").value_or(link.physical);
    const auto take = [&element](const char* attribute, std::optional<double>& target, bool infinite = false) {
      if (const auto value = element.nonNegative(attribute, infinite)) target = value;
    };
    take("accMax", link.accelerationMax, true);
    take("servoP", link.servoP);
    take("servoI", link.servoI);
    take("servoD", link.servoD);
    take("dryFriction", link.dryFriction);
    take("viscousFriction", link.viscousFriction);
    finishUrdfElement(element);
  }

  void readPairs(const tinyxml2::XMLElement& xml, std::vector<LinkPair>& pairs) {
    XmlElement element(file_, xml, out_);
    const auto list = element.text("pairs"), group1 = element.text("group1"), group2 = element.text("group2");
    finishUrdfElement(element);
    if (list) {
      const std::vector<std::string> names = words(*list);
      if (names.size() % 2 != 0) element.error("pairs", "'" + names.back() + "' has no partner");
      for (std::size_t i = 0; i + 1 < names.size(); i += 2)
        pairs.push_back({names[i], names[i + 1], element.position("pairs")});
      return;
    }
    if (!group1 || !group2) {
      out_.error("<" + std::string(xml.Name()) + "> needs 'pairs', or 'group1' and 'group2'", element.position());
      return;
    }
    for (const std::string& a : words(*group1))
      for (const std::string& b : words(*group2)) pairs.push_back({a, b, element.position(), true});
  }

  void readMount(const tinyxml2::XMLElement& xml) {
    XmlElement element(file_, xml, out_);
    UrdfMount mount;
    const auto link = element.text("link"), file = element.text("file");
    for (const char* attribute : {"link", "file"})
      if (!element.has(attribute))
        out_.error("<mount> needs the attribute '" + std::string(attribute) + "'", element.position());
    if (const auto rows = element.reals("transform", 12)) {
      mount.X_LM = RigidTransform::fromRows(rows->data());
      if (!mount.X_LM.allFinite()) element.error("transform", "expected finite numbers");
    }
    mount.prefix = element.text("prefix").value_or("");
    mount.prefix = element.text("as").value_or(mount.prefix);
    finishUrdfElement(element);
    if (!link || !file) return;
    mount.link = *link;
    mount.file = *file;
    mount.position = element.position();
    klampt_.mounts.push_back(std::move(mount));
  }

  const XmlFile& file_;
  const tinyxml2::XMLElement& xml_;
  ReadContext& context_;
  Diagnostics& out_;
  UrdfKlampt klampt_;
};

}  // namespace

UrdfKlampt parseKlampt(const XmlFile& file, const tinyxml2::XMLElement& klampt, ReadContext& context,
                       UrdfKlampt defaults) {
  return KlamptParser(file, klampt, context, std::move(defaults)).parse();
}

}  // namespace mortise::io
