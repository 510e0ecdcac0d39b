import type { Id } from '@corral/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useRun } from '../../../data/action-mutation.ts';
import { createDeploymentToken } from '../../../parts/create-deployment-token.ts';
import { projectDevicesQuery } from '../../../data/queries-projects.ts';
import { type Baseline, baselineOf } from './new-devices.ts';

/** A token that was just created, with its secret, and the devices before its first use. */
export type CreatedToken = { tokenId: Id<'deploymentTokenId'>; token: string; baseline: Baseline };

/** Creates a deployment token, or rejects, and keeps its secret in component state only. */
export function useCreatedToken(projectId: Id<'project'>): {
  created: CreatedToken | undefined;
  isCreating: boolean;
  create: (name: string) => Promise<void>;
} {
  const client = useQueryClient();
  const run = useRun();
  const [isCreating, setIsCreating] = useState(false);
  const [created, setCreated] = useState<CreatedToken>();
  async function create(name: string): Promise<void> {
    setIsCreating(true);
    const devices = client.getQueryData(projectDevicesQuery(projectId).queryKey)?.devices ?? [];
    try {
      const flags = { autoAccept: true };
      const { tokenId, token } = await run(createDeploymentToken, { projectId, name, flags });
      setCreated({ tokenId, token, baseline: baselineOf(devices) });
    } finally {
      setIsCreating(false);
    }
  }
  return { created, isCreating, create };
}
