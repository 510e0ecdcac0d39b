import type { Handler } from '../../executor/handler.ts';
import { mustBeHub } from '../../policy/actors.ts';
import { sealNextRows } from '../../store/audit-seals.ts';

/** Seals the next rows of the audit log, and returns the seal for the log of the hub. */
export const SealLog: Handler<'audit_SealLog'> = {
  authorize: ({ actor }) => mustBeHub(actor),

  async run(context) {
    const { signed, isComplete } = await sealNextRows(context);
    if (signed === undefined) return { isComplete };
    const { statement, signature } = signed;
    return { isComplete, seal: { statement, signature: signature.toString('base64') } };
  },
};
