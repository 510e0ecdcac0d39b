import type { Id, Output } from '@corral/contract';

/** One device with its metadata, certificates and connections. */
export type DeviceDetails = Output<'devices_GetDeviceDetails'>;

/** A certificate of a device. */
export type DeviceCertificate = DeviceDetails['certificates'][number];

/** The props of the cards of a device: its details once loaded, else the error. */
export type DeviceCardProps = {
  projectId: Id<'project'>;
  deviceId: Id<'device'>;
  details: DeviceDetails | undefined;
  /** When the details were read, in milliseconds since the epoch. */
  readAtMs: number;
  error: unknown;
  onRetry: () => void;
};
