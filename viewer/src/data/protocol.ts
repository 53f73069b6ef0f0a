// The viewer's protocol. Generated from what workbench/mortise/viewer/protocol/ declares:
// MORTISE_UPDATE_PROTOCOL=1 test_workbench_viewer --gtest_filter=ViewerProtocol.* writes it.
import type {Overlay, SensorDescription} from './log';

/** Bytes before a record of a packet, and what its end is padded to. */
export const RECORD_HEAD = 16;
export const RECORD_ALIGNMENT = 8;
/** Records from this channel on are images, in the order of the cameras. */
export const FIRST_IMAGE = 1000;
/** Friction of contacts unless a page says another one. */
export const PICKED_FRICTION = 0.5;
/** Of `discretize`, unless a page says another one, rad or m. */
export const RESOLUTION = 0.01;
export const KEPT_KINDS = ['configuration', 'configurations', 'trajectory', 'ik_goal', 'hold', 'stance', 'grasp', 'transform', 'vector3', 'geometry'] as const;
export const GOAL_POSITIONS = ['free', 'plane', 'line', 'point'] as const;
export const GOAL_ROTATIONS = ['free', 'two_axis', 'axis', 'fixed'] as const;

export interface PoseCommon {
  n?: number;  // The number that the answer carries, too.
  gesture?: number;  // Messages of one gesture are undone in one step; -1: each is a step.
  robot?: number;  // The robot that is meant, and whose balance is told.
  balance?: boolean;  // The answer tells whether the robot balances.
  held?: number;  // The resource whose contacts balance is about, in place of what the robot touches.
}

/** To a running simulation or a log. */
export type LiveRequest =
  | {type: 'play'}
  | {type: 'pause'}
  | {
      type: 'step';
      count?: number;  // Steps of a simulation that is paused by that.
    }
  | {
      type: 'speed';
      speed: number;  // Simulated seconds in a second; 0: as many as there can be.
    }
  | {
      type: 'pull';
      id: number;  // The object or link that is pulled.
      point: number[];  // Where the spring holds it, in its frame.
      target: number[];  // The other end of the spring, in the world.
    }
  | {type: 'release'}
  | {
      type: 'go';
      tick?: number;  // The instant as a number of steps.
      time?: number;  // The instant as a time, where there is no `tick`.
      pause?: boolean;  // The simulation is paused there.
    }
  | {
      type: 'command';
      entry: string;  // As `commands` of a pipeline have it, but without its time; JSON.
    };

