import { actionMutation } from '../data/action-mutation.ts';

/** Creates a deployment token; only the answer contains the secret. */
export const createDeploymentToken = actionMutation(
  'projects_CreateDeploymentToken',
  'projects_DeploymentTokenCreated',
);
