import { ids } from '@corral/contract';
import type { RecordProblem } from './record-check.ts';

/** The result of a check of the audit log. */
export interface RecordVerdict {
  readonly seals: number;
  readonly rows: number;
  /** When the last seal was made. */
  readonly sealedAt?: string;
  readonly publicKey?: string;
  readonly problem?: RecordProblem;
}

const deeds = { Edited: 'was changed', Deleted: 'was deleted', Inserted: 'was inserted' } as const;

/** The result of a check of the audit log, for people. */
export function verdictSentence({ seals, rows, sealedAt, publicKey, problem }: RecordVerdict): string {
  if (problem !== undefined) return problemSentence(problem);
  if (seals === 0)
    return 'The audit log has no seals yet; the hub makes the first one within two minutes of its start.';
  return `The audit log fits its seals: ${counted(rows, 'row')} in ${counted(seals, 'seal')}, the last of ${sealedAt}, signed with the public key ${publicKey}.`;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

function problemSentence({ what, seal, list, id = '' }: RecordProblem): string {
  if (what === 'SealMissing') return `The audit log was tampered with: seal ${seal} is missing.`;
  if (what === 'SealChanged') return `The audit log was tampered with: seal ${seal} was changed.`;
  const row =
    list === 'events' ? `the event ${ids.auditEvent.of(id)}` : `the action ${ids.auditAction.of(id)}`;
  return `The audit log was tampered with: ${row} ${deeds[what]}, according to seal ${seal}. Rows behind it were not checked.`;
}
