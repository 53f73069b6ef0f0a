#include "mortise/plugin/plugin.h"

#include "serial_controller.h"

namespace {

constexpr const char* kDocumentation = R"(
A TCP server that hands the robot to a program in another process, with the protocol of Klamp't's SerialController: what
was written for that connects unchanged. `docs/remote.md` specifies every message; `sdk/examples/clients` has clients in
Python and C++ to start from, and `mortise drive` runs any Mortise controller as a client.

**Messages** are JSON objects, each after its length as 4 bytes, least significant first.

`writeRate` times a simulated second the client is told

    {"t": 0.1, "dt": 0.1, "qcmd": [..], "dqcmd": [..], "q": [..], "dq": [..], ..}

`t` is the simulated time (s), `dt` the time until the next message. `qcmd` and `dqcmd` are what the servos track (one
number a link, rad or m; left out while torques are commanded); every other key is a sensor of the robot with its values.

Whenever it likes, the client sends one of

| keys | meaning |
|---|---|
| `qcmd`, with `dqcmd`, `torquecmd` or both if wanted | servos track this configuration (one number a link) and velocity, and add these torques (one a driver, N*m or N) |
| `dqcmd` and `tcmd` | the configuration moves with this velocity for `tcmd` seconds, then holds |
| `torquecmd` | torques instead of servos |
| `setting` | `"writeRate"` asks for a setting, `["writeRate", 50]` changes it; both are answered with `{"setting": ["writeRate", 50]}` |

The newest command holds until the next. What is wrong is answered with `{"error": "wrong_size", "message": ".."}` and
changes nothing; only a message longer than `maxMessageSize` ends the connection.

**Several clients.** The one that came first drives. Others are told `{"error": "busy", ..}` and wait; when the driver
leaves, the next takes over. While nobody drives, the robot holds the configuration that was commanded last (after
torques: the one it has), with gravity compensated unless `enableGravityCompensation` is off.

**RealtimePacer.** The simulation never waits for the network: a client that reads slowly is told the newest state and misses those
in between. `mortise sim --realtime` keeps simulated time from running ahead of the clock. With `lockstep` (or `mortise sim
--lockstep`) the simulation waits after each message for the command that answers it, so that the same commands give the
same run, bit for bit; `{}` answers without a change.

**Addresses.** `tcp://127.0.0.1:3456` can be reached from this machine only; `tcp://0.0.0.0:3456` from everywhere, without
any check of who it is. Port 0 takes any free port, which is logged and readable as the setting `port`. When nothing can
listen on the address, for example because another simulation of the same world does, the robot holds its configuration and
a warning says so; with `lockstep` or `mustListen` it is an error.

**Settings** while running: `writeRate`, `servAddr`, `lockstep`, `timeout` and `connectTimeout` can be changed; `listening`,
`connected`, `address` and `port` can be read, and so can the robot: `links` and `drivers` by name, `driverLinks`, the
indices of the links that each driver moves.

In a pipeline:

    components:
      - {controller: SerialController, robot: arm, servAddr: "tcp://127.0.0.1:3456", writeRate: 50 Hz, lockstep: true}

In a world:

    <simulation>
      <robot index="0"><controller type="SerialController" servAddr="tcp://127.0.0.1:3456" writeRate="50" /></robot>
    </simulation>
)";

}  // namespace

MORTISE_PLUGIN("mortise_controllers_serial", "0.1.0") {
  plugin.controller<mortise::SerialController>("mortise.SerialController")
      .alias("SerialController")
      .summary("Lets a program in another process drive the robot: JSON over TCP, as Klamp't's SerialController.")
      .documentation(kDocumentation)
      .parameter("servAddr", "tcp://127.0.0.1:3456",
                 "Address to listen on: tcp://host:port, host:port or :port (this machine). Port 0: any that is free. "
                 "Empty: do not listen.")
      .parameter("writeRate", 10.0, "Messages a simulated second to the client; 0: one every update.",
                 {.min = 0, .max = 1e6, .unit = "Hz"})
      .parameter("lockstep", false, "After each message, wait for the command that answers it.")
      .parameter("mustListen", false,
                 "That nothing can listen on the address is an error, not a warning; with lockstep it always is.")
      .parameter(
          "enableGravityCompensation", true,
          "While nobody drives, add the torques that hold the robot against gravity. Has no effect on robots with "
          "a floating base.")
      .parameter("sensors", mortise::ParameterType::stringList,
                 "Sensors whose values are sent, by name; when absent, all.")
      .parameter("timeout", 10.0,
                 "Longest wait for a command in lockstep, for the rest of a message, and for a client that neither "
                 "takes what it is sent nor sends anything.",
                 {.min = 0.001, .max = 1e6, .unit = "s"})
      .parameter("connectTimeout", 60.0, "Longest wait for a client in lockstep.",
                 {.min = 0.001, .max = 1e6, .unit = "s"})
      .parameter("maxMessageSize", 1 << 20, "Longest message that is taken from a client, bytes.",
                 {.min = 64, .max = 1 << 30});
}
