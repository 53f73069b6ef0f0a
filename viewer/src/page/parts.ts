// Parts of a page before it is drawn.
import type {LiveClient} from '../data/live_client';
import type {Source} from '../data/sources';
import type {PoseClient} from '../posing/pose_client';
import type {View} from '../scene/view';

export interface PageParts {
  source: Source;
  /** Has the canvas of `view`. */
  stage: HTMLElement;
  view: View;
  /** Of a running simulation, and of a log that can go on. */
  client: LiveClient | null;
  /** Of a posed world. */
  posing: PoseClient | null;
  /** When the first picture is there. */
  placed: Promise<void>;
  place: () => void;
  /** Shows other logs in place of what is shown; null: this page shows what a server runs. */
  open: ((files: readonly File[]) => Promise<void>) | null;
}

/** What a page shows, as its parts say it. */
export interface PageKind {
  live: boolean;
  recorded: boolean;
  posing: boolean;
  /** A world that does not move has neither times nor plots. */
  still: boolean;
  /** There are times to go to. */
  moves: boolean;
}

export function kindOf({source: {session, logs}}: PageParts): PageKind {
  const live = session === 'live', posing = session === 'pose';
  const start = Math.min(...logs.map((log) => log.start)), end = Math.max(...logs.map((log) => log.end));
  const still = !live && !posing && start === end;
  return {live, posing, recorded: session === 'log', still, moves: !still && !posing};
}
