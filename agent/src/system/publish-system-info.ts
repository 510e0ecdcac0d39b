import type { DeviceLink } from '../link/device-link.ts';
import { asJson, systemInfo, systemInfoProperty, type AgentInfo } from './system-info.ts';

const everyMs = 1_800_000;

/** Publishes the system information at once and every half hour; `onFailure` is called for failures other than the end of the connection. */
export function publishSystemInfo(
  link: DeviceLink,
  agent: AgentInfo,
  onFailure: (message: string) => void,
): void {
  const publish = async (): Promise<void> => {
    try {
      const value = asJson({ ...(await systemInfo()), agent });
      if (link.end === undefined) await link.setProperty(systemInfoProperty, value);
    } catch (error) {
      if (link.end === undefined) onFailure(error instanceof Error ? error.message : String(error));
    }
  };
  const timer = setInterval(() => void publish(), everyMs);
  void link.closed.then(() => clearInterval(timer));
  void publish();
}
