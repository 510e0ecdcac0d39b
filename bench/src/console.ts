import type { BenchHub, BenchUser } from './bench-hub.ts';
import { startProgram } from './processes.ts';
import { line, type Line } from './table.ts';

const goalMs = 1_500;

/** Largest contentful paint of the sign-in page and the projects page, compared with a one-word page of the same hub. */
export async function consolePaints(hub: BenchHub, user: BenchUser): Promise<Line[]> {
  const login = await largestPaint(`${hub.url}/login`, 'h1');
  const projects = await largestPaint(`${hub.url}/projects`, 'h1', user.cookie);
  const anchor = await largestPaint(`${hub.url}/healthz`, 'body');
  const compare = (path: string, ours: number): Line => ({
    ...line({
      what: `${path}: largest paint, 4 × slower CPU`,
      unit: 'ms',
      ours,
      anchor,
      anchorName: 'a one-word page of the same hub',
    }),
    goal: '≤ 1,500 ms',
    isMet: ours <= goalMs,
  });
  return [compare('/login', login), compare('/projects', projects)];
}

async function largestPaint(url: string, selector: string, cookie = ''): Promise<number> {
  const chromium = process.env['CORRAL_CHROMIUM'];
  const program = startProgram('e2e/vitals/largest-paint.ts', [url, selector], {
    CORRAL_SESSION_COOKIE: cookie,
    ...(chromium === undefined ? {} : { CORRAL_CHROMIUM: chromium }),
  });
  return Number(await program.waitForLine(/^largest-paint ([\d.]+)$/));
}
