import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { signIn } from '../bench-hub.ts';
import { percentile } from '../load.ts';
import { barLine, type Line } from '../table.ts';
import type { Testbed } from '../testbed.ts';
import { counts, type SeededFleet } from './seed.ts';

const [answerBarMs, meanwhileBarMs, drainBarSecs] = [1_000, 100, 600];
const pauseMs = 50;

/** Deletes the project with all devices: how long the answer takes, how long a job drains its rows, and what a list takes meanwhile. */
export async function deletionLines(
  { databaseUrl, hub, user }: Testbed,
  { projectId }: SeededFleet,
): Promise<Line[]> {
  // What was measured before may have taken longer than a proof holds.
  const { executor: session } = await signIn(hub.url);
  const startedAt = performance.now();
  await session.invoke('projects_DeleteProject', { projectId });
  const answeredAt = performance.now();
  const durations: number[] = [];
  while (await hasRows(databaseUrl)) {
    const askedAt = performance.now();
    await session.invoke('users_QueryUserProjects', { userId: user.userId });
    durations.push(performance.now() - askedAt);
    await delay(pauseMs);
  }
  const what = `${counts.devices} devices and ${counts.events} events deleted`;
  return [
    barLine({ what: `${what}, answer`, unit: 'ms', ours: answeredAt - startedAt, bar: answerBarMs }),
    barLine({
      what: `${what}, list of projects meanwhile, p95`,
      unit: 'ms',
      ours: percentile(durations, 0.95),
      bar: meanwhileBarMs,
    }),
    barLine({
      what: `${what}, until nothing is left`,
      unit: 's',
      ours: (performance.now() - answeredAt) / 1_000,
      bar: drainBarSecs,
    }),
  ];
}

/** Whether the job still has rows to delete. */
async function hasRows(connectionString: string): Promise<boolean> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    const { rows } = await client.query<{ left: boolean }>(`
      select exists (select 1 from deleted_devices) or exists (
        select 1 from all_projects a where not exists (select 1 from projects p where p.project_id = a.project_id)) as left`);
    return rows[0]?.left === true;
  } finally {
    await client.end();
  }
}
