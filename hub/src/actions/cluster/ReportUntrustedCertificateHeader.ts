import type { Handler } from '../../executor/handler.ts';
import { mustBeHub } from '../../policy/actors.ts';

/** Changes nothing: its row in the audit log is all that it is for. */
export const ReportUntrustedCertificateHeader: Handler<'cluster_ReportUntrustedCertificateHeader'> = {
  authorize: ({ actor }) => mustBeHub(actor),
  run: async () => ({}),
};