export type PoseRequest =
  | {
      type: 'driver';
      driver: number;  // Of the robot.
      value: number;  // Within the driver's limits, rad or m.
    }
  | {
      type: 'link';
      link: number;  // Of the robot.
      value: number;  // Within the link's limits, rad or m.
    }
  | {
      type: 'drag';
      link: number;  // Of the robot.
      point: number[];  // In the link's frame.
      target: number[];  // In the world.
      hold?: boolean;  // The point becomes a goal where it is dragged to.
      base?: boolean;  // A base that floats moves, too.
    }
  | {
      type: 'place';
      object?: number;  // That is placed; without it, the robot's base is.
      T: number[];  // Twelve numbers: a rotation by rows and a position (m).
    }
  | {
      type: 'configuration';
      q: number[];  // One number a link of the robot, rad or m.
    }
  | {
      type: 'pin';
      link: number;  // Of the robot.
      point?: number[];  // In the link's frame; without it, the link's pose is held.
    }
  | {
      type: 'goal';
      goal: number;  // That is changed.
      position?: 'free' | 'plane' | 'line' | 'point';  // How its point is held.
      rotation?: 'free' | 'two_axis' | 'axis' | 'fixed';  // How its link may turn.
      point?: number[];  // Of the link, in its frame.
      direction?: number[];  // The plane's normal, or along the line, in the frame of the destination.
      axis?: number[];  // Of the link, in its frame.
      destination?: number;  // The link that the goal is relative to; -1: the world.
    }
  | {
      type: 'unpin';
      goal: number;  // That holds no more.
    }
  | {type: 'solve'}
  | {type: 'mirror'}
  | {
      type: 'store';
      kind: 'configuration' | 'configurations' | 'trajectory' | 'ik_goal' | 'hold' | 'stance' | 'grasp' | 'transform' | 'vector3' | 'geometry';  // Of the resource.
      name?: string;  // Of the resource; empty: its kind.
      resource?: number;  // That gets the pose; without it, there is a new one.
      link?: number;  // That is selected; -1: none.
      object?: number;  // That is selected; -1: none.
      id?: number;  // Of what is selected and has a shape; -1: nothing.
      flat?: number;  // A stance is on flat ground at the robot's lowest point: what of links is so near touches.
      friction?: number;  // Of contacts with flat ground.
    }
  | {
      type: 'touch';
      distance: number;  // Of surfaces that touch.
    }
  | {
      type: 'balance';
      resource?: number;  // The hold or stance that it stands by, in place of what it touches.
    }
  | {type: 'save'}
  | {type: 'undo'}
  | {type: 'redo'}
  | {
      type: 'load';
      resource: number;  // That is meant, by its place in the list.
      at?: number;  // The milestone of a path.
    }
  | {
      type: 'set';
      resource: number;  // That is meant, by its place in the list.
      values: number[];  // Of what is nothing but numbers.
    }
  | {
      type: 'rename';
      resource: number;  // That is meant, by its place in the list.
      name: string;  // The new one; where another resource has it, a number comes behind it.
    }
  | {
      type: 'erase';
      resource: number;  // That is meant, by its place in the list.
    }
  | {
      type: 'convert';
      resource: number;  // That is meant, by its place in the list.
      to: string;  // The kind that a copy becomes.
    }
  | {
      type: 'path';
      resource: number;  // That is meant, by its place in the list.
    }
  | {
      type: 'milestone';
      resource: number;  // That is meant, by its place in the list.
      action: 'insert' | 'replace' | 'delete' | 'move';  // Done with the milestone.
      at: number;  // The milestone.
      to?: number;  // The place that it moves to.
    }
  | {
      type: 'split';
      resource: number;  // That is meant, by its place in the list.
      at: number;  // The milestone that both parts have.
    }
  | {
      type: 'reverse';
      resource: number;  // That is meant, by its place in the list.
    }
  | {
      type: 'retime';
      resource: number;  // That is meant, by its place in the list.
      duration?: number;  // Of the motion; without it, as fast as the links' limits allow.
    }
  | {
      type: 'discretize';
      resource: number;  // That is meant, by its place in the list.
      resolution?: number;  // That straight lines between milestones are from a smooth curve, rad or m.
    }
  | {
      type: 'optimize';
      resource: number;  // That is meant, by its place in the list.
    }
  | {
      type: 'check';
      resource: number;  // That is meant, by its place in the list.
    }
  | {
      type: 'contact';
      origin: number[];  // Of the rays, in the world.
      direction?: number[];  // Of one ray.
      patch?: number[][];  // Directions to the corners of a patch, in place of one ray.
      face?: boolean;  // The corners of the plane face that the ray meets, in place of the point.
      id?: number;  // Whose surface is picked; -1: the first that the ray meets.
      link?: number;  // That is held, where the surface is none of its robot; -1: none.
      friction?: number;  // Of the contacts.
      resource?: number;  // The hold or stance that gets them; without it, there is a new hold.
    }
  | {
      type: 'contact_erase';
      resource: number;  // That is meant, by its place in the list.
      hold: number;  // Of a stance, by its place.
      contact: number;  // Of the hold, by its place.
    }
  | {
      type: 'clean';
      resource: number;  // That is meant, by its place in the list.
      distance?: number;  // Contacts so near become one.
      normal?: number;  // Normals that differ no more are equal.
    }
  | {
      type: 'friction';
      resource: number;  // That is meant, by its place in the list.
      value: number;  // Of all contacts.
    }
  | {
      type: 'fingers';
      resource: number;  // That is meant, by its place in the list.
      link?: number;  // The palm; -1: the links that the grasp holds.
    }
  | {
      type: 'finger';
      resource: number;  // That is meant, by its place in the list.
      link: number;  // Of the finger.
      value?: number;  // That it is put to, rad or m.
      erase?: boolean;  // The grasp no longer keeps it.
    }
  | {
      type: 'simplify';
      resource: number;  // That is meant, by its place in the list.
      cell?: number;  // Size of cells within which corners become one.
    }
  | {
      type: 'mesh';
      resource: number;  // That is meant, by its place in the list.
    };

