// Pages of programs in Python: controls that people use, drawings, dragging, clicks, a notebook's frame, klampt.vis.
import {spawn} from 'node:child_process';
import {readFileSync, writeFileSync} from 'node:fs';
import {createServer} from 'node:http';
import {join} from 'node:path';
import {browser, colors, expect, finish, open, silent, source, work} from './harness.mjs';

const python = process.env.MORTISE_PYTHON, programs = new Set();
process.on('exit', () => programs.forEach((program) => program.kill('SIGKILL')));

/** Starts a program; its address is the first that it says. */
async function start(name, text, env = {}) {
  const file = join(work, `${name}.py`);
  writeFileSync(file, text);
  const program = spawn(python, [file], {stdio: ['ignore', 'pipe', 'pipe'], cwd: work, env: {...process.env, BROWSER: 'true', DISPLAY: '', ...env}});
  programs.add(program);
  const said = {out: '', err: ''}, ended = new Promise((done) => program.once('exit', (code) => done(code)));
  void ended.then(() => programs.delete(program));
  const address = await new Promise((done, fail) => {
    const look = () => {
      const match = /http:\/\/127\.0\.0\.1:\d+\/#token=[0-9a-f]+(?=\n)/.exec(said.out + said.err);
      if (match) done(match[0]);
    };
    program.stdout.on('data', (data) => { said.out += data; look(); });
    program.stderr.on('data', (data) => { said.err += data; look(); });
    program.once('exit', (code) => fail(new Error(`${name} ended with ${code}: ${said.err}`)));
  });
  return {program, address, said, ended};
}

/** Waits until a program has said something on its standard output. */
const hears = async (said, words) => {
  for (let i = 0; i < 600 && !said.out.includes(words); ++i) await new Promise((done) => setTimeout(done, 50));
  return said.out.includes(words);
};

// Controls and drawings of a program whose callbacks say what happened.
{
  const {program, address, said, ended} = await start('controls', `
import sys, mortise, numpy as np
world = mortise.load_world(${JSON.stringify(join(source, 'data/worlds/blocks.xml'))})
view = world.view()
view.set_title("Blocks")
said = view.add_label("nothing yet", "said", group="Answers")
def say(*words):
    said.value = " ".join(map(str, words))
    print(*words, flush=True)
def fail():
    raise RuntimeError("as it should")
view.add_button("Greet <b>", lambda: say("hello"))
view.add_button("Fail", fail)
view.add_slider("gain", 0, 4, 1, lambda value: say("gain", value), step=0.5)
view.add_checkbox("loop", False, lambda value: say("loop", value))
view.add_select("planner", ["PRM", "RRT"], callback=lambda value: say("planner", value))
view.add_text("name", "a", lambda value: say("name", value))
view.on_click(lambda origin, direction, id: print("clicked", id, flush=True))
view.draw_points("cloud", np.random.default_rng(0).uniform(-0.3, 0.3, (500, 3)) + [0, 0, 0.8], color=(1, 0, 0), size=8)
view.draw_lines("way", [[0, 0, 0.5], [0.5, 0, 0.5], [0.5, 0.5, 1]], "#00a000", width=4)
view.draw_mesh("box", mortise.Geometry.box([0.2] * 3, centered=True), mortise.RigidTransform(np.eye(3), [-0.5, 0, 0.5]), (0, 0, 1, 0.6))
view.draw_text("note", "a text", [0, 0, 1.2])
view.draw_frame("goal", mortise.RigidTransform(np.eye(3), [0.4, -0.4, 0.6]), size=0.2, on_drag=lambda pose: print("dragged", *np.round(pose.p, 3), flush=True))
print(view.address, flush=True)
view.loop()
print("over", flush=True)
`);
  const {page, complaints} = await open(address, 'a program');
  await page.getByText('Blocks', {exact: true}).waitFor();
  await page.getByRole('button', {name: 'Greet <b>'}).click();
  await page.locator('.program-label', {hasText: 'hello'}).waitFor();
  expect(await hears(said, 'hello\n'), 'a button made in Python calls its callback');
  const gain = page.getByRole('slider', {name: 'gain'});
  await gain.focus();
  await page.keyboard.press('ArrowRight');
  expect(await hears(said, 'gain 1.5\n'), 'a slider says its value');
  await page.getByRole('checkbox', {name: 'loop'}).check();
  expect(await hears(said, 'loop True\n'), 'a checkbox says its value');
  await page.getByRole('combobox', {name: 'planner'}).selectOption('RRT');
  expect(await hears(said, 'planner RRT\n'), 'a select says its option');
  await page.getByRole('textbox', {name: 'name'}).fill('<i>b</i>');
  await page.getByRole('textbox', {name: 'name'}).blur();
  expect(await hears(said, 'name <i>b</i>\n'), 'a text says what was typed');
  expect(await page.locator('.program-label i').count() === 0, 'texts are texts, never markup');
  await page.getByRole('button', {name: 'Fail'}).click();
  await page.getByText('RuntimeError: as it should').first().waitFor();
  expect(said.err.includes('RuntimeError: as it should'), 'an exception of a callback is printed and shown');
  const drawn = await colors(page);
  await page.screenshot({path: join(work, 'program.png')});
  expect(drawn.count > 20, `the scene has ${drawn.count} colors`);
  const at = await page.evaluate(() => window.mortise.view.windowPosition([0.4, -0.4, 0.6]));
  await page.mouse.move(at[0], at[1]);
  await page.mouse.down();
  await page.mouse.move(at[0] + 30, at[1] - 30, {steps: 5});
  await page.mouse.up();
  expect(await hears(said, 'dragged '), 'a frame is dragged');
  const block = await page.evaluate(() => window.mortise.view.screenPosition(window.mortise.logs[0].world.entities.find((e) => e.name === 'block_right').id));
  await page.mouse.click(block[0], block[1]);
  expect(await hears(said, 'clicked '), 'a click is told');
  await page.setViewportSize({width: 390, height: 700});
  await page.getByRole('button', {name: 'Greet <b>'}).click();
  await page.screenshot({path: join(work, 'program_390.png')});
  silent(complaints);
  await page.close();
  program.kill('SIGINT');
  expect(await ended === 0 && said.out.endsWith('over\n') && !said.err.includes('KeyboardInterrupt'), 'Ctrl-C ends the loop');
}

