// The tests' headless Chromium, and what it complains about.
import {readFileSync, writeFileSync} from 'node:fs';
import {basename, join} from 'node:path';
import {fileURLToPath, pathToFileURL} from 'node:url';
import {expect, packages, passed, program, work} from './programs.mjs';

export * from './programs.mjs';

const {chromium: launcher} = packages('playwright-core');

export const browser = await launcher.launch({
  executablePath: program,
  args: [
    '--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--force-color-profile=srgb', '--disable-quic',
    // The page for tests is not from the server itself, and talks to it all the same.
    '--disable-features=LocalNetworkAccessChecks,LocalNetworkAccessChecksWebSockets,Translate,PaintHolding,MediaRouter,OptimizationHints',
    '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync',
  ],
});

const size = {viewport: {width: 1280, height: 800}, deviceScaleFactor: 1};

/** Pages of one window share their storage. */
export const newWindow = () => browser.newContext(size);

/** The page with what tests ask of it (test/page). */
const testPage = readFileSync('test_page.html', 'utf8');

/** A page of logs in one file, with what tests ask of it; its address. */
function withProbes(url) {
  const file = fileURLToPath(url), blocks = readFileSync(file, 'utf8').match(/<script type="application\/mcap\+base64"[^]*?<\/script>\n/g);
  const copy = join(work, `probed_${basename(file)}`);
  writeFileSync(copy, testPage.replace('<!--LOGS-->', () => blocks.join('')));
  return pathToFileURL(copy).href;
}

/** In place of the page that users get from the server comes the one for tests, with all that the server says of it. */
const serveTestPage = (page) => page.route((url) => url.protocol === 'http:' && url.pathname === '/', async (route) => {
  const response = await route.fetch();
  const {'content-encoding': _, 'content-length': __, etag: ___, ...headers} = response.headers();
  await route.fulfill({status: 200, headers: {...headers, 'content-security-policy': policyFor(testPage, headers['content-security-policy'])}, body: testPage});
});

/** Opens the page that users get, without anything for tests. */
export const openPlain = (url, name) => openPage(url, name, async () => undefined, undefined);

/** Opens a page, in a window of its own or as a further tab of `window`. `prepare`: done to the page before it is loaded. */
export async function open(url, name, prepare = async () => undefined, window = undefined) {
  const local = url.startsWith('file:');
  return openPage(local ? withProbes(url) : url, name, async (page) => {
    if (!local) await serveTestPage(page);
    await prepare(page);
  }, window);
}

async function openPage(url, name, prepare, window) {
  const page = await (window ? window.newPage() : browser.newPage(size));
  page.setDefaultTimeout(120000);
  const complaints = [];
  page.on('console', (message) => {
    // Reading pixels back, which tests do, stalls the graphics driver.
    if (!message.text().includes('GPU stall')) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('request', (request) => {
    if (!/^(file|data|blob):|^http:\/\/127\.0\.0\.1:/.test(request.url())) complaints.push('asked for ' + request.url());
  });
  await prepare(page);
  await page.goto(url);
  const opened = async () => {
    await page.waitForFunction(() => document.body.dataset.ready || document.body.dataset.error);
    return page.evaluate(() => document.body.dataset.error);
  };
  // The page of a pipeline loads itself again when a stage ends, perhaps in between.
  const error = await opened().catch((problem) => {
    if (!/context was destroyed|navigation/.test(String(problem))) throw problem;
    return opened();
  });
  expect(!error, `${name} opens${error ? ': ' + error : ''}`);
  return {page, complaints};
}

export const silent = (complaints) => expect(complaints.length === 0, 'the console is silent: ' + complaints.join('; '));

/** Colors of the scene: how many, and a sum that differs where the picture does. */
export const colors = (page) => page.evaluate(() => {
  window.mortise.view.draw();
  const canvas = document.getElementById('scene');
  const copy = document.createElement('canvas');
  copy.width = canvas.width;
  copy.height = canvas.height;
  const context = copy.getContext('2d');
  context.drawImage(canvas, 0, 0);
  const data = context.getImageData(0, 0, copy.width, copy.height).data;
  const seen = new Set();
  let sum = 0;
  for (let i = 0; i < data.length; i += 4) {
    seen.add((data[i] << 16) | (data[i + 1] << 8) | data[i + 2]);
    sum = (sum * 31 + data[i] + 7 * data[i + 1] + 13 * data[i + 2]) >>> 0;
  }
  return {count: seen.size, sum};
});

/** Moves the slider of the time as a hand does. */
export const scrub = (page, time) => page.evaluate((time) => {
  const slider = document.getElementById('time');
  slider.value = String(time);
  slider.dispatchEvent(new Event('input', {bubbles: true}));
}, time);

/** Unfolds the robots of the tree and selects an entity by its id. */
export async function select(page, id) {
  await page.evaluate(() => document.querySelectorAll('[role=treeitem][aria-expanded=false] .fold').forEach((fold) => fold.click()));
  const row = await page.waitForSelector(`[role=treeitem][data-id="${id}"]`, {state: 'attached'});
  await row.evaluate((element) => element.click());
}

/** Shows or hides something, by the list of all that can be shown. */
export async function toggle(page, label) {
  const list = 'button[aria-label="all that can be shown"]';
  await page.click(list);
  await page.locator('.show label').filter({has: page.getByText(label, {exact: true})}).locator('input').click();
  await page.click(list);
}

/** Whether a button over the scene is pressed. */
export const isPressed = async (page, label) => (await page.getAttribute(`.toolbar button[aria-label="${label}"]`, 'aria-pressed')) === 'true';

/** The policy of the server lets its own page's script run alone: the one of the page for tests has another name. */
function policyFor(page, policy) {
  const [script] = /'sha256-[^']+'/.exec(page);
  return policy.replace(/'sha256-[^']+'/, script);
}

export async function finish() {
  await browser.close();
  process.exit(passed() ? 0 : 1);
}
