import type { Id } from '@corral/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { createDeploymentToken } from '../../../parts/create-deployment-token.ts';
import { projectDevicesQuery } from '../../../data/queries-projects.ts';
import { type Baseline, baselineOf } from './new-devices.ts';
import { messageOf } from '../../../ui/form/message-of.ts';

/** A token that was just created, with its secret, and the devices before its first use. */
export type CreatedToken = { tokenId: Id<'deploymentTokenId'>; token: string; baseline: Baseline };

/** Creates a deployment token and keeps its secret in component state only. */
export function useCreatedToken(projectId: Id<'project'>): {
  created: CreatedToken | undefined;
  isCreating: boolean;
  failure: string | undefined;
  create: (name: string) => Promise<void>;
} {
  const client = useQueryClient();
  const { mutateAsync, reset, isPending } = useMutation({ ...createDeploymentToken, gcTime: 0 });
  const [created, setCreated] = useState<CreatedToken>();
  const [failure, setFailure] = useState<string>();
  async function create(name: string): Promise<void> {
    setFailure(undefined);
    const devices = client.getQueryData(projectDevicesQuery(projectId).queryKey)?.devices ?? [];
    try {
      const { tokenId, token } = await mutateAsync({ projectId, name });
      setCreated({ tokenId, token, baseline: baselineOf(devices) });
    } catch (error) {
      setFailure(messageOf(error));
    } finally {
      // Without `reset` the mutation cache would keep the secret.
      reset();
    }
  }
  return { created, isCreating: isPending, failure, create };
}