/** To a posed world. */
export type PoseMessage = PoseCommon & PoseRequest;

/** To a program that shows something in the page. */
export type ProgramRequest =
  | {
      type: 'control';
      id: string;  // Of the control.
      number?: number;  // Of a slider or a number.
      checked?: boolean;  // Of a checkbox.
      text?: string;  // Of a text, or the option of a select.
    }
  | {
      type: 'dragged';
      name: string;  // Of the drawing.
      T: number[];  // Twelve numbers: a rotation by rows and a position (m).
      done?: boolean;  // The drag has ended.
    }
  | {
      type: 'picked';
      origin: number[];  // Of the ray from the eye, in the world.
      direction: number[];  // Of the ray.
      id?: number;  // Of the body that was hit; -1: none.
    };

/** All that pages say. */
export type PageMessage =
  | {type: 'drawn'}
  | LiveRequest
  | PoseMessage
  | ProgramRequest;

export interface Channel {
  topic: string;  // As in logs.
  columns: string[];  // Names of the numbers of a sample.
}

export interface Hello {
  type: 'hello';
  channels: Channel[];  // By number.
  sensors: SensorDescription[];  // As in logs.
  from?: number;  // Up to this tick pages know the run from its log.
  can_go_on?: boolean;  // A recorded run can go on.
}

export interface Status {
  type: 'status';
  paused: boolean;  // The simulation waits.
  over: boolean;  // What was asked for is done.
  speed: number;  // Simulated seconds in a second; 0: as many as there can be.
  can_go_back: boolean;  // The run can go on from an earlier instant.
  can_step?: boolean;  // Steps are made where a page wants them.
  watched?: boolean;  // The motion comes from elsewhere.
  fault: string;  // Of the simulation; empty: none.
}

export interface Cut {
  type: 'cut';
  tick: number;  // The last one that stays.
}

export interface Problem {
  type: 'problem';
  text: string;  // For people.
  n?: number;  // Of the message that was refused.
}

export interface Reload {
  type: 'reload';
}

export interface Version {
  type: 'version';
  version: number;  // Of the session; pages that began with another one load again.
}

export interface PosedGoal {
  robot: number;  // That has it.
  link: number;  // That is held.
  kind: string;  // In one word: pose, point, rotation or goal.
  position: 'free' | 'plane' | 'line' | 'point';  // How its point is held.
  rotation: 'free' | 'two_axis' | 'axis' | 'fixed';  // How its link may turn.
  point: number[];  // Of the link, in its frame (m).
  direction: number[];  // The plane's normal, or along the line, in the frame of the destination.
  axis: number[];  // Of the link, in its frame.
  destination: number;  // The link that it is relative to; -1: the world.
  at: number[];  // Where its point is, in the world (m).
  target: number[];  // Where its point is to be, in the world (m).
}

export interface PosedHold {
  link: number;  // That is held.
  contacts: number[][];  // A point (m), a normal into the link, and friction: seven numbers.
}

export interface ListedResource {
  name: string;  // Of the resource.
  kind: string;  // As files say it.
  editable: boolean;  // It is a path whose milestones can be edited.
  milestones?: number;  // How many it has.
  times?: number[];  // Of its milestones (s).
  values?: number[];  // Of what is nothing but a few numbers.
  fingers?: [number, number][];  // Links that a grasp keeps, and where.
  triangles?: number;  // Of a shape.
  holds?: PosedHold[];  // Of a hold or stance.
  convertible: string[];  // Kinds that it can become.
}

export interface PosedDriver {
  name: string;  // Of the driver.
  min: number | null;  // Limit, rad or m; null: none.
  max: number | null;  // Limit, rad or m; null: none.
}

export interface PosedLink {
  min: number | null;  // Limit, rad or m; null: none.
  max: number | null;  // Limit, rad or m; null: none.
  parent: number;  // -1: the world.
}

export interface PosedRobot {
  name: string;  // Of the robot.
  base: 'fixed' | 'floating' | 'planar';  // How it moves.
  base_link: number;  // The last link of a base that moves; -1: none.
  drivers: PosedDriver[];  // In their order.
  links: PosedLink[];  // In their order.
  driver_of_link: number[];  // What moves each link; -1: nothing.
}

export interface Motion {
  times: number[];  // Of its milestones (s).
  configurations: number[][];  // One number a link.
}

