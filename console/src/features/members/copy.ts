import { catalogue } from '../../copy/catalogue.ts';
import { count } from '../../copy/count.ts';

const nounOf = { project: 'project', repository: 'repository' } as const;

/** What members and invitations are of. */
export type ScopeKind = keyof typeof nounOf;

/** The texts of the members of a project or a repository, and of the invitations to it. */
export const membersCopy = catalogue('members', {
  summary: (n: number) => count(n, 'member', 'members'),
  columns: { user: 'User', role: 'Role' },
  you: 'you',
  fromGroups: {
    membership: 'member by a group at the provider',
    ownership: 'owner by a group at the provider',
  },
  filter: 'Filter members',
  csvName: 'members',
  makeOwner: 'Make Owner',
  makeMember: 'Make Member',
  // Names of the buttons for who does not see their row; they contain the shown text.
  promoteName: (name: string) => `Make Owner: ${name}`,
  demoteName: (name: string) => `Make Member: ${name}`,
  remove: 'Remove',
  leave: 'Leave',
  ownersOnly: (kind: ScopeKind) => `Only an owner of the ${nounOf[kind]} may do this.`,
  lastOwner: 'This is the last owner. Make another member an owner first.',
  promoteTitle: (name: string) => `Make ${name} an owner`,
  promoteText: (kind: ScopeKind) =>
    `Owners may invite and remove people, change roles, and delete the ${nounOf[kind]}, also without asking you.`,
  demoteTitle: (name: string) => `Make ${name} a member`,
  demoteText: (kind: ScopeKind) =>
    `Members may no longer invite and remove people, change roles, or delete the ${nounOf[kind]}.`,
  demoteSelf: 'Only another owner can make you an owner again.',
  promoted: (name: string) => `${name} is now an owner`,
  demoted: (name: string) => `${name} is now a member`,
  removeTitle: (name: string) => `Remove ${name}`,
  removeText: {
    project:
      'They no longer see this project, its devices and its log. Their open connections to its devices are cut within seconds. What they made stays.',
    repository:
      'They can no longer publish, and no longer read a private repository. What they published stays.',
  },
  takeOver: (kind: ScopeKind) =>
    `This is the last owner, so you become an owner of the ${nounOf[kind]} in the same step.`,
  removed: (name: string) => `${name} was removed`,
  leaveTitle: (name: string) => `Leave “${name}”`,
  leaveText: {
    project:
      'You no longer see this project, its devices and its log, and your open connections to its devices are cut. Only an owner can let you in again.',
    repository: 'You can no longer publish to this repository. Only an owner can let you in again.',
  },
  left: (name: string) => `You left “${name}”`,
  emptyTitle: 'No members',
  invite: 'Invite User',
  inviteText: (kind: ScopeKind) =>
    `They get an email with a link. They join the ${nounOf[kind]} with an account for that address, and can create one if they have none.`,
  inviteTextWithoutMail: (kind: ScopeKind) =>
    `This hub cannot send email: copy the link of each person from the list of invitations, and send it to them. They join the ${nounOf[kind]} with an account for that address, and can create one if they have none.`,
  email: 'Email',
  emailHint: 'Several addresses may be pasted at once, up to 50.',
  submit: 'Invite',
  emailEmpty: 'Please enter an email address.',
  emailNotValid: 'Please enter a valid email address.',
  tooMany: (most: number) => `Please enter at most ${most} addresses at once.`,
  invited: (n: number) => (n === 1 ? 'The invitation is on its way' : `${n} invitations are on their way`),
  invitedWithoutMail: (n: number) => `${count(n, 'person is', 'people are')} invited, but no email was sent`,
  notMailedToAll: (emails: string) => `Invited, but no email was sent to ${emails}, who got too many today`,
  passOnLink: 'This hub has no mail server: copy the link from the list of invitations, and pass it on.',
  passOnLinks: 'Copy the link of an invitation, and pass it on.',
  someFailed: (done: number, reasons: string) =>
    done === 0 ? reasons : `${count(done, 'person was', 'people were')} invited. ${reasons}`,
  invitations: 'Invitations',
  filterInvitations: 'Filter invitations',
  invitationsCsvName: 'pending-invitations',
  invitationColumns: { id: 'ID', email: 'Email', sent: 'Sent', ends: 'Ends' },
  invitationId: 'invitation ID',
  waiting: 'Waits to be sent',
  refused: 'Refused by the mail server',
  notMailed: 'Not mailed',
  resend: 'Resend',
  resendOf: (email: string) => `Resend the invitation of ${email}`,
  resent: (email: string) => `The invitation of ${email} is sent again`,
  renewedWithoutMail: (email: string) => `The invitation of ${email} is renewed, but no email was sent`,
  notResent: 'The invitation was not sent again',
  copyLink: 'Copy Link',
  copyLinkOf: (email: string) => `Copy Link for ${email}`,
  linkCopy: {
    copied: (email: string) => `The link for ${email} was copied. It works for that address only.`,
    failed: 'The link was not copied',
  },
  linkShown: {
    what: 'invitation link',
    title: (email: string) => `The link for ${email}`,
    text: 'It works for that address only. The browser does not let this page write to the clipboard: select it and copy it.',
  },
  revoke: 'Revoke',
  revokeTitle: (email: string) => `Revoke the invitation of ${email}`,
  revokeText: 'Its link then stops working. You can invite the address again.',
  revoked: (email: string) => `The invitation of ${email} was revoked`,
});
