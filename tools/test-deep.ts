// `npm run test:deep`: the tests of `tools/test-figures.ts` with their large figures, the browser tests with the tag @deep (kills, a cluster, uploads to stores) and forwards of 256 MiB each way, the flows in Firefox, and a table at the end. It takes about 25 minutes.
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
  // Those that have the tag, and those that have figures.
  const flows = await runBrowser(folder, ['--grep=@deep|forward.e2e|broken-transfers'], deep);
  const path = findFirefox();
  const inFirefox =
    path === undefined
      ? []
      : [await runBrowser(folder, [], { ...deep, CORRAL_FIREFOX: path }, 'e2e/firefox.config.ts')];
  const totals = sum([outcome, flows, ...inFirefox].map(totalsOf));
  for (const sentence of totals.sentences) process.stdout.write(`\n${sentence}\n`);
  process.stdout.write(`\n${deepTable(Object.values(testFigures), outcome).join('\n')}\n`);
  if (path === undefined) process.stdout.write(`\n${firefoxMissingNotice}\n`);
  process.stdout.write(`\n${totalsLine(totals)}\n`);
  process.exitCode = totals.failed === 0 ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
