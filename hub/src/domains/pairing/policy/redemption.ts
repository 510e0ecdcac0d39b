import { ActionError, type EventName, type Id, ids, type Json, readPairingKey } from '@corral/contract';
import { networkOf } from '../../../auth/network.ts';
import { newRawSecret } from '../../../auth/random.ts';
import { countsOf } from '../../../auth/request-limits.ts';
import { hashSecret, lookupKey } from '../../../auth/secret.ts';
import type { Database } from '../../../platform/db/connect.ts';
import type { Vault } from '../../../platform/vault/vault.ts';
import { instanceKey } from '../../instance/index.ts';
import { countRequest, countWithinLimits } from '../../users/index.ts';
import { digestOf, isDigest } from './key-digest.ts';
import { addBoundToken, type KeyToken, takeKey, type TakenKey, tryKey } from '../sql/pairing-keys.ts';

/** Where a key is redeemed, and from which address. */
interface Context {
  readonly tx: Database;
  readonly now: Date;
  readonly vault: Vault;
  readonly input: { readonly pairingKey: string };
  readonly origin: { readonly ip?: string };
  readonly emit: (name: EventName, data: Readonly<Record<string, Json>>) => unknown;
}

/** How long after pairing the first certificate of a device is accepted. */
const acceptsForMs = 10 * 60_000;

/** Refusals are answered so long after the call, or a multiple: longer than any way to one takes. */
export const refusedAfterMs = 250;

/** Why a key is refused, whatever the reason. */
export function keyRefused(): ActionError {
  return new ActionError(
    'Invalid',
    'The pairing key is not valid: it was mistyped, was used, or has ended. Make a new one in the console, under Pair device.',
  );
}

/** Checks a key outside of a transaction, so that each try counts however it ends; resolves with its raw id. */
export async function proveKey(context: Context): Promise<string> {
  const { tx, input, now } = context;
  await countRequest(tx, await triesOf(context), now, 'Too many wrong pairing keys.');
  const parts = readPairingKey(input.pairingKey);
  const found = parts && (await tryKey(tx, parts.selector, now));
  if (!found) throw keyRefused();
  const key = await instanceKey(context, 'pairing-keys');
  if (!isDigest(digestOf(key, parts), found.digest)) throw keyRefused();
  return found.keyId;
}

/** Takes a proved key for a new token, once; its try counts no more for the address. */
export async function redeem(
  context: Context,
  keyId: string,
  deviceOf: (key: TakenKey, tokenId: string) => Promise<{ readonly deviceId: string | null }>,
): Promise<{
  readonly projectId: Id<'project'>;
  readonly tokenId: Id<'deploymentTokenId'>;
  readonly token: Id<'deploymentToken'>;
}> {
  const { tx, now, emit } = context;
  const secret = newRawSecret();
  const rawTokenId = lookupKey(secret);
  const taken = await takeKey(tx, keyId, rawTokenId, now);
  if (taken === undefined) throw keyRefused();
  const { deviceId } = await deviceOf(taken, rawTokenId);
  const added: KeyToken = {
    tokenId: rawTokenId,
    secretHash: hashSecret(secret),
    projectId: taken.projectId,
    name: taken.name ?? `Pairing ${taken.selector}`,
    deviceId,
    acceptsUntil: new Date(now.getTime() + acceptsForMs),
    now,
  };
  const projectId = ids.project.of(taken.projectId);
  for (const removed of await addBoundToken(tx, added))
    emit('projects_DeploymentTokenDeleted', { projectId, tokenId: ids.deploymentTokenId.of(removed) });
  await countWithinLimits(tx, await triesOf(context), now, -1);
  const tokenId = ids.deploymentTokenId.of(rawTokenId);
  emit('projects_PairingKeyRedeemed', {
    projectId,
    pairingKeyId: ids.pairingKey.of(keyId),
    selector: taken.selector,
    tokenId,
    ...(deviceId === null ? {} : { deviceId: ids.device.of(deviceId) }),
  });
  emit('projects_DeploymentTokenCreated', { projectId, tokenId, flags: { autoAccept: false } });
  return { projectId, tokenId, token: ids.deploymentToken.of(secret) };
}

async function triesOf(context: Context) {
  const key = await instanceKey(context, 'request-limits');
  return countsOf(key, 'pairingTries', networkOf(context.origin.ip ?? ''));
}
