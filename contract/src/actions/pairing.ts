import { z } from 'zod';
import { command } from '../define.ts';
import { ids } from '../ids.ts';
import { pagedQuery } from '../paging.ts';
import { maxPairingKeySecs } from '../pairing-key.ts';
import { empty, text, textUpTo, timestamp, uint32 } from '../scalars.ts';

const named = textUpTo(128).min(1, 'must have at least one character').normalize();

/** Ten symbols, with or without a dash; what is no key is refused as a wrong one is. */
const pairingKey = textUpTo(64);

/** Pairing: a key that is valid for minutes makes a device, and the deployment token that it alone may use. */
export const pairingActions = {
  projects_CreateDevicePairingKey: command({
    doc: 'Creates a key that pairs one device with a project within 5 minutes, or as many seconds as are given; only this answer contains it; owners only.',
    input: z.object({
      projectId: ids.project.schema,
      /** The name that a new device gets. */
      name: named.optional(),
      validForSecs: z.int().min(1).max(maxPairingKeySecs).optional(),
    }),
    output: z.object({
      pairingKeyId: ids.pairingKey.schema,
      pairingKey: text,
      /** The first six symbols, by which lists show the key. */
      selector: text,
      createdAt: timestamp,
      expiresAt: timestamp,
      /** The host of the hub and the key, as an agent that waits for one takes them, and a picture of that. */
      value: text,
      qrSvg: textUpTo(65_536),
    }),
  }),
  projects_QueryDevicePairingKeys: pagedQuery({
    doc: 'Lists the pairing keys of a project that are open, and the newest 100 others, newest first; owners only.',
    reads: ['tokens', 'connections'],
    input: z.object({ projectId: ids.project.schema }),
    output: z.object({
      pairingKeys: z.array(
        z.object({
          pairingKeyId: ids.pairingKey.schema,
          selector: text,
          createdAt: timestamp,
          expiresAt: timestamp,
          usedAt: timestamp.optional(),
          revokedAt: timestamp.optional(),
          name: text.optional(),
          /** The device that it has paired; with a token for one device, once that is used. */
          deviceId: ids.device.schema.optional(),
          tokenId: ids.deploymentTokenId.schema.optional(),
          /** Whether that device is connected. */
          isConnected: z.boolean().optional(),
          /** How often it was tried; five tries end it. */
          tries: uint32,
        }),
      ),
    }),
  }),
  projects_RevokeDevicePairingKey: command({
    doc: 'Ends a pairing key that nobody has used; owners only.',
    input: z.object({ pairingKeyId: ids.pairingKey.schema }),
    output: empty,
  }),
  projects_RedeemDevicePairingKey: command({
    doc: 'Exchanges a pairing key for a device of its project and a deployment token that only this device may use; every key that is refused is refused alike.',
    input: z.object({
      pairingKey,
      fingerprint: ids.deviceFingerprint.schema,
      /** For a new device, where the key has no name. */
      deviceName: named.optional(),
    }),
    output: z.object({
      projectId: ids.project.schema,
      deviceId: ids.device.schema,
      tokenId: ids.deploymentTokenId.schema,
      token: ids.deploymentToken.schema,
    }),
  }),
  projects_RedeemPairingKeyForToken: command({
    doc: 'Exchanges a pairing key for a deployment token that is for one device: the first that uses it.',
    input: z.object({ pairingKey }),
    output: z.object({
      projectId: ids.project.schema,
      tokenId: ids.deploymentTokenId.schema,
      token: ids.deploymentToken.schema,
    }),
  }),
} as const;
