import type { Id, Output } from '@corral/contract';
import { actionMutation } from '../../../data/action-mutation.ts';
import { actionQuery } from '../../../data/action-query.ts';
import { everyMinute } from '../../../data/intervals.ts';

/** A pairing key of a project, without its secret. */
export type PairingKey = Output<'projects_QueryDevicePairingKeys'>['pairingKeys'][number];
/** A new pairing key; only this answer contains it. */
export type NewPairingKey = Output<'projects_CreateDevicePairingKey'>;

/** The pairing keys of a project, newest first. */
export const pairingKeysQuery = (projectId: Id<'project'>) =>
  actionQuery('projects_QueryDevicePairingKeys', { projectId }, everyMinute);
/** Creates a pairing key. */
export const createPairingKey = actionMutation(
  'projects_CreateDevicePairingKey',
  'projects_PairingKeyCreated',
);
/** Ends a pairing key. */
export const revokePairingKey = actionMutation(
  'projects_RevokeDevicePairingKey',
  'projects_PairingKeyRevoked',
);

const mostTries = 5;

/** What became of a key. */
export type KeyState = 'open' | 'connected' | 'redeemed' | 'revoked' | 'guessed' | 'expired';

/** The state of a key at a time of the hub. */
export function keyState(key: PairingKey, nowMs: number): KeyState {
  if (key.usedAt !== undefined) return key.isConnected === true ? 'connected' : 'redeemed';
  if (key.revokedAt !== undefined) return 'revoked';
  if (key.tries >= mostTries) return 'guessed';
  return Date.parse(key.expiresAt) <= nowMs ? 'expired' : 'open';
}

/** The seconds left as minutes and seconds, such as 4:07. */
export function clockText(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1_000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
