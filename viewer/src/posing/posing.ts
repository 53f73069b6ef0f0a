// Common state of the parts of the posing panel: the server's world, what is chosen in the panel, and what is selected in the scene.
import {useReducer} from 'preact/hooks';
import type {Link} from '../data/kinematics';
import type {Entity, Log} from '../data/log';
import {type KEPT_KINDS, type ListedResource, type Motion, PICKED_FRICTION, type PosedRobot, type PoseRequest, type State} from '../data/protocol';
import type {HandleMode} from '../scene/marks/handles';
import type {View} from '../scene/view';
import type {PoseClient} from './pose_client';

export interface PanelState {
  robot: number;
  /** The chosen resource, and its milestone; -1: none. */
  chosen: number;
  milestone: number;
  kind: (typeof KEPT_KINDS)[number];
  friction: number;
  /** So near the ground is flat ground, mm. */
  flat: number;
  handles: HandleMode | 'off';
  /** What was touched last: handles are where it is. */
  focus: 'scene' | 'resource';
  baseMoves: boolean;
  leavesGoals: boolean;
  watchesBalance: boolean;
  picking: boolean;
  /** Drags of the robot change the chosen milestone. */
  following: boolean;
  byLink: boolean;
  asNumbers: boolean;
  message: string;
  path: Motion | null;
}

const AT_FIRST: PanelState = {
  robot: 0, chosen: -1, milestone: 0, kind: 'configuration', friction: PICKED_FRICTION, flat: 1, handles: 'move', focus: 'scene', baseMoves: false,
  leavesGoals: false, watchesBalance: false, picking: false, following: false, byLink: false, asNumbers: false, message: '', path: null,
};

export type ChangePanel = (change: Partial<PanelState>) => void;

export const usePanel = (): [PanelState, ChangePanel] => useReducer((old: PanelState, change: Partial<PanelState>) => ({...old, ...change}), AT_FIRST);

type OfResource<Request> = Request extends {resource: number} ? Omit<Request, 'resource'> : never;
/** Edits of the chosen resource. */
export type ResourceEdit = OfResource<PoseRequest>;

export class Posing {
  readonly entities: Entity[];
  readonly robots: PosedRobot[];
  readonly resources: ListedResource[];
  readonly state: State | null;

  constructor(
      readonly client: PoseClient, readonly log: Log, readonly view: View, readonly selected: number, readonly panel: PanelState, readonly change: ChangePanel) {
    this.entities = log.world.entities;
    ({robots: this.robots, resources: this.resources, state: this.state} = client);
  }

  links(robot: number): Link[] { return this.log.robots[robot]?.links ?? []; }
  robotOfLink(id: number): number { return this.log.robots.findIndex((r) => r.links.some((l) => l.id === id)); }
  objectOf(id: number): number { return this.entities.filter((e) => e.kind === 'object').findIndex((e) => e.id === id); }

  get model(): PosedRobot | undefined { return this.robots[this.panel.robot]; }
  get item(): ListedResource | undefined { return this.resources[this.panel.chosen]; }
  /** Of the panel's robot, the link that is selected; -1: none. */
  get link(): number { return this.links(this.panel.robot).findIndex((l) => l.id === this.selected); }
  /** What is selected, for what is kept of it. */
  get selection(): {link?: number; object?: number; id?: number} {
    const {link, selected} = this, object = this.objectOf(selected);
    return {...(link >= 0 ? {link} : {}), ...(object >= 0 ? {object} : {}), ...(selected >= 0 ? {id: selected} : {})};
  }
  /** The chosen resource, where it has contacts. */
  get held(): number | undefined { return this.item?.holds ? this.panel.chosen : undefined; }

  send(request: PoseRequest): void { this.client.send({...request, robot: this.panel.robot}); }
  edit(change: ResourceEdit): void { this.send({...change, resource: this.panel.chosen}); }
  /** An edit while something is dragged. */
  slide(request: PoseRequest): void { this.client.gestures.move({...request, robot: this.panel.robot}); }

  /** Ends a drag of the robot; it may have changed a milestone. */
  endDrag(): void {
    const {following, chosen, milestone, robot} = this.panel;
    const follows = following && this.item?.editable;
    this.client.gestures.end(follows ? {type: 'milestone', action: 'replace', robot, resource: chosen, at: milestone} : undefined);
  }

  choose(resource: number): void { this.change({chosen: resource, focus: 'resource', milestone: 0}); }
  erase(): void {
    // What is gone bears nothing.
    if (this.client.watched) this.client.watched = {robot: this.panel.robot};
    this.edit({type: 'erase'});
    this.change({chosen: -1});
  }
  pin(point?: number[]): void {
    if (this.link >= 0) this.send({type: 'pin', link: this.link, ...(point ? {point} : {})});
    else this.change({message: 'select a link first'});
  }
  unpin(): void {
    const goal = this.state?.goals.findIndex((g) => g.robot === this.panel.robot && g.link === this.link) ?? -1;
    if (goal >= 0) this.send({type: 'unpin', goal});
  }
}
