import { z } from 'zod';
import { command, query } from '../define.ts';
import { authenticationMethod } from '../enums.ts';
import { ids } from '../ids.ts';
import { base64Url, credentialId } from '../passkey-assertion.ts';
import { empty, nameText, text, textUpTo, timestamp, uint32 } from '../scalars.ts';

/** Each can be typed once instead of a code of the authenticator; shown only in this answer. */
const recoveryCodes = z.array(text);

/** The actions of second factors, which signing in takes beside the password. */
export const secondFactorsActions = {
  users_GetSecondFactors: query({
    doc: 'Returns which second factors a user has and whether the instance asks for one; for the user and administrators.',
    reads: ['users'],
    input: z.object({ userId: ids.user.schema }),
    output: z.object({
      /** Codes of an app, by time (RFC 6238). */
      authenticator: z
        .object({
          addedAt: timestamp,
          /** Whether ten wrong codes have locked it; a recovery code unlocks it. */
          isLocked: z.boolean(),
          /** When a wrong code was last typed after the right password. */
          lastWrongAt: timestamp.optional(),
        })
        .optional(),
      /** At most 30, oldest first. */
      passkeys: z.array(
        z.object({
          credentialId,
          name: text,
          addedAt: timestamp,
          lastUsedAt: timestamp.optional(),
          /** Whether its owner has it on several devices, as far as the authenticator says. */
          isBackedUp: z.boolean(),
          /** The host name at which it works, if that is not the present one of the hub. */
          worksOnlyAt: text.optional(),
        }),
      ),
      recoveryCodesLeft: uint32,
      /** Whether the policy of the instance asks this user for a second factor. */
      isRequired: z.boolean(),
      /** Until when the user may sign in without one. */
      dueAt: timestamp.optional(),
      /** By what the user can confirm grave changes, the easiest first. A factor that was set up without a proof of who it is does not, until its user has proved that. */
      confirmsBy: z.array(authenticationMethod),
    }),
  }),
  users_BeginAuthenticatorEnrolment: command({
    doc: 'Makes the secret of an authenticator for the calling user, which counts once its first code is confirmed, within an hour; needs a session.',
    input: empty,
    output: z.object({
      /** In base32, for typing. */
      secret: text,
      uri: text,
      /** A picture of the uri, as SVG. */
      qrSvg: textUpTo(65_536),
    }),
  }),
  users_ConfirmAuthenticatorEnrolment: command({
    doc: 'Adds the authenticator whose code this is as a second factor of the calling user, and returns recovery codes if it is the first factor.',
    input: z.object({ code: text }),
    output: z.object({ recoveryCodes: recoveryCodes.optional() }),
  }),
  users_BeginPasskeyRegistration: command({
    doc: 'Returns what a browser needs to make a passkey for the calling user, good for five minutes; needs a session.',
    input: empty,
    output: z.object({
      challenge: text,
      rpId: text,
      rpName: text,
      /** Base64url; tells the passkeys of users apart, and nothing else. */
      userHandle: text,
      email: text,
      displayName: text,
      /** COSE algorithms, in order of preference. */
      algorithms: z.array(z.int()),
      /** Credential ids of the passkeys that the user has. */
      exclude: z.array(text),
    }),
  }),
  users_AddPasskey: command({
    doc: 'Adds a passkey that a browser has just made for the calling user, and returns recovery codes if it is the first factor.',
    input: z.object({
      name: nameText,
      credential: z.object({
        credentialId,
        clientDataJSON: base64Url(8_192),
        attestationObject: base64Url(16_384),
        transports: z.array(textUpTo(32)).max(8).optional(),
      }),
    }),
    output: z.object({ recoveryCodes: recoveryCodes.optional() }),
  }),
  users_SetPasskeyName: command({
    doc: 'Renames a passkey of the calling user; needs a session.',
    input: z.object({ credentialId, name: nameText }),
    output: empty,
  }),
  users_DeletePasskey: command({
    doc: 'Removes a passkey of the calling user, unless it is the last second factor and the instance asks for one.',
    input: z.object({ credentialId }),
    output: empty,
  }),
  users_RenewRecoveryCodes: command({
    doc: 'Makes ten recovery codes for the calling user instead of those before; needs a session.',
    input: empty,
    output: z.object({ recoveryCodes }),
  }),
  users_RemoveSecondFactors: command({
    doc: 'Removes the second factors and recovery codes of a user, or only the authenticator: of the caller, unless the instance asks for one and none is left, or of anybody for administrators.',
    input: z.object({ userId: ids.user.schema, kind: z.literal('authenticator').optional() }),
    output: empty,
  }),
} as const;
