import type { DeviceCertificateStatus, Id } from '@corral/contract';
import { mutationOptions } from '@tanstack/react-query';
import { guardDeletion } from '../../data/deletion-guard.ts';
import { hubOf } from '../../data/hub.ts';
import { optimistic, patchOf, invalidates } from '../../data/optimistic.ts';
import { deviceQuery } from './queries.ts';
import { projectDevicesQuery, projectQuery } from '../../data/queries-projects.ts';

/** The ids that identify a device in the cache. */
export interface DeviceRef {
  readonly projectId: Id<'project'>;
  readonly deviceId: Id<'device'>;
}

/** The ids that identify a certificate in the cache. */
export interface CertificateRef extends DeviceRef {
  readonly certificateId: Id<'deviceCertificate'>;
}

/** Renames a device, optimistically; a blank name clears it. Its inverse is the same mutation with the former name. */
export const renameDevice = mutationOptions({
  mutationKey: ['renameDevice'],
  mutationFn: ({ deviceId, name }: DeviceRef & { name: string }, { client }) =>
    hubOf(client).invoke('devices_SetDeviceName', { deviceId, name }),
  ...optimistic(({ projectId, deviceId, name }: DeviceRef & { name: string }) => {
    const renamed = <Device extends { name?: string | undefined }>({ name: _former, ...device }: Device) =>
      (name.trim() === '' ? device : { ...device, name }) as Device;
    return [
      patchOf(deviceQuery(deviceId), renamed),
      patchOf(projectDevicesQuery(projectId), ({ devices }) => ({
        devices: devices.map((device) => (device.deviceId === deviceId ? renamed(device) : device)),
      })),
    ];
  }, deviceKeys),
});

/** The port of a device to open in a browser, and the page that the browser returns to afterwards. */
interface ProxyUrlRequest {
  readonly deviceId: Id<'device'>;
  readonly port: number;
  readonly redirect: string;
}

/** Issues a URL that opens a web page of a device; valid once, for one minute. */
export const issueProxyUrl = mutationOptions({
  mutationKey: ['issueProxyUrl'],
  mutationFn: (request: ProxyUrlRequest, { client }) =>
    hubOf(client).invoke('devices_IssueDeviceHttpProxyToken', request),
});

/** Deletes a device with all its data. */
export const deleteDevice = mutationOptions({
  mutationKey: ['deleteDevice'],
  mutationFn: ({ deviceId }: DeviceRef, { client }) =>
    guardDeletion(client, deviceId, () => hubOf(client).invoke('devices_DeleteDevice', { deviceId })),
  ...invalidates(({ projectId }: DeviceRef) => listKeys(projectId)),
});

/** Accepts or rejects a pending certificate, or revokes an active one. */
export const setCertificateStatus = mutationOptions({
  mutationKey: ['setCertificateStatus'],
  mutationFn: ({ certificateId, status }: CertificateRef & { status: DeviceCertificateStatus }, { client }) =>
    hubOf(client).invoke('devices_SetDeviceCertificateStatus', { certificateId, status }),
  ...invalidates(deviceKeys),
});

/** Deletes a certificate, whatever its status. */
export const deleteCertificate = mutationOptions({
  mutationKey: ['deleteCertificate'],
  mutationFn: ({ certificateId }: CertificateRef, { client }) =>
    hubOf(client).invoke('devices_DeleteDeviceCertificate', { certificateId }),
  ...invalidates(deviceKeys),
});

function deviceKeys({ projectId, deviceId }: DeviceRef) {
  return [deviceQuery(deviceId).queryKey, ...listKeys(projectId)];
}

function listKeys(projectId: Id<'project'>) {
  return [
    projectDevicesQuery(projectId).queryKey,
    projectQuery(projectId).queryKey,
    ['projects_QueryAuditLog'],
    ['users_QueryUserProjects'],
  ];
}
