// Plans: the motion, the path and the ways that the planner knows.
import {join} from 'node:path';
import {colors, expect, finish, open, serve, silent, source, work} from './harness.mjs';

const {server, address, said} = await serve(['plan', join(source, 'data/worlds/heron_shelf.xml'), '--goal',
  join(source, 'data/motions/heron_shelf_goal.config'), '--planner', 'mortise.RRT', '--seed', '3', '--view', '--no-browser', '--json']);
const {page, complaints} = await open(address, 'a plan');
const overlays = await page.evaluate(() => window.mortise.logs[0].overlays.map((o) => [o.name, o.lines.length / 6, o.points.length / 3]));
expect(overlays.some(([name, lines]) => name === 'path' && lines > 5), `the path is drawn: ${JSON.stringify(overlays)}`);
expect(overlays.some(([name, lines]) => name === 'roadmap' && lines > 0), 'the roadmap is drawn');
const length = await page.evaluate(() => window.mortise.logs[0].end);
expect(length > 0.5, `the motion takes ${length.toFixed(2)} s`);
const before = (await colors(page)).sum;
await page.evaluate((t) => window.mortise.setTime(t), length);
await page.waitForTimeout(300);
expect((await colors(page)).sum !== before, 'the motion can be looked at');
// The way's last point is where the hand is then.
const apart = await page.evaluate(() => {
  const log = window.mortise.logs[0], points = log.overlays.find((o) => o.name === 'path').points, n = points.length;
  return Math.min(...[...log.poses.values()].map((pose) => Math.hypot(pose[9] - points[n - 3], pose[10] - points[n - 2], pose[11] - points[n - 1])));
});
expect(apart < 1e-5, `the way ends where the hand ends, to ${apart.toExponential(1)} m`);
await page.screenshot({path: join(work, 'plan.png')});
silent(complaints);
server.kill('SIGINT');
await finish();
