// A world of frames, and which messages of a log are not Mortise's own.
import type {LogFile} from '../log_file';
import type {Channel} from '../mcap_records';
import type {WorldDescription} from '../world';

/** What Mortise writes for other tools says what the page has of its series already. */
const OWN = new Set(['/scene', '/tf', '/joint_states', '/contacts', '/log']), OWN_BEGIN = ['/mortise/', '/camera/', '/laser/'];

const isOwn = ({topic, schema}: Channel): boolean =>
  /^(foxglove|mortise)\./.test(schema?.name ?? '') && (OWN.has(topic) || OWN_BEGIN.some((begin) => topic.startsWith(begin)));

/** Channels that are shown by what their schemas say. `all`: none of them is Mortise's. */
export function channelsBeside(file: LogFile, all: boolean): Channel[] {
  return [...file.index.channels.values()].filter((channel) => channel.schema?.name !== 'mortise.Series' && (all || !isOwn(channel)));
}

/** Klamp't's background: none of its own. */
const BACKGROUND = [0.4, 0.4, 1];

export const worldOfFrames = (name: string, frames: string[]): WorldDescription => ({
  world: name, objects: 'frames', background: BACKGROUND, gravity: [0, 0, 0], robots: [], entities: frames.map((frame, id) => ({id, kind: 'object', name: frame, frame})),
});
