import type { Input, Output, PasskeyAssertion, PasskeyRequest } from '@corral/contract';
import { passkeyCopy as words } from './copy.ts';

// The conversions that browsers offer themselves (parseRequestOptionsFromJSON) are newer than those that Corral supports.
const bytesOf = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (symbol) => symbol.charCodeAt(0));

const textOf = (bytes: ArrayBuffer): string =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

const key = (id: string, transports: readonly string[] = []): PublicKeyCredentialDescriptor => ({
  type: 'public-key',
  id: bytesOf(id),
  transports: transports as AuthenticatorTransport[],
});

/** Has the browser use a passkey. Rejects with a sentence. */
export async function askForPasskey(request: PasskeyRequest): Promise<PasskeyAssertion> {
  const { rawId, response } = await ask<AuthenticatorAssertionResponse>(
    () =>
      navigator.credentials.get({
        publicKey: {
          challenge: bytesOf(request.challenge),
          rpId: request.rpId,
          userVerification: 'required',
          allowCredentials: request.credentials.map(({ id, transports }) => key(id, transports)),
        },
      }),
    words.notUsed,
  );
  const { clientDataJSON, authenticatorData, signature, userHandle } = response;
  return {
    credentialId: textOf(rawId),
    clientDataJSON: textOf(clientDataJSON),
    authenticatorData: textOf(authenticatorData),
    signature: textOf(signature),
    ...(userHandle !== null && { userHandle: textOf(userHandle) }),
  };
}

/** Has the browser make a passkey. Rejects with a sentence. */
export async function makePasskey(
  wanted: Output<'users_BeginPasskeyRegistration'>,
): Promise<Input<'users_AddPasskey'>['credential']> {
  const { rawId, response } = await ask<AuthenticatorAttestationResponse>(
    () =>
      navigator.credentials.create({
        publicKey: {
          challenge: bytesOf(wanted.challenge),
          rp: { id: wanted.rpId, name: wanted.rpName },
          user: { id: bytesOf(wanted.userHandle), name: wanted.email, displayName: wanted.displayName },
          pubKeyCredParams: wanted.algorithms.map((alg) => ({ type: 'public-key', alg })),
          excludeCredentials: wanted.exclude.map((id) => key(id)),
          authenticatorSelection: {
            residentKey: 'required',
            requireResidentKey: true,
            userVerification: 'required',
          },
          attestation: 'none',
        },
      }),
    words.notMade,
  );
  return {
    credentialId: textOf(rawId),
    clientDataJSON: textOf(response.clientDataJSON),
    attestationObject: textOf(response.attestationObject),
    transports: response.getTransports?.() ?? [],
  };
}

async function ask<Response>(
  work: () => Promise<Credential | null>,
  refused: string,
): Promise<{ rawId: ArrayBuffer; response: Response }> {
  try {
    return (await work()) as unknown as { rawId: ArrayBuffer; response: Response };
  } catch (error) {
    const { name } = error as Error;
    throw new Error(
      name === 'InvalidStateError' ? words.known : name === 'NotAllowedError' ? refused : words.unable,
      { cause: error },
    );
  }
}
