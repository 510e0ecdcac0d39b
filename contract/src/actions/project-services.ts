import { z } from 'zod';
import { command, query } from '../define.ts';
import { ids } from '../ids.ts';
import { empty, mapOf, text } from '../scalars.ts';

const otlpConfig = z.object({
  enabled: z.boolean(),
  endpoint: text.optional(),
  headers: mapOf(text),
});

/** The actions of what a hub may do for a project besides; this one exports no telemetry and pairs no devices. */
export const projectServicesActions = {
  projects_GetOtlpConfig: query({
    doc: 'Reads where the telemetry of a project is exported to, with its header values masked.',
    reads: [],
    input: z.object({ projectId: ids.project.schema }),
    output: z.object({ config: otlpConfig }),
  }),
  projects_SetOtlpConfig: command({
    doc: 'Chooses where the telemetry of a project is exported to; this hub exports none, so that it can only be switched off.',
    input: z.object({ projectId: ids.project.schema, config: otlpConfig }),
    output: empty,
  }),
  projects_RedeemDevicePairingKey: command({
    doc: 'Gives a device that shows a pairing key its project and its deployment token; this hub gives no pairing keys out.',
    input: z.object({
      pairingKey: text,
      fingerprint: ids.deviceFingerprint.schema,
      deviceName: text.optional(),
    }),
    output: z.object({
      projectId: ids.project.schema,
      deviceId: ids.device.schema,
      tokenId: ids.deploymentTokenId.schema,
      token: ids.deploymentToken.schema,
    }),
    audit: 'none',
  }),
} as const;
