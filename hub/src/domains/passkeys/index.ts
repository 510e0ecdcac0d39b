// What the other domains, and the commands of operators, use of this one.
export { checkPasskey, deleteExpiredChallenges, readPasskeys, requestPasskey } from './sql/passkeys.ts';
export { formerPasskeys, passkeysElsewhere, whoseFormer } from './sql/passkey-host.ts';
