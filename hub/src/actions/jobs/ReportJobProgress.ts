import type { Handler } from '../../executor/handler.ts';
import { mustBeHub } from '../../policy/actors.ts';
import { recordExamined } from '../../store/jobs.ts';

/** Records how far a running job is; without effect where no job of this name runs. */
export const ReportJobProgress: Handler<'jobs_ReportJobProgress'> = {
  authorize: ({ actor }) => mustBeHub(actor),

  async run({ tx, input: { job, examined } }) {
    await recordExamined(tx, job, examined);
    return {};
  },
};
