// What the tests of the viewer share whatever the browser: programs that serve pages, and what is expected.
// Usage of each: node NAME.mjs MORTISE SOURCE_DIR WORK_DIR BROWSER
import {execFileSync, spawn} from 'node:child_process';
import {existsSync, mkdirSync, rmSync} from 'node:fs';
import {createRequire} from 'node:module';
import {join, resolve} from 'node:path';

const [, script, mortise, source, folder, program] = process.argv;
export {mortise, source, program};
export const reference = process.env.MORTISE_REFERENCE_DIR;
/** Packages of the viewer's build, from whose folder tests are run. */
export const packages = createRequire(resolve(process.cwd(), 'package.json'));
export const work = join(folder, script.replace(/.*\/|\.mjs$/g, ''));
rmSync(work, {recursive: true, force: true});
mkdirSync(work, {recursive: true});

const servers = new Set();
let failures = 0;
export const expect = (condition, text) => {
  if (!condition) ++failures;
  console.log(`${condition ? 'ok' : 'FAILED'}: ${text}`);
};

/** Runs a command to its end; what it prints. */
export const run = (...words) => execFileSync(mortise, words, {encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'], maxBuffer: 1 << 28});

/** A command that serves a page until it is stopped. Its address is on the first line, or in a sentence on standard error. */
export async function serve(words, options = {}) {
  const server = spawn(mortise, words, {stdio: ['ignore', 'pipe', 'pipe'], ...options});
  servers.add(server);
  server.once('exit', () => servers.delete(server));
  const said = {out: '', err: ''};
  const address = await new Promise((done, fail) => {
    const look = () => {
      const match = /http:\/\/127\.0\.0\.1:\d+\/#token=[0-9a-f]+(?=\n)/.exec(said.out + said.err);
      if (match) done(match[0]);
    };
    server.stdout.on('data', (data) => { said.out += data; look(); });
    server.stderr.on('data', (data) => { said.err += data; look(); });
    server.once('exit', (code) => fail(new Error(`mortise ${words.join(' ')} ended with ${code}: ${said.err}`)));
  });
  return {server, address, said};
}
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => process.exit(1));
process.on('exit', () => servers.forEach((server) => server.kill('SIGKILL')));

export const haveReference = (path) => Boolean(reference) && existsSync(join(reference, path));
export const passed = () => failures === 0;
