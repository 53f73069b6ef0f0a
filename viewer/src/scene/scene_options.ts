// Switches of the scene: what the page's bar sets and what a view is kept with. `View.options` holds them and honors each at once.
import {Events} from '../data/events';

/** Shapes of bodies: as they look, as they collide, or collision shapes translucent over the others. */
export type ShapesShown = 'visual' | 'collision' | 'both';
export type Projection = 'perspective' | 'orthographic';
export type ThemeChoice = 'system' | 'light' | 'dark';
export type Axis = 'x' | 'y' | 'z';

/** Directions to look from, along the axes of the world; `corner` is the view that a page begins with. Used by `View.look`. */
export const PRESETS = ['corner', 'front', 'back', 'left', 'right', 'top', 'bottom'] as const;
export type Preset = (typeof PRESETS)[number];

/** Cuts away what is beyond `at` along an axis of the world, or what is before it where it is flipped. Floor and lines stay. */
export interface Section { axis: Axis; at: number; flipped: boolean }

/** Everything that is switched; plain data, so that it can be kept and put into an address. */
export interface SceneValues {
  shapes: ShapesShown;
  projection: Projection;
  /** Colors of sky, floor and light; `system`: as the browser prefers. */
  theme: ThemeChoice;
  /** Every contact point with its own force, in place of one arrow a pair of bodies. */
  contactPoints: boolean;
  /** Sharp edges of bodies are drawn as lines. */
  edges: boolean;
  section: Section | null;
  /** Entity whose motion the camera takes part in; -1: none. */
  follow: number;
  /** A picture at rest is refined until soft shadows and edges are smooth. Off saves power. */
  refined: boolean;
  /** Opacities of bodies that are not drawn as their files say, by entity: 0 to 1. */
  opacity: Record<number, number>;
}

export const OPTIONS_AT_FIRST: Readonly<SceneValues> = {
  shapes: 'visual', projection: 'perspective', theme: 'system', contactPoints: false, edges: false, section: null, follow: -1, refined: true,
  opacity: {},
};

/** The switches of one scene. `events` tells which one changed, after it did. */
export class SceneOptions {
  readonly events = new Events<{change: keyof SceneValues}>();
  private current: SceneValues = {...OPTIONS_AT_FIRST};

  get values(): Readonly<SceneValues> { return this.current; }

  get<Name extends keyof SceneValues>(name: Name): SceneValues[Name] { return this.current[name]; }

  set<Name extends keyof SceneValues>(name: Name, value: SceneValues[Name]): void {
    if (JSON.stringify(this.current[name]) === JSON.stringify(value)) return;
    this.current = {...this.current, [name]: value};
    this.events.emit('change', name);
  }

  opacityOf(id: number): number { return this.current.opacity[id] ?? 1; }

  /** Of one body or of several; 1: as its file says. */
  setOpacity(ids: number | number[], value: number): void {
    const opacity = {...this.current.opacity}, bounded = Math.min(Math.max(Number.isFinite(value) ? value : 1, 0), 1);
    for (const id of Array.isArray(ids) ? ids : [ids]) {
      if (bounded === 1) delete opacity[id];
      else opacity[id] = bounded;
    }
    this.set('opacity', opacity);
  }

  /** What differs from the beginning; `restore` takes it. */
  kept(): Partial<SceneValues> {
    return Object.fromEntries(Object.entries(this.current).filter(
        ([name, value]) => JSON.stringify(value) !== JSON.stringify(OPTIONS_AT_FIRST[name as keyof SceneValues])));
  }

  /** Takes what was kept, perhaps by hand: what is unknown or of another type is passed over. */
  restore(kept: unknown): void {
    if (typeof kept !== 'object' || kept === null) return;
    const given = kept as Record<string, unknown>;
    const word = <T extends string>(value: unknown, words: readonly T[]): T | undefined => words.find((w) => w === value);
    const put = <Name extends keyof SceneValues>(name: Name, value: SceneValues[Name] | undefined) => {
      if (value !== undefined) this.set(name, value);
    };
    put('shapes', word(given.shapes, ['visual', 'collision', 'both'] as const));
    put('projection', word(given.projection, ['perspective', 'orthographic'] as const));
    put('theme', word(given.theme, ['system', 'light', 'dark'] as const));
    for (const name of ['contactPoints', 'edges', 'refined'] as const)
      if (typeof given[name] === 'boolean') this.set(name, given[name]);
    if (Number.isInteger(given.follow)) this.set('follow', given.follow as number);
    if (given.section !== undefined) put('section', sectionOf(given.section));
    if (typeof given.opacity === 'object' && given.opacity !== null)
      for (const [id, value] of Object.entries(given.opacity))
        if (Number.isInteger(Number(id)) && typeof value === 'number') this.setOpacity(Number(id), value);
  }
}

function sectionOf(given: unknown): Section | null {
  const {axis, at, flipped} = (given ?? {}) as Partial<Section>;
  return (axis === 'x' || axis === 'y' || axis === 'z') && typeof at === 'number' && Number.isFinite(at) ? {axis, at, flipped: flipped === true} : null;
}

/** A line of the legend: what a color or a sign in the scene means, and its unit or scale. */
export interface LegendEntry {
  sign: 'body' | 'arrow' | 'line' | 'point';
  /** As CSS has it. */
  color: string;
  label: string;
  /** For an arrow, say: "0.2 m = 120 N". */
  scale?: string;
}

/**
 * What a page asks of the view besides these switches; `View` has all of it:
 *
 * - `options: SceneOptions`, the switches;
 * - `look(preset)`: looks at the same place from a preset's direction;
 * - `fit()`: looks at everything that moves, or at what is selected;
 * - `offers()`: which switches mean something in this world;
 * - `legend()`: what colors and arrows mean now, with units;
 * - `sectionRange(axis)`: where a section cuts something;
 * - `toScreen(point)`: CSS pixels in the canvas of a point of the world, for labels; null behind the camera;
 * - `pointAt(x, y)`: what is at CSS pixels of the canvas, and where in the world, for measuring;
 * - `finishedPicture()`: the picture as a PNG when it is refined; `picture()`: at once;
 * - `events` `drawn`: after each picture whose camera or bodies are not those of the one before, for labels.
 */
export interface SceneQueries {
  look(preset: Preset): void;
  fit(): void;
  offers(): {shapes: boolean; contacts: boolean; section: boolean};
  legend(): LegendEntry[];
  sectionRange(axis: Axis): [number, number];
  toScreen(point: ArrayLike<number>): [number, number] | null;
  pointAt(x: number, y: number): {id: number; point: [number, number, number]} | null;
  finishedPicture(): Promise<string>;
}
