import type { Internal } from '../../../calls/handler.ts';
import { recordExamined } from '../sql/jobs.ts';

/** Records how far a running job is; without effect where no job of this name runs. */
export const ReportJobProgress: Internal<{ job: string; examined: number }, void> = {
  name: 'jobs_ReportJobProgress',
  async run({ tx, input: { job, examined } }) {
    await recordExamined(tx, job, examined);
  },
};
