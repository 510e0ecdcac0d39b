import { ActionError, projectEventFields } from '@corral/contract';
import type { Handler } from '../../../calls/handler.ts';
import { eventFilterSql } from '../../devices/index.ts';
import { mustOwnProject, type ProjectAccess } from '../../projects/index.ts';
import { mustBeCollector, mustBeHeaders, unmasked } from '../policy/otlp-rules.ts';
import { readExport, saveExport } from '../sql/exports.ts';

/** Sets how a project exports; only owners may, since it takes what happens in the project elsewhere. */
export const SetOtlpConfig: Handler<'projects_SetOtlpConfig', ProjectAccess> = {
  authorize: ({ tx, actor, input }) => mustOwnProject(tx, actor, input.projectId),

  async run({ tx, vault, input, now, emit }, { projectId }) {
    const {
      enabled: isEnabled,
      endpoint: typed,
      headers: given,
      streams = ['events'],
      minSeverity,
    } = input.config;
    const endpoint = typed === undefined || typed === '' ? undefined : mustBeCollector(typed);
    if (isEnabled && endpoint === undefined)
      throw new ActionError('Invalid', 'An export needs an endpoint: the whole URL of a collector for logs.');
    const filter = input.config.filter?.trim() || undefined;
    eventFilterSql(filter, now, projectEventFields);
    const stored = await readExport(tx, vault, projectId);
    const headers = unmasked(given, { headers: stored?.headers ?? {}, endpoint: stored?.endpoint }, endpoint);
    mustBeHeaders(headers);
    await saveExport(tx, vault, projectId, {
      given: { isEnabled, endpoint, headers, streams, minSeverity, filter },
      now,
    });
    const host = endpoint === undefined ? {} : { host: new URL(endpoint).host };
    emit('projects_OtlpConfigChanged', { projectId: input.projectId, isEnabled, ...host, streams });
    return {};
  },
};
