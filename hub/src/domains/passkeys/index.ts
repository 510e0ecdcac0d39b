// What the other domains, and the commands of operators, use of this one.
export {
  checkPasskey,
  deleteExpiredChallenges,
  passkeysElsewhere,
  readPasskeys,
  requestPasskey,
} from './sql/passkeys.ts';
