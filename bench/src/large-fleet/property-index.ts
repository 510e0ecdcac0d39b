import { setTimeout as delay } from 'node:timers/promises';
import type { Executor } from '@corral/client';
import pg from 'pg';
import type { SeededFleet } from './seed.ts';

const pollMs = 500;

/** Filters a fleet once and waits until the job has read what the filters ask for, which it does some minutes later by itself. */
export async function preparePropertyIndex(
  session: Executor,
  connectionString: string,
  { projectId }: SeededFleet,
  filters: readonly string[],
): Promise<void> {
  for (const filter of filters)
    await session.invoke('projects_QueryProjectDevices', { projectId, limit: 1, filter });
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    await client.query(
      `insert into corral_jobs.job (name, policy) values ('build-property-index', 'exclusive')`,
    );
    for (let isReady = false; !isReady; await delay(pollMs)) {
      const { rows } = await client.query<{ ready: boolean }>(
        `select bool_and(state = 'Ready') as ready from fact_keys`,
      );
      isReady = rows[0]?.ready === true;
    }
    // As autovacuum does in a running database, soon after so many rows.
    await client.query('vacuum analyze device_facts');
  } finally {
    await client.end();
  }
}
