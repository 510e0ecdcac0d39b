import type { Id } from '@corral/contract';
import { useMutation } from '@tanstack/react-query';
import { enDevice } from '../../copy/en-device.ts';
import { issueProxyUrl } from '../../data/mutations-devices.ts';
import { showToast } from '../../ui/overlay/toast.ts';
import { openWaitingTab, withPath } from './proxy-tab.ts';

const words = enDevice.proxy;

/** A web page of a device. */
export interface DevicePage {
  readonly port: number;
  readonly path?: string | undefined;
}

/** Opens web pages of a device in new tabs; what fails is told by a toast. */
export function useHttpProxy(deviceId: Id<'device'>): {
  isOpening: boolean;
  open: (page: DevicePage) => void;
} {
  const issue = useMutation(issueProxyUrl);
  async function open({ port, path }: DevicePage): Promise<void> {
    const tab = openWaitingTab();
    try {
      const redirect = window.location.pathname;
      const { url } = await issue.mutateAsync({ deviceId, port, redirect });
      const address = withPath(url, path);
      if (tab === undefined) offer(address);
      else tab.go(address);
    } catch (error) {
      tab?.close();
      showToast(words.failed, {
        tone: 'danger',
        text: error instanceof Error ? error.message : String(error),
      });
    }
  }
  return { isOpening: issue.isPending, open: (page) => void open(page) };
}

/** Where the browser refused a tab, a click on the toast is allowed one. */
function offer(address: string): void {
  const onClick = (): void => void window.open(address, '_blank', 'noopener');
  showToast(words.blocked, { action: { label: words.open, onClick }, durationMs: 0 });
}
