import { z } from 'zod';
import { command } from '../define.ts';
import { ids } from '../ids.ts';
import { text } from '../scalars.ts';

/** Actions on optional services of a project. This hub pairs no devices. */
export const projectServicesActions = {
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
