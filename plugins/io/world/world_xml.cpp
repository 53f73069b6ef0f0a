#include "world/world_xml.h"

#include <algorithm>

namespace mortise::io {

namespace {

std::vector<tinyxml2::XMLNode*> parsed(const std::string& text, tinyxml2::XMLDocument& target) {
  tinyxml2::XMLDocument fragment;
  std::vector<tinyxml2::XMLNode*> nodes;
  if (fragment.Parse(text.data(), text.size()) != tinyxml2::XML_SUCCESS)
    throw Error("not well-formed XML among the notes of a world: " + text.substr(0, 60));
  for (const auto* node = fragment.FirstChild(); node != nullptr; node = node->NextSibling())
    nodes.push_back(node->DeepClone(&target));
  return nodes;
}

}  // namespace

tinyxml2::XMLElement& OrderedChildren::add(const char* name, int order) {
  auto* element = parent_.GetDocument()->NewElement(name);
  children_.emplace_back(order, element);
  return *element;
}

void OrderedChildren::finish(const FileNotes& notes) {
  for (const FileNotes::Extra& extra : notes.extras)
    for (tinyxml2::XMLNode* node : parsed(extra.text, *parent_.GetDocument()))
      children_.emplace_back(extra.order, node);
  std::stable_sort(children_.begin(), children_.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  for (const auto& [order, node] : children_) parent_.InsertEndChild(node);
  children_.clear();
}

void appendXml(const std::string& text, tinyxml2::XMLNode& parent) {
  for (tinyxml2::XMLNode* node : parsed(text, *parent.GetDocument())) parent.InsertEndChild(node);
}

}  // namespace mortise::io
