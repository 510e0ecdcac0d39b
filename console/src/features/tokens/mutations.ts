import { actionMutation } from '../../data/action-mutation.ts';
import { patchAnswers } from '../../data/optimistic.ts';

/** Switches whether a deployment token accepts certificates automatically, optimistically. */
export const setDeploymentTokenFlags = actionMutation(
  'projects_SetDeploymentTokenFlags',
  'projects_DeploymentTokenFlagsChanged',
  {
    patches: ({ tokenId, flags }) => [
      patchAnswers('projects_QueryProjectDeploymentTokens', ({ tokens, ...answer }) => ({
        ...answer,
        tokens: tokens.map((token) =>
          token.tokenId === tokenId ? { ...token, flags: { ...token.flags, ...flags } } : token,
        ),
      })),
    ],
  },
);

/** Deletes a deployment token, which closes the connections of its devices. */
export const deleteDeploymentToken = actionMutation(
  'projects_DeleteDeploymentToken',
  'projects_DeploymentTokenDeleted',
);
