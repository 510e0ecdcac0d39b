import type { Id } from '@corral/contract';
import { useMutation } from '@tanstack/react-query';
import { deviceCopy } from './copy.ts';
import { issueProxyUrl } from '../mutations.ts';
import { showToast } from '../../../ui/overlay/toast.ts';
import { openBlankTab, withPath } from './proxy-tab.ts';
import { messageOf } from '../../../ui/form/message-of.ts';

const words = deviceCopy.proxy;

/** A web page of a device. */
export interface DevicePage {
  readonly port: number;
  readonly path?: string | undefined;
}

/** Opens web pages of a device in new tabs; errors show in a toast. */
export function useHttpProxy(deviceId: Id<'device'>): {
  isOpening: boolean;
  open: (page: DevicePage) => void;
} {
  const issue = useMutation(issueProxyUrl);
  async function open({ port, path }: DevicePage): Promise<void> {
    const tab = openBlankTab();
    try {
      const redirect = window.location.pathname;
      const { url } = await issue.mutateAsync({ deviceId, port, redirect });
      const address = withPath(url, path);
      if (tab === undefined) offerInToast(address);
      else tab.navigate(address);
    } catch (error) {
      tab?.close();
      showToast(words.failed, {
        tone: 'danger',
        text: messageOf(error),
      });
    }
  }
  return { isOpening: issue.isPending, open: (page) => void open(page) };
}

/** The browser blocked the tab; a click on the toast may open one. */
function offerInToast(address: string): void {
  const onClick = (): void => void window.open(address, '_blank', 'noopener');
  showToast(words.blocked, { action: { label: words.open, onClick }, durationMs: 0 });
}
