// What the other domains, and the commands of operators, use of this one.
export { verdictMessage } from './policy/audit-verdict.ts';
export type { AuditVerdict } from './sql/audit-log-checks.ts';
export { lastPrunedSeal } from './sql/audit-log-pruning.ts';
export { readEventsAbout } from './sql/audit-log.ts';
export { existingSigningKey, readStatement } from './sql/audit-seals.ts';
export { checkSeals, type AuditLogProblem } from './sql/check-seals.ts';
