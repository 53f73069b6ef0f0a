// Actions of the mouse on a posed world: drags of links and objects, turned drivers, picked surfaces.
import {useEffect, useLayoutEffect, useRef} from 'preact/hooks';
import {useEvent} from '../page/use_event';
import type {Posing} from './posing';

/** Of a driver that is turned by the right button, for a pixel: rad or m, and no more than this share of its range. */
const TURN = 0.02, TURN_SHARE = 0.01;

/** Where an object is when a point of it is at `target`. */
function placed(pose: ArrayLike<number>, point: number[], target: number[]): number[] {
  const T = Array.from(pose);
  for (let i = 0; i < 3; ++i)
    T[9 + i] = target[i] - (T[3 * i] * point[0] + T[3 * i + 1] * point[1] + T[3 * i + 2] * point[2]);
  return T;
}

function useDrags(posing: Posing): void {
  const {view, client: {gestures}, panel, log} = posing;
  useEvent(view.events, 'pull', ({id, point, target}) => {
    const robot = posing.robotOfLink(id);
    if (robot < 0) {
      gestures.move({type: 'place', object: posing.objectOf(id), T: placed(log.poses.get(id)!, point, target)});
      return;
    }
    const link = posing.links(robot).findIndex((l) => l.id === id);
    gestures.move({type: 'drag', robot, link, point, target, base: panel.baseMoves, hold: panel.leavesGoals});
  });
  useEvent(view.events, 'release', (id) => {
    if (posing.robotOfLink(id) >= 0) posing.endDrag();
    else gestures.end();
  });
}

/** The driver of a link follows the mouse. */
function useTurns(posing: Posing): void {
  const {view, client: {gestures}, robots} = posing;
  const turned = useRef({robot: 0, driver: -1, from: 0, perPixel: 0});
  const driverOf = (id: number) => {
    const robot = posing.robotOfLink(id);
    return {robot, driver: robots[robot]?.driver_of_link[posing.links(robot).findIndex((l) => l.id === id)] ?? -1};
  };
  useEffect(() => {
    view.turnable = new Set(posing.entities.map((e) => e.id).filter((id) => driverOf(id).driver >= 0));
  }, [robots]);
  useEvent(view.events, 'turnStart', (id) => {
    const {robot, driver} = driverOf(id), {min, max} = robots[robot].drivers[driver];
    const perPixel = Math.min(TURN, TURN_SHARE * ((max ?? Infinity) - (min ?? -Infinity)));
    turned.current = {robot, driver, from: posing.state?.drivers[robot][driver] ?? 0, perPixel};
    gestures.end();
  });
  useEvent(view.events, 'turn', (pixels) => {
    const {robot, driver, from, perPixel} = turned.current;
    gestures.move({type: 'driver', robot, driver, value: from + perPixel * pixels});
  });
  useEvent(view.events, 'turnEnd', () => posing.endDrag());
}

function usePicks(posing: Posing): void {
  const {view, panel} = posing;
  useLayoutEffect(() => { view.picking = panel.picking; }, [panel.picking]);
  const pick = (surface: {id: number; origin: number[]; direction?: number[]; patch?: number[][]; face?: boolean}) => posing.send({
    type: 'contact', ...surface, friction: panel.friction, ...(posing.link >= 0 ? {link: posing.link} : {}), ...(posing.held === undefined ? {} : {resource: posing.held}),
  });
  useEvent(view.events, 'point', pick);
  useEvent(view.events, 'patch', ({id, origin, corners}) => pick({id, origin, patch: corners}));
}

export function useMouse(posing: Posing): void {
  const {view} = posing;
  useLayoutEffect(() => {
    view.pulls = 'always';
    view.marksPassed = true;
  }, []);
  useDrags(posing);
  useTurns(posing);
  usePicks(posing);
}