export interface Torques {
  balanced: boolean;  // There are contact forces that hold the robot.
  within_limits?: boolean;  // Motors can bear what they ask for.
  utilization?: (number | null)[];  // Of the limit of each driver; null where there is none.
  largest_utilization?: number;  // Of all links.
  largest_link?: string;  // That has it.
}

export interface PosedBalance {
  balanced: boolean;  // Contacts can hold the robot.
  margin: number | null;  // The center of mass is so far inside (m); null: everywhere, or nowhere.
  polygon: [number, number][];  // Corners of the region that the center of mass may be over (m).
  rays: [number, number][];  // Directions in which the region never ends.
  bounded: boolean;  // The region is all within its corners.
  half_planes: number[][];  // Whose intersection the region is: a normal and an offset (m).
  area: number | null;  // Of the region (m^2); null: infinite.
  com: number[];  // The center of mass (m).
  points: number[][];  // Of the contacts (m).
  axes: number[][];  // Two, in which the region is told.
  forces?: number[][];  // On the robot (N), one a contact; missing where it does not balance.
  fixed: boolean;  // The base is fixed to the world.
  torques: Torques;  // Of motors at rest.
  touch: number;  // Surfaces that are no farther apart touch (m).
}

export interface Triangles {
  points: number[];  // Three numbers each (m).
  triangles: number[];  // Three points each.
}

export interface State {
  type: 'state';
  n?: number;  // Of the message that is answered.
  q: number[][];  // By robot, one number a link.
  drivers: number[][];  // By robot, one number a driver.
  objects: number[][];  // A rotation by rows and a position (m) each.
  goals: PosedGoal[];  // That hold.
  collisions: [number, number][];  // Pairs of ids.
  limits: number[];  // Ids of links at a limit.
  touch: number;  // Surfaces that are no farther apart touch (m).
  undo: number;  // Steps that can be undone.
  redo: number;  // Steps that can be done again.
  solved?: boolean;  // All goals hold.
  residual?: number;  // Of goals, m and rad.
  problem?: string;  // Why nothing was done.
  text?: string;  // What was done, for people.
  added?: number;  // The place of a new resource.
  resources?: ListedResource[];  // All of them.
  robots?: PosedRobot[];  // At the beginning.
  can_save?: boolean;  // There is a place to save resources to.
  path?: Motion;  // That was asked for.
  faults?: string[];  // Of a path that was checked.
  balance?: PosedBalance;  // That was asked for.
  mesh?: Triangles;  // That was asked for.
}

export interface CommandedSetting {
  name: string;  // Of the setting.
  value: string;  // As JSON.
  changeable: boolean;  // It can change while its component runs.
  kind: string;  // Of its value: boolean, integer, real, string, list, map or any.
  unit: string;  // Of its numbers; empty: none.
  help: string;  // What it means.
  min: number | null;  // Bound; null: none.
  max: number | null;  // Bound; null: none.
  choices: string[];  // The values that it may have; empty: any.
}

export interface KnownCommand {
  name: string;  // Of the command.
  help: string;  // Its arguments, and what it does.
}

export interface CommandedSensor {
  name: string;  // Of the sensor.
  kind: string;  // Its type.
  rate: number;  // Measurements in a simulated second (Hz).
  enabled: boolean;  // It measures.
  settings: CommandedSetting[];  // Of the sensor.
}

export interface CommandedDriver {
  name: string;  // Of the driver.
  unit: string;  // Of its value: rad or m.
  number: number;  // Its index.
  min: number | null;  // Limit; null: none.
  max: number | null;  // Limit; null: none.
  links: number[];  // Links that it moves, by index.
  scale: number[];  // Of each of them, from its value to the link's.
  offset: number[];  // Of each of them.
  servo_p: number;  // Gain of its servo.
  servo_i: number;  // Gain of its servo.
  servo_d: number;  // Gain of its servo.
}

export interface CommandedRobot {
  name: string;  // Of the robot.
  controller: string;  // Type of its controller.
  rate: number;  // Of the controller (Hz).
  settings: CommandedSetting[];  // Of the controller.
  commands: KnownCommand[];  // Of the controller.
  sensors: CommandedSensor[];  // In their order.
  drivers: CommandedDriver[];  // In their order.
  send: string;  // The command that takes a posed configuration; empty: there is none.
}