// A notebook shows the page within its own, of another origin; where the server is gone, a picture.
{
  const {program, address, said, ended} = await start('notebook', `
import mortise
view = mortise.load_world(${JSON.stringify(join(source, 'data/worlds/blocks.xml'))}).view()
view.add_button("inside", lambda: print("inside", flush=True))
open("cell.html", "w").write("<!doctype html><body>" + view._repr_html_())
print(view.address, flush=True)
view.loop()
`);
  const notebook = createServer((_, answer) => answer.setHeader('content-type', 'text/html').end(readFileSync(join(work, 'cell.html'))));
  await new Promise((done) => notebook.listen(0, '127.0.0.1', done));
  const page = await browser.newPage(), cell = `http://localhost:${notebook.address().port}/`;
  await page.goto(cell);
  await page.frameLocator('iframe').getByRole('button', {name: 'inside'}).click();
  expect(await hears(said, 'inside\n'), `a notebook's page talks to the program (${new URL(address).host})`);
  program.kill('SIGINT');
  await ended;
  await page.goto(cell);
  await page.waitForFunction(() => !document.querySelector('iframe'));
  expect(await page.evaluate(() => document.querySelector('img').naturalWidth) === 640, 'without a server the picture stays');
  await page.close();
  notebook.close();
}

// klampt.vis in a browser: its items, widgets, edits and calls of threads.
{
  const {address, said, ended} = await start('klampt_vis', `
import math, threading, time
from klampt import WorldModel, vis
from klampt.math import so3
world = WorldModel()
assert world.readFile(${JSON.stringify(join(source, 'data/worlds/heron_shelf.xml'))})
vis.add("world", world)
vis.add("point", [0.2, 0.3, 1.0], color=(1, 0, 0, 1), size=10)
vis.add("frame", (so3.identity(), [0.5, 0, 1]), length=0.3)
vis.addText("hint", "press go", (10, 10))
vis.addAction(lambda: print("action", flush=True), "Act", "a")
vis.addButton("Go", lambda: print("go", flush=True))
vis.addInput("speed", 1.0, lambda value: print("speed", value, flush=True), min=0, max=2)
vis.edit(("world", world.robot(0).getName()))
vis.show()
# Nobody calls shown(): the thread of the display makes frames.
called = threading.Event()
vis.threadCall(lambda: (print("called in", threading.current_thread().name, flush=True), called.set()))
assert called.wait(30)
before = world.robot(0).getConfig()
told = False
while vis.shown():
    vis.lock()
    world.robot(0).getConfig()
    vis.unlock()
    if not told and world.robot(0).getConfig() != before:
        told = True
        print("the robot was moved", flush=True)
    time.sleep(0.01)
print("closed", flush=True)
`, {MORTISE_VIS: 'browser'});
  expect(await hears(said, 'called in klampt.vis\n'), 'threadCall works while nobody calls shown()');
  const {page, complaints} = await open(address, 'klampt.vis');
  await page.getByText('press go').waitFor();
  await page.getByRole('button', {name: 'Act', exact: true}).click();
  expect(await hears(said, 'action\n'), 'an action is a button');
  await page.getByRole('button', {name: 'Go', exact: true}).click();
  expect(await hears(said, 'go\n'), 'a button is one');
  await page.getByRole('slider', {name: 'speed'}).focus();
  await page.keyboard.press('End');
  expect(await hears(said, 'speed 2'), 'an input with limits is a slider');
  await page.locator('.program-group', {hasText: 'link'}).getByRole('slider').first().focus().catch(() => undefined);
  await page.evaluate(() => {
    const slider = [...document.querySelectorAll('.program input[type=range]')].find((each) => each.getAttribute('aria-label') !== 'speed');
    slider.value = String((Number(slider.min) + 3 * Number(slider.max)) / 4);
    slider.dispatchEvent(new Event('input', {bubbles: true}));
  });
  expect(await hears(said, 'the robot was moved\n'), 'vis.edit of a robot moves it');
  await page.screenshot({path: join(work, 'klampt_vis.png')});
  await page.getByRole('button', {name: 'Close window'}).click();
  expect(await ended === 0 && said.out.endsWith('closed\n'), `the window closes from the page: ${said.err}`);
  expect(complaints.every((text) => /WebSocket|ERR_CONNECTION/.test(text)), 'nothing else is complained about: ' + complaints.join('; '));
  await page.close();
}

await finish();
