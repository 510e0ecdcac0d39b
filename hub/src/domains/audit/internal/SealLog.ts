import type { Internal } from '../../../calls/handler.ts';
import { sealNextRows } from '../sql/audit-seals.ts';

/** Whether no row is left that can be sealed, and the seal. */
interface Sealed {
  readonly isComplete: boolean;
  readonly seal?: { readonly statement: string; readonly signature: string };
}

/** Seals the next rows of the audit log, and returns the seal for the log of the hub. */
export const SealLog: Internal<void, Sealed> = {
  name: 'audit_SealLog',
  async run(context) {
    const { signed, isComplete } = await sealNextRows(context);
    if (signed === undefined) return { isComplete };
    const { statement, signature } = signed;
    return { isComplete, seal: { statement, signature: signature.toString('base64') } };
  },
};
