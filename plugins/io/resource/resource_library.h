#pragma once

/// Libraries of named resources: one XML or JSON file, or a folder.

#include "mortise/component/file_format.h"

namespace mortise::io {

/// `<resource_library>`: an element a resource, called by its type, with a name and the resource's text or a file.
ResourceLibrary readLibraryXml(ReadContext& context);
void writeLibraryXml(const ResourceLibrary& library, WriteContext& context);

/// A list of objects with type, name, and content or file.
ResourceLibrary readLibraryJson(ReadContext& context);
void writeLibraryJson(const ResourceLibrary& library, WriteContext& context);

/// Every file of a folder and those below it, in the order of their names; a resource is named after its path without
/// extension. What nothing reads is passed over with a warning.
ResourceLibrary readLibraryFolder(ReadContext& context);
/// Makes the folder where there is none; files of other names in it stay.
void writeLibraryFolder(const ResourceLibrary& library, WriteContext& context);

}  // namespace mortise::io
