import { catalogue } from '../../copy/catalogue.ts';
import { count } from '../../copy/count.ts';

/** The texts of the invitations that the user received. */
export const invitationsCopy = catalogue('invitations', {
  summary: (n: number) => `${count(n, 'invitation waits', 'invitations wait')} for you`,
  none: 'Others can invite you to their projects and repositories.',
  filter: 'Filter invitations',
  csvName: 'invitations',
  columns: { kind: 'Kind', from: 'From', received: 'Received', ends: 'Ends' },
  project: 'Project',
  repository: 'Repository',
  unknown: 'somebody without an account',
  accept: 'Accept',
  acceptOf: (name: string) => `Accept the invitation to “${name}”`,
  accepted: (name: string) => `You are a member of “${name}” now`,
  open: 'Open',
  notAccepted: 'The invitation was not accepted',
  decline: 'Decline',
  declineTitle: (name: string) => `Decline the invitation to “${name}”`,
  declineText: 'The invitation ends, and those who sent it see that. They can invite you again.',
  declined: (name: string) => `You declined the invitation to “${name}”`,
  emptyTitle: 'No invitations',
  emptyText:
    'An owner of a project or a repository invites you by the email address of your account. The invitation then waits here for 14 days.',
  otherAddress: (email: string) => `The link is for ${email}`,
  otherAddressText: (own: string) =>
    `You are signed in as ${own}. Log out, and sign in or sign up with the address that was invited.`,
  incomplete: 'The link is incomplete',
  incompleteText: 'Open it once more, whole: it may have been cut when it was copied or mailed.',
  unconfirmed: 'Your email address is not confirmed yet',
  unconfirmedText:
    'You signed up by the link of an invitation, and see that one only. For others to your address, ask an administrator of this hub to confirm the address.',
  confirmByMail: 'Or have a link mailed there, by which you set your password anew and confirm the address.',
  mailLink: 'Mail the Link',
  linkMailed: (email: string) => `A link is on its way to ${email}`,
  ended: 'The link is no longer valid',
  endedText: 'The invitation was accepted, declined or revoked already, or it has ended. Ask for a new one.',
});
