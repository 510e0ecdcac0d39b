import { actionMutation } from '../../data/action-mutation.ts';
import { patchRows } from '../../data/optimistic.ts';

/** Switches whether a deployment token accepts certificates automatically, optimistically. */
export const setDeploymentTokenFlags = actionMutation(
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
export const deleteDeploymentToken = actionMutation(
  'projects_DeleteDeploymentToken',
  'projects_DeploymentTokenDeleted',
);