export interface EditableBody {
  name: string;  // As edits name it.
  kind: string;  // terrain, object, robot or link.
  mass?: number;  // kg; missing where it has none of its own.
  friction?: number;  // Of its surface; missing where it has none of its own.
}

export interface Controllers {
  type: 'controllers';
  robots: CommandedRobot[];  // In their order.
  bodies: EditableBody[];  // By id.
}

export interface ProgramControl {
  id: string;  // By which pages name it.
  kind: 'button' | 'slider' | 'number' | 'checkbox' | 'select' | 'text' | 'label';  // How it is shown.
  label: string;  // Shown beside it.
  group: string;  // Controls of one group stand together under its name; empty: none.
  enabled: boolean;  // People can use it.
  number?: number;  // Value of a slider or a number.
  min?: number;  // Of the number.
  max?: number;  // Of the number.
  step?: number;  // Between neighboring numbers.
  checked?: boolean;  // Value of a checkbox.
  text?: string;  // Value of a text, chosen option of a select, or what a label says.
  hint?: string;  // Shown where the mouse rests.
  options?: string[];  // Of a select.
}

export interface Controls {
  type: 'controls';
  title: string;  // Of the panel.
  controls: ProgramControl[];  // All of them.
}

export interface Drawing {
  name: string;  // No other drawing has it.
  kind: 'points' | 'lines' | 'frame' | 'mesh' | 'text';  // Its kind.
  color: string;  // As #rrggbb.
  opacity: number;  // From 0 to 1.
  size: number;  // Of points and lines in pixels, of frames and texts in meters.
  visible: boolean;  // It is drawn.
  drag: 'none' | 'point' | 'pose';  // How people can move it.
  T: number[];  // Its pose: a rotation by rows and a position (m).
  points?: string;  // Of points, of lines two for each piece, of a mesh its corners: three floats each.
  colors?: string;  // Of points: four bytes each.
  triangles?: string;  // Of a mesh: three indices each.
  text?: string;  // That stands there.
}

export interface DrawingPose {
  name: string;  // Of the drawing.
  T: number[];  // A rotation by rows and a position (m).
}

export interface Drawings {
  type: 'drawings';
  drawings: Drawing[];  // New ones, and those in the place of others of their name.
  poses: DrawingPose[];  // Of drawings that moved.
  removed: string[];  // Names of those that are gone.
}

export interface BodyStyle {
  id: number;  // Of the body.
  hidden: boolean;  // It is not drawn.
  color?: string;  // That marks it, as #rrggbb.
}

export interface Bodies {
  type: 'bodies';
  bodies: BodyStyle[];  // All that look otherwise.
}

export interface Camera {
  type: 'camera';
  position: number[];  // Of the eye (m).
  target: number[];  // The point that it turns about (m).
}

/** All that pages are told. */
export type ServerMessage = Hello | Status | Cut | Problem | Reload | Version | State | Controllers | Controls | Drawings | Bodies | Camera;

export interface ListedLog {
  name: string;  // Shown in the page.
  path: string;  // The address of its file.
  overlays?: Overlay[];  // Drawn besides.
}

export interface LogList {
  session: '' | 'live' | 'log' | 'pose';  // What pages take part in.
  version: number;  // Of the session; pages of another one load again.
  logs: ListedLog[];  // That are shown.
}

// What the fields of messages and of their parts are; a question mark: one may be missing.

export const MESSAGE_SHAPES: Record<string, Record<string, string>> = {
  hello: {channels: 'Channel[]', sensors: 'any[]', from: 'number?', can_go_on: 'boolean?'},
  status: {paused: 'boolean', over: 'boolean', speed: 'number', can_go_back: 'boolean', can_step: 'boolean?', watched: 'boolean?', fault: 'string'},
  cut: {tick: 'number'},
  problem: {text: 'string', n: 'number?'},
  reload: {},
  version: {version: 'number'},
  state: {n: 'number?', q: 'number[][]', drivers: 'number[][]', objects: 'number[][]', goals: 'PosedGoal[]', collisions: 'number[][]', limits: 'number[]', touch: 'number', undo: 'number', redo: 'number', solved: 'boolean?', residual: 'number?', problem: 'string?', text: 'string?', added: 'number?', resources: 'ListedResource[]?', robots: 'PosedRobot[]?', can_save: 'boolean?', path: 'Motion?', faults: 'string[]?', balance: 'PosedBalance?', mesh: 'Triangles?'},
  controllers: {robots: 'CommandedRobot[]', bodies: 'EditableBody[]'},
  controls: {title: 'string', controls: 'ProgramControl[]'},
  drawings: {drawings: 'Drawing[]', poses: 'DrawingPose[]', removed: 'string[]'},
  bodies: {bodies: 'BodyStyle[]'},
  camera: {position: 'number[]', target: 'number[]'},
};

