import { uiCopy } from '../copy.ts';
import { Badge } from './Badge.tsx';
import { StatusDot } from './StatusDot.tsx';

/** Whether a device is connected. */
export function DeviceBadge({ isConnected }: { isConnected: boolean }) {
  return (
    <Badge tone={isConnected ? 'ok' : 'mute'} icon={<StatusDot isHollow={!isConnected} />}>
      {isConnected ? uiCopy.device.connected : uiCopy.device.disconnected}
    </Badge>
  );
}
