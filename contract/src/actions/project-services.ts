import { z } from 'zod';
import { command, query } from '../define.ts';
import { ids } from '../ids.ts';
import { empty, mapOf, text } from '../scalars.ts';

const otlpConfig = z.object({
  enabled: z.boolean(),
  endpoint: text.optional(),
  headers: mapOf(text),
});

/** Actions on optional services of a project. This hub exports no telemetry and pairs no devices. */
export const projectServicesActions = {
  projects_GetOtlpConfig: query({
    doc: 'Returns where the telemetry of a project is exported to, with masked header values; this hub exports none, so it is always disabled.',
    reads: [],
    input: z.object({ projectId: ids.project.schema }),
    output: z.object({ config: otlpConfig }),
  }),
  projects_SetOtlpConfig: command({
    doc: 'Sets where the telemetry of a project is exported to; this hub exports none, so only disabling is accepted.',
    input: z.object({ projectId: ids.project.schema, config: otlpConfig }),
    output: empty,
  }),
  projects_RedeemDevicePairingKey: command({
    doc: 'Exchanges a pairing key for a project and a deployment token; this hub issues no pairing keys.',
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