export const PART_SHAPES: Record<string, Record<string, string>> = {
  Channel: {topic: 'string', columns: 'string[]'},
  PosedGoal: {robot: 'number', link: 'number', kind: 'string', position: '=free|plane|line|point', rotation: '=free|two_axis|axis|fixed', point: 'number[]', direction: 'number[]', axis: 'number[]', destination: 'number', at: 'number[]', target: 'number[]'},
  PosedHold: {link: 'number', contacts: 'number[][]'},
  ListedResource: {name: 'string', kind: 'string', editable: 'boolean', milestones: 'number?', times: 'number[]?', values: 'number[]?', fingers: 'number[][]?', triangles: 'number?', holds: 'PosedHold[]?', convertible: 'string[]'},
  PosedDriver: {name: 'string', min: 'number|null', max: 'number|null'},
  PosedLink: {min: 'number|null', max: 'number|null', parent: 'number'},
  PosedRobot: {name: 'string', base: '=fixed|floating|planar', base_link: 'number', drivers: 'PosedDriver[]', links: 'PosedLink[]', driver_of_link: 'number[]'},
  Motion: {times: 'number[]', configurations: 'number[][]'},
  Torques: {balanced: 'boolean', within_limits: 'boolean?', utilization: 'number|null[]?', largest_utilization: 'number?', largest_link: 'string?'},
  PosedBalance: {balanced: 'boolean', margin: 'number|null', polygon: 'number[][]', rays: 'number[][]', bounded: 'boolean', half_planes: 'number[][]', area: 'number|null', com: 'number[]', points: 'number[][]', axes: 'number[][]', forces: 'number[][]?', fixed: 'boolean', torques: 'Torques', touch: 'number'},
  Triangles: {points: 'number[]', triangles: 'number[]'},
  CommandedSetting: {name: 'string', value: 'string', changeable: 'boolean', kind: 'string', unit: 'string', help: 'string', min: 'number|null', max: 'number|null', choices: 'string[]'},
  KnownCommand: {name: 'string', help: 'string'},
  CommandedSensor: {name: 'string', kind: 'string', rate: 'number', enabled: 'boolean', settings: 'CommandedSetting[]'},
  CommandedDriver: {name: 'string', unit: 'string', number: 'number', min: 'number|null', max: 'number|null', links: 'number[]', scale: 'number[]', offset: 'number[]', servo_p: 'number', servo_i: 'number', servo_d: 'number'},
  CommandedRobot: {name: 'string', controller: 'string', rate: 'number', settings: 'CommandedSetting[]', commands: 'KnownCommand[]', sensors: 'CommandedSensor[]', drivers: 'CommandedDriver[]', send: 'string'},
  EditableBody: {name: 'string', kind: 'string', mass: 'number?', friction: 'number?'},
  ProgramControl: {id: 'string', kind: '=button|slider|number|checkbox|select|text|label', label: 'string', group: 'string', enabled: 'boolean', number: 'number?', min: 'number?', max: 'number?', step: 'number?', checked: 'boolean?', text: 'string?', hint: 'string?', options: 'string[]?'},
  Drawing: {name: 'string', kind: '=points|lines|frame|mesh|text', color: 'string', opacity: 'number', size: 'number', visible: 'boolean', drag: '=none|point|pose', T: 'number[]', points: 'string?', colors: 'string?', triangles: 'string?', text: 'string?'},
  DrawingPose: {name: 'string', T: 'number[]'},
  BodyStyle: {id: 'number', hidden: 'boolean', color: 'string?'},
  ListedLog: {name: 'string', path: 'string', overlays: 'any[]?'},
  LogList: {session: '=|live|log|pose', version: 'number', logs: 'ListedLog[]'},
};
