/** Why a hub closes the connections, and aborts the streams, of somebody whose credential or permission has ended. No retry helps. */
export const revocationReasons = {
  certificateDeleted: 'the certificate was deleted',
  certificateInactive: 'the certificate is not active any more',
  deploymentTokenDeleted: 'the deployment token was deleted',
  deviceDeleted: 'the device was deleted',
  permissionDenied: 'permission denied',
  projectDeleted: 'the project was deleted',
  userDeleted: 'the user was deleted',
  userDisabled: 'the user was disabled',
  userTokenDeleted: 'the user token was deleted',
  userTokenEnded: 'the user token has ended',
} as const;

const all: ReadonlySet<string> = new Set(Object.values(revocationReasons));

/** Whether a connection or stream ended with this reason because of a revocation. */
export function isRevocation(reason: string): boolean {
  return all.has(reason);
}
