import { z } from 'zod';
import { command } from '../define.ts';
import { ids } from '../ids.ts';
import { filterText, pagedQuery } from '../paging.ts';
import { rotationChoices, rotationState } from '../rotation-shapes.ts';
import { empty, text, timestamp, uint32 } from '../scalars.ts';
import { actor } from '../shapes.ts';

const deviceId = ids.device.schema;
const projectId = ids.project.schema;

/** Rotation of the certificates of devices: the new one is announced over the old one, and the old one ends after the device has come with the new one. */
export const certificateRotationActions = {
  devices_StartCertificateRotation: command({
    doc: 'Opens a window in which a device, or those of a project that a filter finds, may replace their certificates; owners only.',
    input: z.object({
      /** Either a device, or a project with a filter. */
      deviceId: deviceId.optional(),
      projectId: projectId.optional(),
      /** A filter as the list of devices takes it; `all` for all devices of the project. */
      query: filterText.optional(),
      ...rotationChoices,
    }),
    output: z.object({ devices: uint32, jobId: ids.fleetJob.schema }),
  }),
  devices_CancelCertificateRotation: command({
    doc: 'Ends the rotation of the certificate of a device, while all that are active stay so; owners only.',
    input: z.object({ deviceId }),
    output: empty,
  }),
  devices_QueryCertificateRotations: pagedQuery({
    doc: 'Lists the rotations of certificates of a project or a device, newest first.',
    reads: ['certificates'],
    input: z.object({
      projectId: projectId.optional(),
      deviceId: deviceId.optional(),
      state: rotationState.optional(),
      /** Only those that rolled back or expired and were the last of their devices: a device whose window is opened again is resolved. */
      isUnresolved: z.boolean().optional(),
    }),
    output: z.object({
      rotations: z.array(
        z.object({
          deviceId,
          deviceName: text.optional(),
          state: rotationState,
          startedBy: actor,
          startedAt: timestamp,
          /** Until when the device may announce a certificate. */
          until: timestamp,
          graceSecs: uint32,
          reason: text.optional(),
          /** The certificate that was announced. */
          certificateId: ids.deviceCertificate.schema.optional(),
          announcedAt: timestamp.optional(),
          /** When the device came with the new certificate. */
          arrivedAt: timestamp.optional(),
          /** When the old certificates end. */
          oldEndsAt: timestamp.optional(),
          endedAt: timestamp.optional(),
          /** Why the last announcement was refused. */
          problem: text.optional(),
        }),
      ),
    }),
  }),
} as const;
