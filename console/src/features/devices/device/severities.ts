import type { DeviceEventSeverity } from '@corral/contract';

/** The severities of device events, the most severe first. */
export const severities = [
  'Critical',
  'Error',
  'Warning',
  'Info',
  'Debug',
  'Trace',
] as const satisfies readonly DeviceEventSeverity[];
