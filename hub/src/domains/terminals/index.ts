// What the other domains, and the commands of operators, use of this one.
export { reencryptRecordingKeys } from './sql/session-keys.ts';
export { waitingForApprovalBy } from './sql/waiting-approvals.ts';
