import { ids } from '@corral/contract';
import { startProgram, sleep, residentBytes } from '../../processes.ts';
import { barLine, type Line } from '../../table.ts';
import type { Testbed } from '../../testbed.ts';
import { openJobQueue } from './job-queue.ts';
import { observe, watched, type Observed } from './observe.ts';
import { counts, seedStock } from './stock.ts';

const longestTurnMs = 50;
const mostMoreMiB = 150;
const restMs = 30_000;
const jobs = {
  'collect-assets': `${counts.unreferenced} of ${counts.assets} assets collected`,
  'sweep-asset-stores': `${counts.strays} objects and ${counts.writes} unfinished uploads swept, ${counts.unfinished} uploads finished`,
  'scrub-assets': `${counts.unchecked} of ${counts.assets} assets scrubbed`,
};

/** What the upkeep of a large stock in the data folder costs a hub that serves meanwhile, beside the same hub at rest. */
export async function upkeep(testbed: Testbed): Promise<Line[]> {
  const { databaseUrl, dataFolder, user } = testbed;
  const names = Object.keys(jobs);
  const queue = await openJobQueue(databaseUrl);
  try {
    await testbed.restart(watched);
    await queue.unschedule(names);
    const created = await user.executor.invoke('repositories_CreateRepository', { name: 'upkeep' });
    if (created.result !== 'Created') throw new Error('The repository exists already.');
    await seedStock(databaseUrl, dataFolder, ids.repository.raw(created.repositoryId));
    const rest = await observe(testbed.hub, sleep(restMs));
    const lines: Line[] = [];
    for (const [name, what] of Object.entries(jobs)) {
      const id = await queue.begin(name);
      lines.push(...linesOf(what, await observe(testbed.hub, queue.untilDone(id)), rest));
    }
    return [...lines, ...(await examined(testbed, rest))];
  } finally {
    await queue.close();
    // The schedule is that of before again.
    await testbed.restart();
  }
}

/** The doctor is a process of its own. It finds nothing wrong only if the jobs did all of their work. */
async function examined({ hub, databaseUrl, dataFolder }: Testbed, rest: Observed): Promise<Line[]> {
  const doctor = startProgram('hub/src/main.ts', ['storage', 'doctor'], {
    CORRAL_DATA_DIR: dataFolder,
    CORRAL_DATABASE_URL: databaseUrl,
  });
  let highest = 0;
  const sampling = setInterval(() => {
    const bytes = residentBytes(doctor.pid);
    // Of a process that has just ended it is no number.
    if (bytes > highest) highest = bytes;
  }, 50);
  const ended = doctor.waitForExit().finally(() => clearInterval(sampling));
  const observed = await observe(hub, ended);
  const what = `storage doctor of ${counts.assets - counts.unreferenced} assets`;
  const memory: Line = {
    what: `${what}, its own memory`,
    unit: 'MiB',
    ours: highest / 1024 ** 2,
    goal: '',
    isMet: undefined,
  };
  return [...linesOf(what, observed, rest), memory];
}

function linesOf(what: string, observed: Observed, rest: Observed): Line[] {
  const [open, anchorName] = [{ goal: '', isMet: undefined }, 'the same hub at rest'];
  const turn = (how: string, ours: number, anchor: number): Line => ({
    ...barLine({ what: `${what}, ${how}`, unit: 'ms', ours, bar: longestTurnMs }),
    anchor,
    anchorName,
  });
  const { healthP99Ms: ours, secs } = observed;
  const moreMiB = observed.highestMiB - rest.highestMiB;
  return [
    turn('longest turn of the event loop', observed.longestTurnMs, rest.longestTurnMs),
    turn('most processor time in a turn', observed.longestUseMs, rest.longestUseMs),
    {
      what: `${what}, /healthz meanwhile, p99`,
      unit: 'ms',
      ours,
      anchor: rest.healthP99Ms,
      anchorName,
      ...open,
    },
    barLine({ what: `${what}, memory above idle`, unit: 'MiB', ours: moreMiB, bar: mostMoreMiB }),
    { what: `${what}, time`, unit: 's', ours: secs, ...open },
  ];
}
