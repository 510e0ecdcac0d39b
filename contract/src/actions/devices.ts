import { z } from 'zod';
import { command, query } from '../define.ts';
import { deviceCertificateStatus, proxyTokenFault } from '../enums.ts';
import { ids } from '../ids.ts';
import { filterText, orderOf, pagedQuery } from '../paging.ts';
import {
  certificateFingerprint,
  deviceToken,
  empty,
  json,
  jsonMap,
  labelNameText,
  labelValue,
  listOf,
  nameText,
  text,
  timestamp,
  uint16,
  uint32,
} from '../scalars.ts';
import { deviceEvent, recentConnection } from '../shapes.ts';

/** Actions on devices, their certificates, metadata, tokens and events. */
export const devicesActions = {
  devices_QueryDevices: pagedQuery({
    doc: 'Lists all devices that the caller may see.',
    reads: ['devices', 'members'],
    input: empty,
    output: z.object({
      devices: z.array(z.object({ deviceId: ids.device.schema, projectId: ids.project.schema })),
    }),
  }),
  devices_GetDeviceDetails: query({
    doc: 'Returns a device with its metadata, certificates and connections: the live ones, and of those that ended the newest 50 at most.',
    reads: ['devices', 'certificates', 'connections', 'properties'],
    input: z.object({ deviceId: ids.device.schema }),
    output: z.object({
      deviceId: ids.device.schema,
      projectId: ids.project.schema,
      fingerprintId: ids.deviceFingerprintId.schema,
      name: text.optional(),
      isConnected: z.boolean(),
      metadata: jsonMap,
      /** What the device has stored, of how much it may. */
      usage: z
        .object({
          /** Of the properties and the metadata. */
          propertyBytes: z.int(),
          maxPropertyBytes: z.int(),
          eventsToday: z.int(),
          maxEventsPerDay: z.int(),
          eventBytesToday: z.int(),
          maxEventBytesPerDay: z.int(),
        })
        .optional(),
      certificates: z.array(
        z.object({
          certificateId: ids.deviceCertificate.schema,
          status: deviceCertificateStatus,
          fingerprint: certificateFingerprint,
          firstSeen: timestamp,
          /** Present where an authority of the project issued it. */
          authorityId: ids.certificateAuthority.schema.optional(),
          /** When an active one ends. */
          endsAt: timestamp.optional(),
          /** Whether it came with the fingerprint of its device and the token that is bound to it, while the window of its rotation was open, and it still is. */
          isExpected: z.boolean().optional(),
        }),
      ),
      connections: z.array(
        z.object({
          connectionId: ids.deviceConnection.schema,
          nodeId: ids.clusterNode.schema,
          connectedAt: timestamp,
          connectedForSecs: uint32,
          /** The address that it comes from; connections from before the hub noted it have none. */
          address: text.optional(),
        }),
      ),
      /** The connections of the last 24 hours, including ended ones, newest first, at most 500. */
      recentConnections: z.array(recentConnection).optional(),
    }),
  }),
  devices_CreateDevice: command({
    doc: 'Creates a device for a known fingerprint before its first connection.',
    input: z.object({ projectId: ids.project.schema, fingerprint: ids.deviceFingerprint.schema }),
    output: z.object({ deviceId: ids.device.schema }),
  }),
  devices_DeleteDevice: command({
    doc: 'Deletes a device with all its data and closes its connections; nobody sees its events any more, which are deleted in the background.',
    input: z.object({ deviceId: ids.device.schema }),
    output: empty,
  }),
  devices_SetDeviceName: command({
    doc: 'Sets the name of a device; an absent or blank name clears it.',
    input: z.object({ deviceId: ids.device.schema, name: nameText.optional() }),
    output: empty,
  }),
  devices_SetDeviceMetadata: command({
    doc: 'Replaces the metadata of a device; when the device does it, what people have set stays.',
    input: z.object({ deviceId: ids.device.schema, metadata: jsonMap }),
    maxInputBytes: 128 * 1024,
    output: empty,
    audit: 'people',
  }),
  devices_SetDeviceLabel: command({
    doc: 'Sets one label of a device, which is a plain value in its metadata, and leaves the others as they are; without a value the label is removed.',
    input: z.object({ deviceId: ids.device.schema, name: labelNameText, value: labelValue.optional() }),
    output: z.object({
      /** The former value; absent if the device had no such label. */
      before: labelValue.optional(),
    }),
  }),
  devices_IssueDeviceToken: command({
    doc: 'Issues a signed token that identifies a device to third parties: for an hour by default, and 366 days at most.',
    input: z.object({
      deviceId: ids.device.schema,
      validForSecs: uint32.optional(),
      claims: json.optional(),
    }),
    output: z.object({ jwt: deviceToken }),
  }),
  devices_ValidateDeviceToken: query({
    doc: 'Validates a token that was issued for a device; it is invalid while the device has no active certificate.',
    reads: [],
    input: z.object({ jwt: deviceToken }),
    output: z.discriminatedUnion('result', [
      z.object({ result: z.literal('Invalid') }),
      z.object({ result: z.literal('Valid'), deviceId: ids.device.schema, claims: json }),
    ]),
  }),
  devices_AddDeviceCertificate: command({
    doc: 'Adds a certificate to a device, pending by default; of more than 100 certificates of a device the oldest rejected ones are deleted.',
    input: z.object({
      deviceId: ids.device.schema,
      fingerprint: certificateFingerprint,
      status: deviceCertificateStatus.optional(),
    }),
    output: z.object({ certificateId: ids.deviceCertificate.schema }),
  }),
  devices_DeleteDeviceCertificate: command({
    doc: 'Deletes a certificate in any status and closes the connections made with it.',
    input: z.object({ certificateId: ids.deviceCertificate.schema }),
    output: empty,
  }),
  devices_SetDeviceCertificateStatus: command({
    doc: 'Accepts or rejects a pending certificate, or revokes an active one, which closes its connections.',
    input: z.object({ certificateId: ids.deviceCertificate.schema, status: deviceCertificateStatus }),
    output: empty,
  }),
  devices_IssueDeviceHttpProxyToken: command({
    doc: 'Issues a URL that opens a web page of the device in a browser; the access lasts for an hour by default, and a day at most.',
    input: z.object({
      deviceId: ids.device.schema,
      validForSecs: uint32.optional(),
      hostname: text.optional(),
      port: uint16.optional(),
      redirect: text.optional(),
    }),
    output: z.object({ jwt: text, url: text }),
  }),
  devices_ValidateDeviceHttpProxyToken: query({
    doc: 'Validates a token of the HTTP proxy and the access that it grants.',
    reads: [],
    input: z.object({ jwt: text }),
    output: z.discriminatedUnion('result', [
      z.object({
        result: z.literal('Invalid'),
        redirect: text.optional(),
        /** Why it is invalid; only for the hub itself. */
        reason: proxyTokenFault.optional(),
      }),
      z.object({
        result: z.literal('Valid'),
        deviceId: ids.device.schema,
        hostname: text.optional(),
        port: uint16.optional(),
      }),
    ]),
  }),
  devices_PublishDeviceEvents: command({
    doc: 'Stores events of a device; event ids already stored are ignored, so retries are safe.',
    input: z.object({ deviceId: ids.device.schema, events: listOf(deviceEvent, 1000) }),
    maxInputBytes: 1024 * 1024,
    output: empty,
    audit: 'none',
  }),
  devices_QueryDeviceEvents: pagedQuery({
    doc: 'Lists the events of a device, newest first by time of emission, or by time of receipt where the two are more than five minutes apart, unless the other order is asked for; a page has 100 events by default and at most 1000.',
    reads: ['events'],
    input: z.object({
      deviceId: ids.device.schema,
      filter: filterText.optional(),
      order: orderOf(['emitted']).optional(),
    }),
    output: z.object({ events: z.array(deviceEvent) }),
  }),
} as const;
