// What the other domains, and the commands of operators, use of this one.
export {
  mustAdministerBySession,
  mustManageAccount,
  sessionPrincipal,
  type SessionPrincipal,
} from './policy/accounts.ts';
export {
  isAdministrator,
  mustBeAdministrator,
  mustBeSelfOrAdministrator,
  mustBeAllowedToAddMembers,
} from './policy/actors.ts';
export { administers, reachOf, reachesProject, reachesRepository, tokenIdOf } from './policy/token-bounds.ts';
export { mailOwners } from './sql/mail-owners.ts';
export { countWaitingMails, deleteInvitationMails, queueMail } from './sql/mail-queue.ts';
export { failedSignIn } from './policy/failed-sign-in.ts';
export { mustDeleteWithProof } from './policy/deletions.ts';
export { mustKeepFactor } from './policy/second-factors.ts';
export {
  deleteUnneededRecoveryCodes,
  hasFactor,
  readSecondFactors,
  reencryptTotpSecrets,
  replaceRecoveryCodes,
} from './sql/second-factors.ts';
export { hasProvedFactorSql } from './sql/proved-factors.ts';
export { hasUsablePassword } from './sql/password-policy.ts';
export { countRequest, countWithinLimits } from './sql/request-limits.ts';
export { homeOfRow, isManagedBy } from './sql/service-accounts.ts';
export { beginSession, emitSessionEvents, stepUpSession } from './sql/sessions.ts';
export { followAdministratorGroup } from './sql/group-administrators.ts';
export { mustHaveNoToken } from './policy/logins.ts';
export { addUserToken } from './sql/user-tokens.ts';
