import { maxEnrolledCounted, type Output } from '@corral/contract';
import { terms } from '../../copy/terms.ts';
import { actionMutation } from '../../data/action-mutation.ts';
import { patchRows } from '../../data/optimistic.ts';

/** A deployment token of a project, without its secret. */
export type Token = Output<'projects_QueryProjectDeploymentTokens'>['tokens'][number];

/** The displayed name of a token. */
export const tokenName = ({ name = '' }: Token): string => (name.trim() === '' ? terms.unnamed : name);

/** Whether devices with the token are let in without asking. */
export const isOn = ({ flags }: Token): boolean => flags.autoAccept === true;

/** How many more devices a token may enrol; undefined for any number. */
export const usesLeft = ({ maxUses, uses = 0 }: Token): number | undefined =>
  maxUses === undefined ? undefined : Math.max(0, maxUses - uses);

/** How many devices have enrolled; `hasMore` where the hub counted no further. */
export type EnrolledDevices = { counted: number; hasMore: boolean };

/** The number of devices that tokens have enrolled together. */
export function enrolledBy(tokens: readonly Token[]): EnrolledDevices {
  const counts = tokens.map(({ enrolledDevices = 0 }) => enrolledDevices);
  return {
    counted: counts.reduce((sum, each) => sum + Math.min(each, maxEnrolledCounted), 0),
    hasMore: counts.some((each) => each > maxEnrolledCounted),
  };
}

/** Switches whether a deployment token accepts certificates automatically, optimistically. */
export const setFlags = actionMutation(
  'projects_SetDeploymentTokenFlags',
  'projects_DeploymentTokenFlagsChanged',
  {
    patches: ({ tokenId, flags }) => [
      patchRows('projects_QueryProjectDeploymentTokens', 'tokens', (tokens) =>
        tokens.map((one) => (one.tokenId === tokenId ? { ...one, flags: { ...one.flags, ...flags } } : one)),
      ),
    ],
  },
);

/** Deletes a deployment token, which closes the connections of its devices. */
export const deleteToken = actionMutation(
  'projects_DeleteDeploymentToken',
  'projects_DeploymentTokenDeleted',
);
