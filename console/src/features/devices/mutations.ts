import { actionMutation } from '../../data/action-mutation.ts';
import { patchAnswers, patchOf } from '../../data/optimistic.ts';
import { savedViewsQuery } from '../../data/queries-projects.ts';
import { deviceQuery } from './queries.ts';

/** Renames a device, optimistically; a blank name clears it. Its inverse is the same mutation with the former name. */
export const renameDevice = actionMutation('devices_SetDeviceName', 'devices_NameChanged', {
  patches: ({ deviceId, name = '' }) => {
    const renamed = <Device extends { name?: string | undefined }>({ name: _former, ...device }: Device) =>
      (name.trim() === '' ? device : { ...device, name }) as Device;
    return [
      patchOf(deviceQuery(deviceId), renamed),
      patchAnswers('projects_QueryProjectDevices', ({ devices, ...answer }) => ({
        ...answer,
        devices: devices.map((device) => (device.deviceId === deviceId ? renamed(device) : device)),
      })),
    ];
  },
});

/** Replaces the metadata of a device. */
export const setMetadata = actionMutation('devices_SetDeviceMetadata', 'devices_MetadataChanged');

/** Sets or removes one label of a device. */
export const setLabel = actionMutation('devices_SetDeviceLabel', 'devices_LabelChanged');

/** Sets a property of a device. */
export const setProperty = actionMutation('devices_SetDeviceProperty', 'devices_PropertiesChanged');

/** Issues a URL that opens a web page of a device; valid once, for one minute. */
export const issueProxyUrl = actionMutation(
  'devices_IssueDeviceHttpProxyToken',
  'devices_HttpProxyTokenIssued',
);

/** Deletes a device with all its data. */
export const deleteDevice = actionMutation('devices_DeleteDevice', 'devices_Deleted', {
  deletes: ({ deviceId }) => deviceId,
});

/** Accepts or rejects a pending certificate, or revokes an active one. */
export const setCertificateStatus = actionMutation(
  'devices_SetDeviceCertificateStatus',
  'devices_CertificateStatusChanged',
);

/** Accepts those of up to 500 certificates of a project that are still pending. */
export const acceptCertificates = actionMutation(
  'projects_AcceptDeviceCertificates',
  'devices_CertificateStatusChanged',
);

/** Saves a view of the list, instead of one of the same name. */
export const saveView = actionMutation('projects_SaveView', 'projects_SavedViewsChanged');

/** Deletes a saved view of the list. */
export const deleteSavedView = actionMutation('projects_DeleteSavedView', 'projects_SavedViewsChanged', {
  patches: ({ projectId, name }) => [
    patchOf(savedViewsQuery(projectId), ({ views, ...answer }) => ({
      ...answer,
      views: views.filter((view) => view.name !== name),
    })),
  ],
});

/** Deletes a certificate, whatever its status. */
export const deleteCertificate = actionMutation(
  'devices_DeleteDeviceCertificate',
  'devices_CertificateDeleted',
);

/** Creates an operation on one device. */
export const createOperation = actionMutation('devices_CreateOperation', 'devices_OperationCreated');

/** Starts an operation on one device. */
export const startOperation = actionMutation('devices_StartOperation', 'devices_OperationStarted');
