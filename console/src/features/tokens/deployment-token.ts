import type { Output } from '@corral/contract';
import { terms } from '../../copy/terms.ts';

/** A deployment token of a project, without its secret. */
export type DeploymentToken = Output<'projects_QueryProjectDeploymentTokens'>['tokens'][number];

/** The displayed name of a token. */
export function tokenName({ name }: DeploymentToken): string {
  return name === undefined || name.trim() === '' ? terms.unnamed : name;
}
