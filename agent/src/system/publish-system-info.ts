import type { DeviceLink } from '../link/device-link.ts';
import { asJson, systemInfo, systemInfoProperty, type SystemInfo } from './system-info.ts';

const everyMs = 1_800_000;

/** Publishes the system information at once and every half hour; `onFailure` is called for failures other than the end of the connection. */
export function publishSystemInfo(
  link: DeviceLink,
  onFailure: (message: string) => void,
  read: () => Promise<SystemInfo> = systemInfo,
): void {
  const publish = async (): Promise<void> => {
    try {
      const value = asJson(await read());
      if (link.end !== undefined) return;
      const { deviceId } = link;
      await link.executor.invoke('devices_SetDeviceProperty', { deviceId, name: systemInfoProperty, value });
    } catch (error) {
      if (link.end === undefined) onFailure(error instanceof Error ? error.message : String(error));
    }
  };
  const timer = setInterval(() => void publish(), everyMs);
  void link.closed.then(() => clearInterval(timer));
  void publish();
}
