import type { PasskeyAssertion, PasskeyRequest } from '@corral/contract';
import { sql } from 'kysely';
import { type ChallengeUse, challengeExpiry, newChallenge } from '../../../auth/passkeys/challenge.ts';
import { type AnsweredChallenge, type NewPasskey, verifyAssertion } from '../../../auth/passkeys/verify.ts';
import { amounts } from '../../../limits/amounts.ts';
import type { Database } from '../../../platform/db/connect.ts';
import { instanceKey, type KeyContext } from '../../instance/index.ts';

/** What is needed to make challenges and to check their answers. */
export interface PasskeyContext extends KeyContext {
  readonly origins: { readonly passkeys: { readonly rpId: string; readonly origin: string } | undefined };
}

/** A passkey as its owner sees it. */
interface Passkey {
  readonly credential_id: string;
  readonly name: string;
  readonly rp_id: string;
  readonly transports: string[];
  readonly is_backed_up: boolean;
  readonly created_at: string;
  readonly last_used_at: string | null;
}

/** The passkeys of a user, oldest first. */
export function readPasskeys(tx: Database, userId: string): Promise<Passkey[]> {
  return tx
    .selectFrom('passkeys')
    .select(['credential_id', 'name', 'rp_id', 'transports', 'is_backed_up', 'created_at', 'last_used_at'])
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .orderBy('credential_id')
    .execute();
}

/** Makes a challenge. */
export async function issueChallenge(context: KeyContext, use: ChallengeUse): Promise<string> {
  return newChallenge(await instanceKey(context, 'passkey-challenges'), use, context.now);
}

/** What a browser needs to use a passkey of a user, or any where nobody is known; undefined where none can work. */
export async function requestPasskey(
  context: PasskeyContext,
  use: ChallengeUse,
  userId?: string,
): Promise<PasskeyRequest | undefined> {
  const { passkeys: site } = context.origins;
  if (site === undefined) return undefined;
  const { rpId } = site;
  const known = userId === undefined ? [] : await readPasskeys(context.tx, userId);
  const credentials = known
    .filter((passkey) => passkey.rp_id === rpId)
    .map(({ credential_id: id, transports }) => ({ id, transports }));
  if (userId !== undefined && credentials.length === 0) return undefined;
  return { challenge: await issueChallenge(context, use), rpId, credentials };
}

/** When challenges of this use expire. */
export async function expiryOfChallenges(
  context: KeyContext,
  use: ChallengeUse,
): Promise<(challenge: string) => Date | undefined> {
  const key = await instanceKey(context, 'passkey-challenges');
  return (challenge) => challengeExpiry(key, use, challenge, context.now);
}

/** Uses a challenge up; false if it was used already, on whichever node. */
export async function takeChallenge(
  tx: Database,
  { challenge, expiresAt }: AnsweredChallenge,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into used_challenges (challenge, expires_at) values (${challenge}, ${expiresAt}) on conflict do nothing`.execute(
    tx,
  );
  return numAffectedRows === 1n;
}

/** Forgets challenges that have expired, and are refused for that. */
export async function deleteExpiredChallenges(tx: Database, now: Date): Promise<void> {
  await tx.deleteFrom('used_challenges').where('expires_at', '<=', now.toISOString()).execute();
}

/** How the use of a passkey was judged; `userId` is raw. */
type PasskeyCheck =
  | { readonly result: 'Unknown' }
  | { readonly result: 'Wrong'; readonly userId: string }
  | {
      readonly result: 'Right';
      readonly userId: string;
      readonly name: string;
      readonly isBackwards: boolean;
    };

/** Checks the use of a passkey, of one user if given, and accepts its challenge once. */
export async function checkPasskey(
  context: PasskeyContext,
  use: ChallengeUse,
  assertion: PasskeyAssertion,
  onlyOf?: string,
): Promise<PasskeyCheck> {
  const { tx, now } = context;
  const { passkeys: site } = context.origins;
  if (site === undefined) return { result: 'Unknown' };
  const found = await tx
    .selectFrom('passkeys')
    .select(['user_id', 'name', 'public_key', 'counter'])
    .where('credential_id', '=', assertion.credentialId)
    .where('rp_id', '=', site.rpId)
    .forUpdate()
    .executeTakeFirst();
  const isOther = onlyOf !== undefined && found?.user_id !== onlyOf;
  if (found === undefined || isOther) return { result: 'Unknown' };
  const { user_id: userId, name } = found;
  const { userHandle } = assertion;
  if (userHandle !== undefined && userHandle !== userHandleOf(userId)) return { result: 'Wrong', userId };
  const expiryOf = await expiryOfChallenges(context, use);
  const used = await verifyAssertion(assertion, found.public_key, { ...site, expiryOf });
  if (used === undefined || !(await takeChallenge(tx, used))) return { result: 'Wrong', userId };
  await tx
    .updateTable('passkeys')
    .set({ counter: used.counter, is_backed_up: used.isBackedUp, last_used_at: now })
    .where('credential_id', '=', assertion.credentialId)
    .execute();
  const isCounting = used.counter > 0 || found.counter > 0;
  return { result: 'Right', userId, name, isBackwards: isCounting && used.counter <= found.counter };
}

/** How authenticators know a user, in base64url. */
export const userHandleOf = (userId: string): string => Buffer.from(userId).toString('base64url');

interface AddedPasskey extends NewPasskey {
  readonly userId: string;
  readonly name: string;
  readonly rpId: string;
  readonly transports: readonly string[];
  readonly now: Date;
}

/** Adds a passkey; why not, if the user has too many or it is registered already. */
export async function addPasskey(
  tx: Database,
  { userId, name, rpId, transports, now, credentialId, publicKey, counter, isBackedUp }: AddedPasskey,
): Promise<'Added' | 'TooMany' | 'Known'> {
  // Locked, so that two at the same time are counted one after the other.
  await sql`select from users where user_id = ${userId} for no key update`.execute(tx);
  if ((await readPasskeys(tx, userId)).length >= amounts.passkeys.max) return 'TooMany';
  const { numAffectedRows } = await sql`
    insert into passkeys (credential_id, user_id, name, rp_id, public_key, counter, transports, is_backed_up, created_at)
      values (${credentialId}, ${userId}, ${name}, ${rpId}, ${Buffer.from(publicKey)}, ${counter}, ${transports}::text[], ${isBackedUp}, ${now})
    on conflict do nothing`.execute(tx);
  return numAffectedRows === 1n ? 'Added' : 'Known';
}
