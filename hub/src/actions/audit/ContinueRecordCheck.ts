import type { Handler } from '../../executor/handler.ts';
import { mustBeHub } from '../../policy/actors.ts';
import { continueRecordCheck } from '../../store/record-checks.ts';

/** Checks the next seals of a running check, while the lock of its row keeps other nodes out. */
export const ContinueRecordCheck: Handler<'audit_ContinueRecordCheck'> = {
  authorize: ({ actor }) => mustBeHub(actor),
  run: (context) => continueRecordCheck(context),
};
