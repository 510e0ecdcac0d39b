import { ids } from '@corral/contract';
import type { AuditLogProblem } from '../sql/check-seals.ts';
import type { AuditVerdict } from '../sql/audit-log-checks.ts';

const changes = { Edited: 'was changed', Deleted: 'was deleted', Inserted: 'was inserted' } as const;

/** The result of a check of the audit log in one or two sentences. */
export function verdictMessage({
  seals,
  prunedSeal = 0,
  rows,
  sealedAt,
  publicKey,
  problem,
}: AuditVerdict): string {
  if (problem !== undefined) return problemMessage(problem);
  if (seals === 0)
    return 'The audit log has no seals yet; the hub makes the first one within two minutes of its start.';
  const start =
    prunedSeal === 0 ? '' : ` It begins after seal ${prunedSeal}: what is older was removed as configured.`;
  return `The audit log fits its seals: ${counted(rows, 'row')} in ${counted(seals - prunedSeal, 'seal')}, the last of ${sealedAt}, signed with the public key ${publicKey}.${start}`;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

function problemMessage({ what, seal, list, id = '' }: AuditLogProblem): string {
  if (what === 'PruningChanged')
    return `The audit log was tampered with: the statement that it begins after seal ${seal} was changed.`;
  if (what === 'SealMissing') return `The audit log was tampered with: seal ${seal} is missing.`;
  if (what === 'SealChanged') return `The audit log was tampered with: seal ${seal} was changed.`;
  const row =
    list === 'events' ? `the event ${ids.auditEvent.of(id)}` : `the action ${ids.auditAction.of(id)}`;
  return `The audit log was tampered with: ${row} ${changes[what]}, according to seal ${seal}. Rows after it were not checked.`;
}
