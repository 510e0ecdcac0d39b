import type { Handler } from '../../../calls/handler.ts';
import { mustOwnProject, type ProjectAccess } from '../../projects/index.ts';
import { mask } from '../policy/otlp-rules.ts';
import { readExport } from '../sql/exports.ts';

/** Returns how a project exports; for owners, as it says who else learns what happens. */
export const GetOtlpConfig: Handler<'projects_GetOtlpConfig', ProjectAccess> = {
  authorize: ({ tx, actor, input }) => mustOwnProject(tx, actor, input.projectId),

  async run({ tx, vault }, { projectId }) {
    const stored = await readExport(tx, vault, projectId);
    if (stored === undefined) return { config: { enabled: false, headers: {} } };
    const { isEnabled: enabled, endpoint, headers, streams, minSeverity, filter } = stored;
    return {
      config: {
        enabled,
        ...(endpoint === undefined ? {} : { endpoint }),
        headers: Object.fromEntries(Object.keys(headers).map((name) => [name, mask])),
        streams: [...streams],
        ...(minSeverity === undefined ? {} : { minSeverity }),
        ...(filter === undefined ? {} : { filter }),
      },
    };
  },
};
