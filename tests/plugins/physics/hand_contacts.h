#pragma once

#include "mortise/truth/hand_contacts.h"
#include "scenes.h"

namespace mortise::test {

using truth::HandContacts;

}  // namespace mortise::test
