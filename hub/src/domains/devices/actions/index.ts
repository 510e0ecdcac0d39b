// Generated from the files of hub/src/domains/ by `node tools/launch.cjs generate`.
import { AcceptDeviceCertificates } from './AcceptDeviceCertificates.ts';
import { AddDeviceCertificate } from './AddDeviceCertificate.ts';
import { CancelCertificateRotation } from './CancelCertificateRotation.ts';
import { CountFilteredDevices } from './CountFilteredDevices.ts';
import { CountProjectDevices } from './CountProjectDevices.ts';
import { CreateDevice } from './CreateDevice.ts';
import { DeleteDevice } from './DeleteDevice.ts';
import { DeleteDeviceCertificate } from './DeleteDeviceCertificate.ts';
import { FindOverviewDevice } from './FindOverviewDevice.ts';
import { GetDeviceDetails } from './GetDeviceDetails.ts';
import { GetDeviceLabels } from './GetDeviceLabels.ts';
import { GetDeviceProperty } from './GetDeviceProperty.ts';
import { GetOverview } from './GetOverview.ts';
import { GetPresence } from './GetPresence.ts';
import { IssueDeviceHttpProxyToken } from './IssueDeviceHttpProxyToken.ts';
import { IssueDeviceToken } from './IssueDeviceToken.ts';
import { PublishDeviceEvents } from './PublishDeviceEvents.ts';
import { QueryCertificateRotations } from './QueryCertificateRotations.ts';
import { QueryCommands } from './QueryCommands.ts';
import { QueryConnections } from './QueryConnections.ts';
import { QueryDeviceEvents } from './QueryDeviceEvents.ts';
import { QueryDeviceProperties } from './QueryDeviceProperties.ts';
import { QueryDevices } from './QueryDevices.ts';
import { QueryFilterFields } from './QueryFilterFields.ts';
import { QueryPendingCertificates } from './QueryPendingCertificates.ts';
import { QueryProjectDevices } from './QueryProjectDevices.ts';
import { QueryProjectEvents } from './QueryProjectEvents.ts';
import { QueryTimeline } from './QueryTimeline.ts';
import { RemoveProperty } from './RemoveProperty.ts';
import { SetDeviceCertificateStatus } from './SetDeviceCertificateStatus.ts';
import { SetDeviceLabel } from './SetDeviceLabel.ts';
import { SetDeviceMetadata } from './SetDeviceMetadata.ts';
import { SetDeviceName } from './SetDeviceName.ts';
import { SetDeviceProperty } from './SetDeviceProperty.ts';
import { ValidateDeviceHttpProxyToken } from './ValidateDeviceHttpProxyToken.ts';
import { ValidateDeviceToken } from './ValidateDeviceToken.ts';

/** The actions of this domain by wire name. */
export const devicesActions = {
  projects_AcceptDeviceCertificates: AcceptDeviceCertificates,
  devices_AddDeviceCertificate: AddDeviceCertificate,
  devices_CancelCertificateRotation: CancelCertificateRotation,
  projects_CountFilteredDevices: CountFilteredDevices,
  projects_CountProjectDevices: CountProjectDevices,
  devices_CreateDevice: CreateDevice,
  devices_DeleteDevice: DeleteDevice,
  devices_DeleteDeviceCertificate: DeleteDeviceCertificate,
  projects_FindOverviewDevice: FindOverviewDevice,
  devices_GetDeviceDetails: GetDeviceDetails,
  projects_GetDeviceLabels: GetDeviceLabels,
  devices_GetDeviceProperty: GetDeviceProperty,
  projects_GetOverview: GetOverview,
  devices_GetPresence: GetPresence,
  devices_IssueDeviceHttpProxyToken: IssueDeviceHttpProxyToken,
  devices_IssueDeviceToken: IssueDeviceToken,
  devices_PublishDeviceEvents: PublishDeviceEvents,
  devices_QueryCertificateRotations: QueryCertificateRotations,
  devices_QueryCommands: QueryCommands,
  devices_QueryConnections: QueryConnections,
  devices_QueryDeviceEvents: QueryDeviceEvents,
  devices_QueryDeviceProperties: QueryDeviceProperties,
  devices_QueryDevices: QueryDevices,
  projects_QueryFilterFields: QueryFilterFields,
  projects_QueryPendingCertificates: QueryPendingCertificates,
  projects_QueryProjectDevices: QueryProjectDevices,
  projects_QueryProjectEvents: QueryProjectEvents,
  devices_QueryTimeline: QueryTimeline,
  devices_RemoveProperty: RemoveProperty,
  devices_SetDeviceCertificateStatus: SetDeviceCertificateStatus,
  devices_SetDeviceLabel: SetDeviceLabel,
  devices_SetDeviceMetadata: SetDeviceMetadata,
  devices_SetDeviceName: SetDeviceName,
  devices_SetDeviceProperty: SetDeviceProperty,
  devices_ValidateDeviceHttpProxyToken: ValidateDeviceHttpProxyToken,
  devices_ValidateDeviceToken: ValidateDeviceToken,
};
