// The beginning of a page: what it shows is read while the graphics start.
import {render} from 'preact';
import {LiveClient} from './data/live_client';
import {loadLogs} from './data/sources';
import {App} from './page/app';
import {type PageParts} from './page/parts';
import {startTheme} from './page/theme';
import {PoseClient} from './posing/pose_client';
import {View, makeCanvas} from './scene/view';

function makeView(canvas: HTMLCanvasElement): View {
  try {
    return new View(canvas);
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : String(error)} The scene needs WebGL, which this browser does not have or has switched off.`);
  }
}

/** Hidden pages draw nothing, and need no more until they are seen again. */
async function drawn(placed: Promise<void>): Promise<void> {
  await placed;
  await new Promise(requestAnimationFrame);
  document.body.dataset.ready = 'true';
}

/** Nothing can be shown but the reason. */
function fail(root: HTMLElement, error: unknown): void {
  const reason = error instanceof Error ? error.message : String(error);
  render(null, root);
  root.textContent = '';
  const message = document.createElement('p');
  message.className = 'failed';
  message.textContent = reason;
  root.append(message);
  document.body.dataset.error = reason;
}

/** The parts of the page that is shown in `root` now; null where there is nothing to show. */
export async function startPage(root: HTMLElement): Promise<PageParts | null> {
  startTheme();
  const waiting = document.createElement('p');
  waiting.className = 'reading';
  waiting.textContent = 'Reading ...';
  root.replaceChildren(waiting);
  const loading = loadLogs();
  // The graphics start while the server answers.
  const canvas = makeCanvas(), stage = document.createElement('div');
  stage.className = 'stage';
  stage.append(canvas);
  try {
    const source = await loading, {session, token, version, logs} = source;
    let place = () => undefined as void;
    const placed = new Promise<void>((done) => (place = done));
    // The server speaks while the shapes are read.
    const client = session === 'live' || session === 'log' ? new LiveClient(token, version, logs[0], () => drawn(placed)) : null;
    const parts = {source, stage, view: makeView(canvas), client, posing: session === 'pose' ? new PoseClient(token) : null, placed, place};
    root.textContent = '';
    document.title = logs.map((log) => log.name).join(', ') + ' - Mortise';
    render(<App {...parts} />, root);
    return parts;
  } catch (error) {
    fail(root, error);
    return null;
  }
}
