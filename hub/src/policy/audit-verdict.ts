import { ids } from '@corral/contract';
import type { RecordProblem } from '../store/check-seals.ts';
import type { RecordVerdict } from '../store/record-checks.ts';

const changes = { Edited: 'was changed', Deleted: 'was deleted', Inserted: 'was inserted' } as const;

/** The result of a check of the audit log in one or two sentences. */
export function verdictMessage({
  seals,
  cutSeal = 0,
  rows,
  sealedAt,
  publicKey,
  problem,
}: RecordVerdict): string {
  if (problem !== undefined) return problemMessage(problem);
  if (seals === 0)
    return 'The audit log has no seals yet; the hub makes the first one within two minutes of its start.';
  const cut =
    cutSeal === 0 ? '' : ` It begins after seal ${cutSeal}: what is older was removed as configured.`;
  return `The audit log fits its seals: ${counted(rows, 'row')} in ${counted(seals - cutSeal, 'seal')}, the last of ${sealedAt}, signed with the public key ${publicKey}.${cut}`;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

function problemMessage({ what, seal, list, id = '' }: RecordProblem): string {
  if (what === 'CutChanged')
    return `The audit log was tampered with: the statement that it begins after seal ${seal} was changed.`;
  if (what === 'SealMissing') return `The audit log was tampered with: seal ${seal} is missing.`;
  if (what === 'SealChanged') return `The audit log was tampered with: seal ${seal} was changed.`;
  const row =
    list === 'events' ? `the event ${ids.auditEvent.of(id)}` : `the action ${ids.auditAction.of(id)}`;
  return `The audit log was tampered with: ${row} ${changes[what]}, according to seal ${seal}. Rows after it were not checked.`;
}
