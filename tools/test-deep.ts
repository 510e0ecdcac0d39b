// `npm run test:deep`: the tests of `tools/test-figures.ts` with their large figures, forwards of 256 MiB each way, nine restarts of the hubs of a cluster, the flows in Firefox, and a table at the end. It takes about 20 minutes.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deepTable } from './deep-table.ts';
import { findFirefox, firefoxMissingNotice } from './firefox.ts';
import { runBrowser } from './run-browser.ts';
import { runUnit } from './run-unit.ts';
import { testFigures } from './test-figures.ts';
import { sum, totalsLine, totalsOf } from './totals.ts';

const files = [...new Set(Object.values(testFigures).map(({ file }) => file))];
const folder = mkdtempSync(join(tmpdir(), 'corral-deep-'));
try {
  const deep = { CORRAL_TEST_DEPTH: 'deep' };
  const outcome = await runUnit(folder, files, deep);
  const flows = ['flows/forward.e2e.ts', 'flows/cluster.e2e.ts'];
  const forwards = await runBrowser(folder, flows, deep);
  const path = findFirefox();
  const inFirefox =
    path === undefined
      ? []
      : [await runBrowser(folder, [], { ...deep, CORRAL_FIREFOX: path }, 'e2e/firefox.config.ts')];
  const totals = sum([outcome, forwards, ...inFirefox].map(totalsOf));
  for (const sentence of totals.sentences) process.stdout.write(`\n${sentence}\n`);
  process.stdout.write(`\n${deepTable(Object.values(testFigures), outcome).join('\n')}\n`);
  if (path === undefined) process.stdout.write(`\n${firefoxMissingNotice}\n`);
  process.stdout.write(`\n${totalsLine(totals)}\n`);
  process.exitCode = totals.failed === 0 ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
