// What the scene can show besides its shapes: names, pictures, and where each means something.
import type {Page} from '../../page/use_page';
import type {Shown} from '../../scene/shown';
import type {IconName} from '../../ui/icon';

export interface Switch {
  name: keyof Shown;
  label: string;
  icon: IconName;
  hint: string;
  group: 'forces' | 'bodies' | 'world';
  when?: (page: Page) => boolean;
}

/** Logs of other tools have frames alone. */
const hasBodies = ({logs}: Page): boolean => !logs[0].isOfOthers;

const SWITCHES: Switch[] = [
  {name: 'contacts', label: 'contacts', icon: 'arrowUp', hint: 'where bodies touch, and the forces there', group: 'forces',
    when: ({kind, logs}) => kind.moves && logs.some((log) => log.series.has('/mortise/contacts'))},
  {name: 'frames', label: 'frames', icon: 'axes', hint: 'axes of links and objects: x red, y green, z blue', group: 'bodies'},
  {name: 'masses', label: 'centers of mass', icon: 'mass', hint: 'where the mass of links and objects is', group: 'bodies', when: hasBodies},
  {name: 'inertias', label: 'inertias', icon: 'inertia', hint: 'boxes of the same mass and inertia', group: 'bodies', when: hasBodies},
  {name: 'padding', label: 'padding', icon: 'padding', hint: 'how far surfaces reach in contacts', group: 'bodies', when: hasBodies},
  {name: 'wireframe', label: 'wireframe', icon: 'box', hint: 'edges of triangles alone', group: 'bodies', when: hasBodies},
  {name: 'grid', label: 'grid', icon: 'grid', hint: 'lines on the floor', group: 'world'},
  {name: 'trails', label: 'paths', icon: 'path', hint: 'paths of bodies that were asked for', group: 'world', when: ({scene}) => scene.trails > 0},
  {name: 'sensors', label: 'sensors', icon: 'sensors', hint: 'what cameras see, and beams of lasers', group: 'world', when: ({logs}) => logs.some((log) => log.sensors.length > 0)},
  {name: 'commanded', label: 'commanded', icon: 'commanded', hint: 'robots where their controllers want them', group: 'world',
    when: ({kind, logs}) => kind.moves && logs.some((log) => log.robots.length > 0 && log.series.has('/mortise/commands'))},
  {name: 'plans', label: 'plan', icon: 'plan', hint: 'paths and roadmaps of planners', group: 'world', when: ({logs}) => logs.some((log) => log.overlays.length > 0)},
];

/** Those that mean something on this page. */
export const switchesOf = (page: Page): Switch[] => SWITCHES.filter(({when}) => !when || when(page));
