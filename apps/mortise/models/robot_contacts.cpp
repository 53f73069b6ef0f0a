#include "command_line/command_line.h"
#include "command_line/commands.h"
#include "models/contact_input.h"
#include "models/robot_input.h"
#include "mortise/json/json_writer.h"
#include "mortise/mechanics/contact_formation.h"

namespace mortise::app {

int robotContactsCommand(const Arguments& arguments) {
  CommandLine line("mortise robot contacts", "where a robot touches a world and itself, and stances of that");
  declareRobotInput(line);
  declareConfiguration(line, "q", "the file's initial one");
  declareContactSources(line);
  line.option(
          "output,o", "FILE",
          "write the contacts with the world as a stance (.stance, .json): a hold a link, which keeps it where it is")
      .epilog(
          "With --json: {contacts: [{point, normal, friction, link, target}]}, which --contacts reads.\n\n"
          "Example:\n"
          "  mortise robot contacts hubo.rob --q start.config --world stairs.xml -o start.stance\n");
  if (!line.parse(arguments)) return 0;
  RobotInput input(line);
  const VectorXd q = input.configuration("q");
  RobotDynamics dynamics(input.pointer());
  dynamics.setPosition(q);
  const ContactFile file = readContacts(line, input, dynamics, q);
  if (line.has("output"))
    input.loader().write(stanceOfContacts(dynamics, file.contacts), line.text("output"), input.diagnostics());
  input.finish();
  print(line.json() ? toJson(contactsValue(input.robot(), file.contacts)) + "\n"
                    : contactsText(input.robot(), file.contacts));
  return 0;
}

}  // namespace mortise::app
