import { z } from 'zod';
import { textUpTo } from './scalars.ts';

/** Base64url without padding, as WebAuthn writes bytes. */
export const base64Url = (maxCharacters: number): z.ZodString =>
  textUpTo(maxCharacters).regex(/^[A-Za-z0-9_-]+$/, 'must be base64url');

/** The id that the authenticator gave a passkey. */
export const credentialId = base64Url(1_400);

/** What a browser answers when a passkey was used: the assertion of WebAuthn. */
export const passkeyAssertion = z.object({
  credentialId,
  clientDataJSON: base64Url(8_192),
  authenticatorData: base64Url(4_096),
  signature: base64Url(2_048),
  userHandle: base64Url(128).optional(),
});

/** See the schema of the same name. */
export type PasskeyAssertion = z.infer<typeof passkeyAssertion>;

/** What a browser needs to use a passkey. */
export interface PasskeyRequest {
  readonly challenge: string;
  readonly rpId: string;
  /** The passkeys that count; empty: the browser offers those that it has. */
  readonly credentials: readonly { readonly id: string; readonly transports: readonly string[] }[];
}
