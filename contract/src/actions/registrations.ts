import { z } from 'zod';
import { command, query } from '../define.ts';
import { mailKind, userRegistrationStatus } from '../enums.ts';
import { ids } from '../ids.ts';
import { pagedQuery } from '../paging.ts';
import { emailText, empty, linkToken, nameText, passwordText, text, timestamp, uint32 } from '../scalars.ts';

/** The token of an invitation's link: its address may register also where registration is closed. */
const invitationToken = { invitationToken: text.optional() };

/** The id that the account will have: by it a browser knows a registration as its own. */
const registrationId = { userId: ids.user.schema.optional() };

/** Whom the link is for. */
const linkedAccount = { email: text, displayName: text.optional() };

/** The actions of registration, and of the links by which accounts are activated and passwords set. */
export const registrationsActions = {
  users_RegisterUser: command({
    doc: 'Registers an account and sends its activation link by e-mail, or makes it at once by the link of an invitation where the hub has no mail server.',
    input: z.object({
      displayName: nameText.optional(),
      email: emailText,
      password: passwordText,
      consentedToTerms: z.boolean(),
      consentedToMarketing: z.boolean().optional(),
      ...invitationToken,
    }),
    output: z.discriminatedUnion('result', [
      z.object({
        result: z.literal('Created'),
        status: userRegistrationStatus,
        message: text.optional(),
        createdAt: timestamp,
        ...registrationId,
      }),
      z.object({
        result: z.literal('Pending'),
        status: userRegistrationStatus,
        message: text.optional(),
        createdAt: timestamp,
        ...registrationId,
      }),
      z.object({ result: z.literal('EmailAlreadyExists') }),
    ]),
  }),
  users_ResendRegistrationEmail: command({
    doc: 'Sends the activation link of a pending registration again.',
    input: z.object({ email: emailText, ...invitationToken }),
    output: empty,
  }),
  users_CompleteRegistration: command({
    doc: 'Activates an account by its activation token, once.',
    input: z.object({
      activationToken: text,
      /** Becomes the password instead of that of the registration, which somebody else may have made. */
      password: passwordText.optional(),
    }),
    output: z.discriminatedUnion('result', [
      z.object({
        result: z.literal('Completed'),
        /** Whether invitations wait for the new account. */
        hasInvitations: z.boolean().optional(),
      }),
      z.object({ result: z.literal('Failed') }),
    ]),
  }),
  users_QueryRegistrations: pagedQuery({
    doc: 'Lists the registrations that are not activated yet, newest first; administrators only.',
    reads: ['users'],
    input: empty,
    output: z.object({
      registrations: z.array(
        z.object({
          userId: ids.user.schema,
          email: text,
          displayName: text.optional(),
          createdAt: timestamp,
          expiresAt: timestamp,
        }),
      ),
    }),
  }),
  users_QueryWaitingMails: pagedQuery({
    doc: 'Lists the e-mails that could not be sent within a minute and are tried again, oldest first; administrators only.',
    reads: ['users'],
    input: empty,
    output: z.object({
      mails: z.array(
        z.object({
          /** Identifies it in the list. */
          mailId: text,
          kind: mailKind,
          email: text,
          /** The account or registration that it is about; absent for an invitation. */
          userId: ids.user.schema.optional(),
          queuedAt: timestamp,
          attempts: uint32,
        }),
      ),
    }),
  }),
  users_IssueRegistrationLink: command({
    doc: 'Returns the activation link of a registration, which works once, for 24 hours, for an administrator to pass on; needs a session of an administrator.',
    input: z.object({ userId: ids.user.schema }),
    output: z.object({ url: text, expiresAt: timestamp }),
  }),
  users_DeleteRegistration: command({
    doc: 'Deletes a registration, whose links then stop working; administrators only.',
    input: z.object({ userId: ids.user.schema }),
    output: empty,
  }),
  users_ResolveAccountLink: query({
    doc: 'Returns what the link of an activation or of a new password is about, and changes nothing; for the page that the link leads to.',
    reads: ['users'],
    input: z.object({ token: linkToken }),
    output: z.discriminatedUnion('result', [
      z.object({ result: z.literal('Registration'), userId: ids.user.schema, ...linkedAccount }),
      z.object({ result: z.literal('Password'), ...linkedAccount }),
      /** The registration was activated already. */
      z.object({ result: z.literal('Active') }),
      z.object({ result: z.literal('NotFound') }),
    ]),
  }),
} as const;
