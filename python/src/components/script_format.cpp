#include "components/script_components.h"
#include "files/resources.h"
#include "mortise/base/position.h"

namespace mortise::python {

namespace {

class ScriptFormat final : public FileFormat {
 public:
  ScriptFormat(const ScriptClass& declared, const Value& settings, Host& host, PyObject* object)
      : script_(declared, settings, host, object) {}

  double probe(std::string_view path, std::string_view head) const override {
    double likely = FileFormat::probe(path, head);
    withPython([&] {
      if (script_.has("probe"))
        likely = script_.call("probe", py::str(std::string(path)), py::bytes(head.data(), head.size())).cast<double>();
    });
    return likely;
  }

  Resource read(FileContent content, ReadContext& context) override {
    Resource result;
    withPython([&] {
      if (!script_.has("read")) throw Error("this format is not read", inFile(context.path));
      const std::string name(contentName(content));
      const py::object value = script_.call("read", py::str(context.path), py::str(name));
      if (!value) throw Error("reading was interrupted", inFile(context.path));
      result = resourceFrom(value, name);
    });
    return result;
  }

  void write(const Resource& value, WriteContext& context) override {
    withPython([&] {
      if (!script_.has("write")) throw Error("this format is not written", inFile(context.path));
      script_.call("write", py::str(context.path), resourceToPython(Resource(value)));
    });
  }

 private:
  ScriptObject script_;
};

}  // namespace

FileFormat* newScriptFormat(const ScriptClass& declared, const Value& settings, Host& host, PyObject* object) {
  return new ScriptFormat(declared, settings, host, object);
}

}  // namespace mortise::python
