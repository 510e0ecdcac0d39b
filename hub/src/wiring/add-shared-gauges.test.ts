import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { ownDatabase } from '../../test/fresh-database.ts';
import { connectSql } from '../platform/db/connect.ts';
import { ensureJobsSchema, jobsSchema } from '../platform/db/jobs-schema.ts';
import { createMetrics } from '../entry/http/metrics.ts';
import { sharedGauges } from '../entry/http/metric-catalogue.ts';
import { startJobs } from '../platform/jobs/start-jobs.ts';
import { addSharedGauges } from './add-shared-gauges.ts';

test('Prometheus reads what is in the database', async () => {
  await using database = await ownDatabase();
  const metrics = createMetrics();
  addSharedGauges(metrics, database.db);
  const lines = async () =>
    (await metrics.text())
      .split('\n')
      .filter((line) => Object.keys(sharedGauges).some((name) => line.startsWith(`${name}{`)));
  const withoutJobs = [
    'corral_damaged_assets{status="Missing"} 0',
    'corral_damaged_assets{status="Mismatched"} 0',
    'corral_damaged_assets{status="Error"} 0',
    'corral_waiting_emails{state="New"} 0',
    'corral_waiting_emails{state="Retrying"} 0',
  ];
  expect(await lines()).toEqual(withoutJobs);
  await ensureJobsSchema(database.db);
  const db = connectSql(database.address, { maxConnections: 2, onIdleError() {} });
  onTestFinished(() => db.close());
  const once = { name: 'sweep', cron: '0 0 1 1 *', run: async () => {} };
  const jobs = await startJobs({ db, schema: jobsSchema, jobs: [once], log: { warn() {} } });
  onTestFinished(() => jobs.stop());
  await sql`insert into ${sql.id(jobsSchema, 'job')} (name, state, completed_on) values ('sweep', 'failed', now())`.execute(
    database.db,
  );
  expect(await lines()).toEqual(withoutJobs.toSpliced(3, 0, 'corral_failing_jobs{type="sweep"} 1'));
});
