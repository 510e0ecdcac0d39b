import type { Handler } from '../../executor/handler.ts';
import { mustBeHub } from '../../policy/actors.ts';

/** Changes nothing; the call exists for its row in the audit log. */
export const ReportAnonymousRefusals: Handler<'cluster_ReportAnonymousRefusals'> = {
  authorize: ({ actor }) => mustBeHub(actor),
  run: async () => ({}),
};
