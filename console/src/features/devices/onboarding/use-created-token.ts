import type { Id } from '@corral/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useRun } from '../../../data/action-mutation.ts';
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
  const run = useRun();
  const [isCreating, setIsCreating] = useState(false);
  const [created, setCreated] = useState<CreatedToken>();
  const [failure, setFailure] = useState<string>();
  async function create(name: string): Promise<void> {
    setFailure(undefined);
    setIsCreating(true);
    const devices = client.getQueryData(projectDevicesQuery(projectId).queryKey)?.devices ?? [];
    try {
      const flags = { autoAccept: true };
      const { tokenId, token } = await run(createDeploymentToken, { projectId, name, flags });
      setCreated({ tokenId, token, baseline: baselineOf(devices) });
    } catch (error) {
      setFailure(messageOf(error));
    } finally {
      setIsCreating(false);
    }
  }
  return { created, isCreating, failure, create };
}
