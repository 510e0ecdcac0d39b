import { z } from 'zod';
import { command, query } from '../define.ts';
import { ids } from '../ids.ts';
import { empty, text, textUpTo, timestamp, uint32 } from '../scalars.ts';

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
      recoveryCodesLeft: uint32,
      /** Whether the policy of the instance asks this user for a second factor. */
      isRequired: z.boolean(),
      /** Until when the user may sign in without one. */
      dueAt: timestamp.optional(),
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
    doc: 'Adds the authenticator whose code this is as a second factor of the calling user, and returns recovery codes.',
    input: z.object({ code: text }),
    output: z.object({ recoveryCodes }),
  }),
  users_RenewRecoveryCodes: command({
    doc: 'Makes ten recovery codes for the calling user instead of those before; needs a session.',
    input: empty,
    output: z.object({ recoveryCodes }),
  }),
  users_RemoveSecondFactors: command({
    doc: 'Removes the second factors and recovery codes of a user: of the caller, unless the instance asks for one, or of anybody for administrators.',
    input: z.object({ userId: ids.user.schema }),
    output: empty,
  }),
} as const;
