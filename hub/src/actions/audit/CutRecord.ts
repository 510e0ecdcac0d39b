import type { Handler } from '../../executor/handler.ts';
import { mustBeHub } from '../../policy/actors.ts';
import { cutRecord } from '../../store/record-cuts.ts';

/** Removes a portion of the rows that are older than is kept, and returns where the log begins now, for the log of the hub. */
export const CutRecord: Handler<'audit_CutRecord'> = {
  authorize: ({ actor }) => mustBeHub(actor),

  async run(context) {
    const before = new Date(context.now);
    before.setUTCMonth(before.getUTCMonth() - context.input.retentionMonths);
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
