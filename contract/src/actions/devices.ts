import { z } from 'zod';
import { command, query } from '../define.ts';
import { deviceCertificateStatus, proxyTokenFault } from '../enums.ts';
import { ids } from '../ids.ts';
import { pagedQuery } from '../paging.ts';
import {
  certificateFingerprint,
  empty,
  json,
  jsonMap,
  listOf,
  text,
  timestamp,
  uint16,
  uint32,
} from '../scalars.ts';
import { actor, deviceEvent, recentConnection } from '../shapes.ts';

/** The actions of devices: certificates, metadata, tokens, events. */
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
    doc: 'Reads one device with its metadata, certificates and live connections.',
    reads: ['devices', 'certificates', 'connections', 'properties'],
    input: z.object({ deviceId: ids.device.schema }),
    output: z.object({
      deviceId: ids.device.schema,
      projectId: ids.project.schema,
      fingerprintId: ids.deviceFingerprintId.schema,
      name: text.optional(),
      isConnected: z.boolean(),
      metadata: jsonMap,
      certificates: z.array(
        z.object({
          certificateId: ids.deviceCertificate.schema,
          status: deviceCertificateStatus,
          fingerprint: certificateFingerprint,
          firstSeen: timestamp,
        }),
      ),
      connections: z.array(
        z.object({
          connectionId: ids.deviceConnection.schema,
          nodeId: ids.clusterNode.schema,
          connectedAt: timestamp,
          connectedForSecs: uint32,
        }),
      ),
      /** The connections of the last 24 hours, ended ones among them, newest first, at most 500. */
      recentConnections: z.array(recentConnection).optional(),
    }),
  }),
  devices_CreateDevice: command({
    doc: 'Creates a device for a known fingerprint before its first connection.',
    input: z.object({ projectId: ids.project.schema, fingerprint: ids.deviceFingerprint.schema }),
    output: z.object({ deviceId: ids.device.schema }),
  }),
  devices_DeleteDevice: command({
    doc: 'Deletes a device with all its data and cuts its connections.',
    input: z.object({ deviceId: ids.device.schema }),
    output: empty,
  }),
  devices_SetDeviceName: command({
    doc: 'Names a device; without a name, or with a blank one, the name is cleared.',
    input: z.object({ deviceId: ids.device.schema, name: text.optional() }),
    output: empty,
  }),
  devices_SetDeviceMetadata: command({
    doc: 'Replaces the metadata of a device.',
    input: z.object({ deviceId: ids.device.schema, metadata: jsonMap }),
    maxInputBytes: 128 * 1024,
    output: empty,
    audit: 'none',
  }),
  devices_IssueDeviceToken: command({
    doc: 'Issues a signed token by which third parties recognise a device.',
    input: z.object({
      deviceId: ids.device.schema,
      validForSecs: uint32.optional(),
      claims: json.optional(),
    }),
    output: z.object({ jwt: text }),
  }),
  devices_ValidateDeviceToken: query({
    doc: 'Checks a token that was issued for a device.',
    reads: [],
    input: z.object({ jwt: text }),
    output: z.discriminatedUnion('result', [
      z.object({ result: z.literal('Invalid') }),
      z.object({ result: z.literal('Valid'), deviceId: ids.device.schema, claims: json }),
    ]),
  }),
  devices_AuthenticateDevice: command({
    doc: "Admits a device: deployment token, fingerprint and certificate to a device, which is enrolled when it is new; for the hub's own doors.",
    input: z.object({
      fingerprint: ids.deviceFingerprint.schema,
      token: ids.deploymentToken.schema,
      certificate: certificateFingerprint,
    }),
    output: z.object({
      /** Always there; optional, since the first clients do not know it. */
      projectId: ids.project.schema.optional(),
      deviceId: ids.device.schema,
      tokenId: ids.deploymentTokenId.schema,
      fingerprintId: ids.deviceFingerprintId.schema,
      certificateId: ids.deviceCertificate.schema,
      actor: actor,
    }),
    audit: 'none',
  }),
  devices_AddDeviceCertificate: command({
    doc: 'Adds a certificate to a device, pending unless said otherwise.',
    input: z.object({
      deviceId: ids.device.schema,
      fingerprint: certificateFingerprint,
      status: deviceCertificateStatus.optional(),
    }),
    output: z.object({ certificateId: ids.deviceCertificate.schema }),
  }),
  devices_DeleteDeviceCertificate: command({
    doc: 'Deletes a certificate, whatever its status, and cuts the connections made with it.',
    input: z.object({ certificateId: ids.deviceCertificate.schema }),
    output: empty,
  }),
  devices_SetDeviceCertificateStatus: command({
    doc: 'Accepts or rejects a pending certificate, or revokes an active one, which cuts its connections.',
    input: z.object({ certificateId: ids.deviceCertificate.schema, status: deviceCertificateStatus }),
    output: empty,
  }),
  devices_IssueDeviceHttpProxyToken: command({
    doc: 'Issues a URL that opens a web page of the device in a browser.',
    input: z.object({
      deviceId: ids.device.schema,
      validForSecs: uint32.optional(),
      hostname: text.optional(),
      port: uint16.optional(),
      redirect: text.optional(),
    }),
    output: z.object({ jwt: text, url: text }),
  }),
  devices_RedeemDeviceHttpProxyToken: command({
    doc: "Turns a token of the HTTP proxy into what the browser keeps as its cookie; for the hub's own doors.",
    input: z.object({ jwt: text }),
    output: z.discriminatedUnion('result', [
      z.object({ result: z.literal('Invalid'), redirect: text.optional(), reason: proxyTokenFault }),
      z.object({ result: z.literal('Redeemed'), accessToken: text, hostname: text, validForSecs: uint32 }),
    ]),
    audit: 'none',
  }),
  devices_ValidateDeviceHttpProxyToken: query({
    doc: 'Checks a token of the HTTP proxy, and that the access it stands for still holds.',
    reads: [],
    input: z.object({ jwt: text }),
    output: z.discriminatedUnion('result', [
      z.object({
        result: z.literal('Invalid'),
        redirect: text.optional(),
        /** What is wrong with it; told to the hub's own doors alone. */
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
    doc: 'Stores events of a device; an event id that the device has used before is ignored, so retries are safe.',
    input: z.object({ deviceId: ids.device.schema, events: listOf(deviceEvent, 1000) }),
    maxInputBytes: 1024 * 1024,
    output: empty,
    audit: 'none',
  }),
  devices_RotateEventPartitions: command({
    doc: "Makes room for the events of the coming months and drops those older than the retention; part of the hub's upkeep.",
    input: z.object({ retentionMonths: z.int().min(1).max(1200) }),
    output: empty,
    audit: 'none',
  }),
  devices_QueryDeviceEvents: pagedQuery({
    doc: 'Lists the events of a device, newest first by the time of emission; a page has 100 events unless told and at most 1000.',
    reads: ['events'],
    input: z.object({ deviceId: ids.device.schema }),
    output: z.object({ events: z.array(deviceEvent) }),
  }),
} as const;
