import type { Id } from '@corral/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { createDeploymentToken } from '../../data/mutations-projects.ts';
import { projectDevicesQuery } from '../../data/queries-projects.ts';
import { type Baseline, baselineOf } from './awaited-devices.ts';

/** A token that was just made, with its secret, and how the devices were before anybody used it. */
export type MadeToken = { tokenId: Id<'deploymentTokenId'>; token: string; baseline: Baseline };

/** Makes a deployment token in place and holds its secret while it is shown, nowhere else. */
export function useMadeToken(projectId: Id<'project'>): {
  made: MadeToken | undefined;
  isMaking: boolean;
  failure: string | undefined;
  make: (name: string) => Promise<void>;
  forget: () => void;
} {
  const client = useQueryClient();
  const { mutateAsync, reset, isPending } = useMutation({ ...createDeploymentToken, gcTime: 0 });
  const [made, setMade] = useState<MadeToken>();
  const [failure, setFailure] = useState<string>();
  async function make(name: string): Promise<void> {
    setFailure(undefined);
    const devices = client.getQueryData(projectDevicesQuery(projectId).queryKey)?.devices ?? [];
    try {
      const { tokenId, token } = await mutateAsync({ projectId, name });
      setMade({ tokenId, token, baseline: baselineOf(devices) });
    } catch (error) {
      setFailure(error instanceof Error ? error.message : String(error));
    } finally {
      // The secret must not stay behind in the list of past mutations.
      reset();
    }
  }
  return { made, isMaking: isPending, failure, make, forget: () => setMade(undefined) };
}
