import type { Handler, HandlerContext } from '../../executor/handler.ts';
import { mustBeHub } from '../../policy/actors.ts';
import { settingsOfLiveNodes } from '../../store/node-settings.ts';
import { cutRecord } from '../../store/record-cuts.ts';

/** Removes a portion of the rows that are older than any live node keeps them, and returns where the log begins now, for the log of the hub. */
export const CutRecord: Handler<'audit_CutRecord'> = {
  authorize: ({ actor }) => mustBeHub(actor),

  async run(context) {
    const before = new Date(context.now);
    before.setUTCMonth(before.getUTCMonth() - (await longestRetention(context)));
    const { rows, cut, isComplete } = await cutRecord(context, before);
    if (cut === undefined) return { isComplete, rows };
    context.emit('audit_RecordCut', { rows });
    return {
      isComplete,
      rows,
      cut: { statement: cut.statement, signature: cut.signature.toString('base64') },
    };
  },
};

/** The longest of the live nodes and the calling one: a node whose configuration lacks the setting must not remove what another one keeps. */
async function longestRetention({ tx, now, input }: HandlerContext<'audit_CutRecord'>): Promise<number> {
  const live = await settingsOfLiveNodes(tx, now);
  return Math.max(input.retentionMonths, ...live.map((node) => node.auditRetentionMonths ?? 0));
}
