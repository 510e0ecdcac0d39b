// What the other domains, and the commands of operators, use of this one.
export {
  checkPasskey,
  countOtherPasskeys,
  deleteExpiredChallenges,
  type PasskeyCheck,
  readPasskeys,
  requestPasskey,
} from './sql/passkeys.ts';
