import { maxEnrolledCounted, type Output } from '@corral/contract';
import { terms } from '../../copy/terms.ts';

/** A deployment token of a project, without its secret. */
export type DeploymentToken = Output<'projects_QueryProjectDeploymentTokens'>['tokens'][number];

/** The displayed name of a token. */
export const tokenName = ({ name = '' }: DeploymentToken): string =>
  name.trim() === '' ? terms.unnamed : name;

/** Whether devices with the token are let in without asking. */
export const isOn = ({ flags }: DeploymentToken): boolean => flags.autoAccept === true;

/** How many devices have enrolled; `hasMore` where the hub counted no further. */
export type EnrolledDevices = { counted: number; hasMore: boolean };

/** The number of devices that tokens have enrolled together. */
export function enrolledBy(tokens: readonly DeploymentToken[]): EnrolledDevices {
  const counts = tokens.map(({ enrolledDevices = 0 }) => enrolledDevices);
  return {
    counted: counts.reduce((sum, each) => sum + Math.min(each, maxEnrolledCounted), 0),
    hasMore: counts.some((each) => each > maxEnrolledCounted),
  };
}
