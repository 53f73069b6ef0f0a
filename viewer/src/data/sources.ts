// Where logs come from: the page itself (`mortise log html`), or the server that sent the page (`mortise view`).
import {BlobSource, openHttp} from './bytes';
import {Log} from './log';
import {parseLogList} from './messages';
import type {LogList} from './protocol';

function fromBase64(text: string): Uint8Array {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; ++i) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

export interface Source {
  logs: Log[];
  /** What the server lets pages take part in. */
  session: LogList['session'];
  /** Of the session; another one means that there is something else to show. */
  version: number;
  token: string;
  /** It is of files that the user has chosen: no address leads to it. */
  chosen?: boolean;
}

/** Logs that lie on the user's disk: slices of them are read. Throws for what is no log, and for what cannot be shown together. */
export async function openChosen(files: readonly File[]): Promise<Source> {
  const logs = await Promise.all(files.map((file) => Log.open(file.name.replace(/\.mcap$/i, ''), new BlobSource(file))));
  if (logs.length > 1 && logs.some((log) => log.isOfOthers)) throw new Error('Logs of other tools are shown one at a time.');
  return {logs, session: '', version: 0, token: '', chosen: true};
}

export async function loadLogs(): Promise<Source> {
  const embedded = [...document.querySelectorAll<HTMLScriptElement>('script[type="application/mcap+base64"]')];
  if (embedded.length > 0) {
    // A large log is in several blocks of one name.
    const names = [...new Set(embedded.map((block) => block.dataset.name ?? 'log'))];
    const logs = await Promise.all(names.map((name) => {
      const blocks = embedded.filter((block) => (block.dataset.name ?? 'log') === name).map((b) => fromBase64(b.textContent ?? ''));
      const bytes = new Uint8Array(blocks.reduce((sum, block) => sum + block.length, 0));
      let at = 0;
      for (const block of blocks) {
        bytes.set(block, at);
        at += block.length;
      }
      return Log.read(name, bytes);
    }));
    return {logs, session: '', version: 0, token: ''};
  }
  const token = new URLSearchParams(location.hash.slice(1)).get('token');
  if (!token) throw new Error('The address lacks its token: open the whole address that `mortise view` printed.');
  const headers = {Authorization: `Bearer ${token}`};
  const get = async (path: string): Promise<Response> => {
    const response = await fetch(path, {headers});
    if (!response.ok) throw new Error(`${path}: the server answered ${response.status} ${response.statusText}`);
    return response;
  };
  const list = async (): Promise<LogList> => parseLogList(await (await get('logs')).text());
  for (let listed = await list();;) {
    const {session, version} = listed;
    try {
      const logs = await Promise.all(
          listed.logs.map(async ({name, path, overlays}) => {
            const log = await Log.open(name, await openHttp(path, headers));
            log.overlays = overlays ?? [];
            return log;
          }));
      return {logs, session, version, token};
    } catch (error) {
      // Files go when the next simulation of a pipeline takes the place of one.
      listed = await list();
      if (listed.version === version) throw error;
    }
  }
}
