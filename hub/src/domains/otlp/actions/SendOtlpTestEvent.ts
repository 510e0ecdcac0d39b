import { ActionError } from '@corral/contract';
import { newDatedRawId } from '../../../auth/random.ts';
import type { Handler } from '../../../calls/handler.ts';
import { sendLogs } from '../../../platform/outgoing/send-logs.ts';
import { mustOwnProject } from '../../projects/index.ts';
import { logsRequest } from '../policy/logs-request.ts';
import { readExport } from '../sql/exports.ts';

type Outcome = { readonly isAccepted: boolean; readonly message: string };

/** Sends a record that nothing made, before the transaction, since a collector may be slow. */
export const SendOtlpTestEvent: Handler<'projects_SendOtlpTestEvent', Outcome, Outcome> = {
  async prepare({ tx, vault, actor, input, now, outgoing }) {
    const { projectId } = await mustOwnProject(tx, actor, input.projectId);
    const stored = await readExport(tx, vault, projectId);
    const endpoint = stored?.endpoint;
    if (stored === undefined || endpoint === undefined)
      throw new ActionError('Invalid', 'The project has no endpoint to export to yet. Set one first.');
    const answer = await sendLogs(
      outgoing,
      { endpoint, headers: stored.headers },
      testRequest(projectId, now),
    );
    if (answer.kind === 'Accepted' && answer.error === undefined)
      return { isAccepted: true, message: `${new URL(endpoint).host} has accepted the test event.` };
    const busy = `${new URL(endpoint).host} has too many requests of the hub waiting: try again in a moment.`;
    return { isAccepted: false, message: answer.kind === 'NotSent' ? busy : (answer.error ?? '') };
  },

  async authorize({ tx, actor, input }, outcome) {
    await mustOwnProject(tx, actor, input.projectId);
    return outcome;
  },

  run: async (_context, outcome) => outcome,
};

/** The id of the project is raw. */
function testRequest(projectId: string, now: Date): string {
  const micros = `${now.getTime()}000`;
  return logsRequest(projectId, 'events', [
    {
      id: newDatedRawId(now),
      deviceId: null,
      deviceName: null,
      severity: 'Info',
      category: 'corral.test',
      body: JSON.stringify('Test event of Corral: the export over OTLP works.'),
      attributes: null,
      emittedMicros: micros,
      receivedMicros: micros,
    },
  ]);
}
