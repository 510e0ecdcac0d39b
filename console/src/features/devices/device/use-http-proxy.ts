import type { Id } from '@corral/contract';
import { useMutation } from '@tanstack/react-query';
import { deviceCopy } from './copy.ts';
import { issueProxyUrl } from '../mutations.ts';
import { openIssuedUrl } from '../../../parts/blank-tab.ts';
import { withPath } from './with-path.ts';

/** A web page of a device. */
export interface DevicePage {
  readonly port: number;
  readonly path?: string | undefined;
}

/** Opens web pages of a device in new tabs; errors show in a toast. */
export function useHttpProxy(deviceId: Id<'device'>): {
  isOpening: boolean;
  open: (page: DevicePage) => Promise<void>;
} {
  const { mutateAsync, isPending } = useMutation(issueProxyUrl);
  async function issue({ port, path }: DevicePage): Promise<string> {
    const redirect = window.location.pathname;
    const { url } = await mutateAsync({ deviceId, port, redirect });
    return withPath(url, path);
  }
  return {
    isOpening: isPending,
    open: (page) => openIssuedUrl(() => issue(page), deviceCopy.proxy),
  };
}
