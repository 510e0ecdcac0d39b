// What the other domains, and the commands of operators, use of this one.
export {
  isLinkedAtProvider,
  mustLeaveSignIn,
  mustMapKnownProjects,
  mustSignInWithoutPasskeys,
} from './policy/present-provider.ts';
export { readTest } from './sql/provider-tests.ts';
export { noteUse, removeAllIdentities } from './sql/user-identities.ts';
