// The beginning of a page: what it shows is read while the graphics start.
import {render} from 'preact';
import {LiveClient} from './data/live_client';
import {type Source, loadLogs, openChosen} from './data/sources';
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

/** Shows logs in `root`: `canvas` has begun to be made. */
function show(root: HTMLElement, source: Source, canvas: HTMLCanvasElement, onParts: (parts: PageParts) => void): void {
  const {session, token, version, logs} = source, stage = document.createElement('div');
  stage.className = 'stage';
  stage.append(canvas);
  let place = () => undefined as void;
  const placed = new Promise<void>((done) => (place = done));
  // The server speaks while the shapes are read.
  const client = session === 'live' || session === 'log' ? new LiveClient(token, version, logs[0], () => drawn(placed)) : null;
  const view = makeView(canvas);
  const open = session === '' || session === 'log' ? (files: readonly File[]) => openInstead(root, files, parts, onParts) : null;
  const parts: PageParts = {source, stage, view, client, posing: session === 'pose' ? new PoseClient(token) : null, placed, place, open};
  root.textContent = '';
  document.title = logs.map((log) => log.name).join(', ') + ' - Mortise';
  render(<App {...parts} />, root);
  onParts(parts);
}

/** Shows logs of the user's disk in place of what is shown; throws, and shows what it did, where that is not possible. */
async function openInstead(root: HTMLElement, files: readonly File[], {view, client}: PageParts, onParts: (parts: PageParts) => void): Promise<void> {
  const source = await openChosen(files);
  delete document.body.dataset.ready;
  client?.end();
  render(null, root);
  view.end();
  try {
    show(root, source, makeCanvas(), onParts);
  } catch (error) {
    fail(root, error);
  }
}

/** Gives `onParts` the parts of the page that is shown in `root`, and of each that takes its place. */
export async function startPage(root: HTMLElement, onParts: (parts: PageParts) => void = () => undefined): Promise<void> {
  startTheme();
  const waiting = document.createElement('p');
  waiting.className = 'reading';
  waiting.textContent = 'Reading ...';
  root.replaceChildren(waiting);
  const loading = loadLogs();
  // The graphics start while the server answers.
  const canvas = makeCanvas();
  try {
    show(root, await loading, canvas, onParts);
  } catch (error) {
    fail(root, error);
  }
}
