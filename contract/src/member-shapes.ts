import { z } from 'zod';
import { ids } from './ids.ts';
import { emailText, text, timestamp } from './scalars.ts';

/** Most people who may be invited to a project or a repository at the same time. */
export const maxPendingInvitations = 1000;

/** Most addresses that a form takes at once. */
export const maxAddressesAtOnce = 50;

/** A member of a project or a repository. */
export const member = z.object({
  userId: ids.user.schema,
  displayName: text.optional(),
  email: text,
  isOwner: z.boolean(),
  /** What groups at the provider gave, and take again: the membership, or only that the member is an owner. */
  fromGroups: z.enum(['membership', 'ownership']).optional(),
});

/** A user as others see it who meet it for the first time. */
const person = z.object({ displayName: text.optional(), email: text });

/** A pending invitation as members of the project or the repository see it. */
export const sentInvitation = {
  email: text,
  invitingUserId: ids.user.schema.optional(),
  /** Who sent the invitation; absent if that account is deleted. */
  invitedBy: person.optional(),
  createdAt: timestamp,
  expiresAt: timestamp,
  /** Whether the mail server took the newest e-mail; it is tried for three days. NotMailed where no mail server was set, or the address got too many. */
  mailStatus: z.enum(['Queued', 'Sent', 'Refused', 'NotMailed']),
  /** When the newest e-mail was sent. */
  mailedAt: timestamp.optional(),
};

/** A pending invitation as the invited person sees it. */
export const receivedInvitation = {
  invitedBy: person.optional(),
  createdAt: timestamp,
  expiresAt: timestamp,
};

/** The address that an invitation goes to. */
export const invitedAddress = { email: emailText };

/** The address of the page where an invitation is accepted, by someone with or without an account. */
export const invitationLink = z.object({ url: text, expiresAt: timestamp });

/** What the link of an invitation is about; the answer does not reveal whether the address has an account. */
export const linkedInvitation = z.discriminatedUnion('result', [
  z.object({
    result: z.literal('Found'),
    kind: z.enum(['Project', 'Repository']),
    /** The name of the project or the repository. */
    name: text,
    email: text,
    invitedBy: person.optional(),
    expiresAt: timestamp,
  }),
  z.object({ result: z.literal('NotFound') }),
]);

/** Who becomes an owner in the place of a member who is removed. */
export const successor = {
  /** Made an owner first, and a member if it is none: so the last owner can be removed, and an administrator can step in. */
  newOwner: ids.user.schema.optional(),
};
