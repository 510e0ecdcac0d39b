import { setTimeout as delay } from 'node:timers/promises';
import type { Executor } from '@corral/client';
import pg from 'pg';
import { sessionOf } from './list-times.ts';
import { fillLog } from './long-log.ts';
import { barLine, type Line } from './table.ts';
import type { Testbed } from './testbed.ts';

/** Half of them events, half commands. */
const rows = 1_000_000;
const barSecs = 60;

/** How long an administrator waits for the check of a million rows of the log, once they are sealed. */
export async function checkOfLog(testbed: Testbed): Promise<Line[]> {
  const client = new pg.Client({ connectionString: testbed.databaseUrl });
  await client.connect();
  try {
    const { rows: found } = await client.query<{ count: number }>(
      'select count(*)::int as count from audit_events',
    );
    if ((found[0]?.count ?? 0) < rows / 2) await fillLog(client, rows / 2);
    await untilSealed(client);
  } finally {
    await client.end();
  }
  return [await timeOfCheck(sessionOf(testbed))];
}

/** The sealer begins once a minute and then works until all is sealed. */
async function untilSealed(client: pg.Client): Promise<void> {
  const count = async (): Promise<number> =>
    (await client.query<{ count: number }>('select count(*)::int as count from audit_seals')).rows[0]
      ?.count ?? 0;
  const [stepMs, quietSteps] = [5_000, 14];
  let [seals, unchanged] = [0, 0];
  while (unchanged < quietSteps || seals === 0) {
    await delay(stepMs);
    const now = await count();
    // A running hub adds a few seals of its own.
    unchanged = now - seals > 2 ? 0 : unchanged + 1;
    seals = now;
  }
}

async function timeOfCheck(session: Executor): Promise<Line> {
  const startedAt = performance.now();
  await session.invoke('audit_VerifyLog', {});
  for (;;) {
    const { check } = await session.invoke('audit_GetSealState', {});
    if (check?.isIntact === false) throw new Error(check.sentence);
    if (check?.isIntact === true) {
      const seconds = (performance.now() - startedAt) / 1_000;
      const what = `check of ${check.checkedRows} rows of the log in ${check.seals} seals, per million`;
      const ours = (seconds * 1_000_000) / check.checkedRows;
      return barLine({ what, unit: 's', ours, bar: barSecs });
    }
    await delay(200);
  }
}
