#include "common/component_xml.h"

namespace mortise::io {

namespace {

const tinyxml2::XMLElement& requireRoot(const XmlFile& file, const char* name) {
  if (std::string_view(file.root().Name()) != name)
    throw Error("expected <" + std::string(name) + ">, found <" + file.root().Name() + ">", file.position(file.root()));
  return file.root();
}

/// {type: ..., attributes...}
Value componentMap(const XmlElement& element, Value type) {
  Value map = Value::map();
  map.set("type", std::move(type));
  const Value settings = element.attributes({"type"});
  for (const auto& entry : settings.entries()) {
    map.set(entry.key, entry.value);
    map.entries().back().keyPosition = entry.keyPosition;
  }
  map.setPosition(element.position());
  return map;
}

std::string print(const tinyxml2::XMLDocument& document) {
  tinyxml2::XMLPrinter printer(nullptr, true);
  document.Print(&printer);
  return printer.CStr();
}

}  // namespace

namespace {

/// Settings are attributes; what stands between the tags is nothing that anybody reads.
void warnOfContent(const XmlFile& file, const tinyxml2::XMLElement& element, bool elementsToo,
                   Diagnostics& diagnostics) {
  for (const auto* node = element.FirstChild(); node != nullptr; node = node->NextSibling()) {
    if (node->ToText() != nullptr)
      diagnostics.warning("text in <" + std::string(element.Name()) + "> is ignored", file.position(element),
                          "settings are attributes");
    else if (elementsToo && node->ToElement() != nullptr)
      diagnostics.warning("<" + std::string(node->ToElement()->Name()) + "> in <" + element.Name() + "> is ignored",
                          file.position(*node->ToElement()), "settings are attributes");
  }
}

/// An element whose attribute `type` names the component.
Value typedMap(const XmlFile& file, const tinyxml2::XMLElement& xml, Diagnostics& diagnostics) {
  XmlElement element(file, xml, diagnostics);
  warnOfContent(file, xml, true, diagnostics);
  const auto type = element.text("type");
  if (!type) diagnostics.error("<" + std::string(element.name()) + "> has no attribute 'type'", element.position());
  Value value(type.value_or(""));
  value.setPosition(element.position("type"));
  return componentMap(element, std::move(value));
}

}  // namespace

Value sensorList(const XmlFile& file, const tinyxml2::XMLElement& sensors, Diagnostics& diagnostics) {
  Value list = Value::list();
  warnOfContent(file, sensors, false, diagnostics);
  for (const auto* child = sensors.FirstChildElement(); child != nullptr; child = child->NextSiblingElement()) {
    const XmlElement element(file, *child, diagnostics);
    warnOfContent(file, *child, true, diagnostics);
    Value type(child->Name());
    type.setPosition(element.position());
    list.push_back(componentMap(element, std::move(type)));
  }
  list.setPosition(file.position(sensors));
  return list;
}

Value sensorMap(const XmlFile& file, const tinyxml2::XMLElement& sensor, Diagnostics& diagnostics) {
  return typedMap(file, sensor, diagnostics);
}

Value controllerMap(const XmlFile& file, const tinyxml2::XMLElement& controller, Diagnostics& diagnostics) {
  return typedMap(file, controller, diagnostics);
}

Value readSensors(const XmlFile& file, Diagnostics& diagnostics) {
  return sensorList(file, requireRoot(file, "sensors"), diagnostics);
}

Value readController(const XmlFile& file, Diagnostics& diagnostics) {
  return controllerMap(file, requireRoot(file, "controller"), diagnostics);
}

void setAttributes(tinyxml2::XMLElement& element, const Value& map, std::string_view except) {
  for (const auto& entry : map.entries()) {
    if (entry.key == except) continue;
    std::string text;
    if (entry.value.isList()) {
      for (const Value& item : entry.value.items()) text += (text.empty() ? "" : " ") + item.text();
    } else if (entry.value.isMap()) {
      throw Error("setting '" + entry.key + "' is a map, which an XML attribute cannot hold", entry.value.position());
    } else {
      text = entry.value.text();
    }
    element.SetAttribute(entry.key.c_str(), text.c_str());
  }
}

std::string sensorsXml(const Value& sensors) {
  tinyxml2::XMLDocument document;
  auto* root = document.NewElement("sensors");
  document.InsertEndChild(root);
  for (const Value& sensor : sensors.items()) {
    auto* element = document.NewElement(sensor.string("type", "").c_str());
    setAttributes(*element, sensor, "type");
    root->InsertEndChild(element);
  }
  return print(document);
}

std::string controllerXml(const Value& controller) {
  tinyxml2::XMLDocument document;
  auto* root = document.NewElement("controller");
  root->SetAttribute("type", controller.string("type", "").c_str());
  setAttributes(*root, controller, "type");
  document.InsertEndChild(root);
  return print(document);
}

}  // namespace mortise::io
