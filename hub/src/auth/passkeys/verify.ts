import type { Input, PasskeyAssertion } from '@corral/contract';
import { verifyAuthenticationResponse, verifyRegistrationResponse } from '@simplewebauthn/server';
import { decodeAttestationObject } from '@simplewebauthn/server/helpers';

/** What an answer of an authenticator must fit. */
interface Expected {
  readonly rpId: string;
  readonly origin: string;
  /** Until when the challenge of the answer is good for what is done; undefined if it is not. */
  readonly expiryOf: (challenge: string) => Date | undefined;
}

/** The challenge of an answer. */
export interface AnsweredChallenge {
  readonly challenge: string;
  readonly expiresAt: Date;
}

/** A passkey that was just made. */
export interface NewPasskey extends AnsweredChallenge {
  readonly credentialId: string;
  readonly publicKey: Uint8Array;
  readonly counter: number;
  readonly isBackedUp: boolean;
}

/** The use of a passkey. */
interface PasskeyUse extends AnsweredChallenge {
  readonly counter: number;
  readonly isBackedUp: boolean;
}

/** EdDSA, ES256 and RS256, by their COSE numbers. */
export const algorithms = [-8, -7, -257];

/** Checks a passkey that a browser has made, and that its user was verified; undefined if anything is wrong. */
export async function verifyRegistration(
  { credentialId: id, clientDataJSON, attestationObject }: Input<'users_AddPasskey'>['credential'],
  { rpId, origin, expiryOf }: Expected,
): Promise<NewPasskey | undefined> {
  const answered = answeredBy(expiryOf);
  try {
    if (!isUnattested(attestationObject)) return undefined;
    const { registrationInfo } = await verifyRegistrationResponse({
      response: {
        id,
        rawId: id,
        type: 'public-key',
        response: { clientDataJSON, attestationObject },
        clientExtensionResults: {},
      },
      expectedChallenge: answered.accepts,
      expectedOrigin: origin,
      expectedRPID: rpId,
      supportedAlgorithmIDs: algorithms,
    });
    // The id beside the answer is not signed: the one within counts.
    if (registrationInfo === undefined || registrationInfo.credential.id !== id) return undefined;
    const { credential, credentialBackedUp: isBackedUp } = registrationInfo;
    const { publicKey, counter } = credential;
    return { credentialId: id, publicKey, counter, isBackedUp, ...answered.get() };
  } catch {
    return undefined;
  }
}

/** Whether nothing vouches for the authenticator. Browsers send it so when asked, and the library would otherwise read certificates of strangers. */
function isUnattested(attestationObject: string): boolean {
  const decoded = decodeAttestationObject(new Uint8Array(Buffer.from(attestationObject, 'base64url')));
  const fmt = decoded.get('fmt');
  return fmt === 'none' || (fmt === 'packed' && decoded.get('attStmt').get('x5c') === undefined);
}

/** Checks the use of a passkey, and that its user was verified; undefined if anything is wrong. The counter is for the caller to compare. */
export async function verifyAssertion(
  { credentialId: id, clientDataJSON, authenticatorData, signature }: PasskeyAssertion,
  publicKey: Buffer,
  { rpId, origin, expiryOf }: Expected,
): Promise<PasskeyUse | undefined> {
  const answered = answeredBy(expiryOf);
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: {
        id,
        rawId: id,
        type: 'public-key',
        response: { clientDataJSON, authenticatorData, signature },
        clientExtensionResults: {},
      },
      expectedChallenge: answered.accepts,
      expectedOrigin: origin,
      expectedRPID: rpId,
      credential: { id, publicKey: new Uint8Array(publicKey), counter: 0 },
    });
    const { newCounter: counter, credentialBackedUp: isBackedUp } = authenticationInfo;
    return verified ? { counter, isBackedUp, ...answered.get() } : undefined;
  } catch {
    return undefined;
  }
}

/** Keeps the challenge that was accepted. */
function answeredBy(expiryOf: Expected['expiryOf']): {
  accepts(challenge: string): boolean;
  get(): AnsweredChallenge;
} {
  let found: AnsweredChallenge | undefined;
  return {
    accepts(challenge) {
      const expiresAt = expiryOf(challenge);
      if (expiresAt !== undefined) found = { challenge, expiresAt };
      return expiresAt !== undefined;
    },
    get() {
      if (found === undefined) throw new Error('No challenge was accepted.');
      return found;
    },
  };
}
