#pragma once

#include "mortise/closed_forms/hand_contacts.h"
#include "scenes.h"

namespace mortise::test {

using truth::HandContacts;

}  // namespace mortise::test
