import type { AnswerTable } from '@corral/client';
import { ActionError } from '@corral/contract';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { projectAnswers, projectId } from '../../../test/project-answers.ts';
import { renderConsole, userId, withoutMail } from '../../../test/render-console.tsx';
import type { Member } from './membership.ts';
import { repository, repositoryAnswers, repositoryId } from '../../../test/repository-answers.ts';

const owner: Member = { userId, displayName: 'Mara Keller', email: 'mara@harbour.example', isOwner: true };
const member: Member = { userId: 'u_2', email: 'jon@harbour.example', isOwner: false };
const pending = {
  email: 'kim@harbour.example',
  invitedBy: { email: owner.email },
  createdAt: '2026-11-01T10:00:00Z',
  expiresAt: '2026-11-15T10:00:00Z',
  mailStatus: 'Sent',
  mailedAt: '2026-11-01T10:00:01Z',
} as const;

interface Hub {
  readonly isOwner?: boolean;
  readonly members?: readonly Member[];
  readonly isInvited?: boolean;
  readonly mailStatus?: 'NotMailed';
  readonly more?: AnswerTable;
}

/** The members pages of a project and of a repository, whose tests are the same. */
const invitationsOf = <Id extends string>(
  invitationId: Id,
  { isInvited, mailStatus }: Pick<Hub, 'isInvited' | 'mailStatus'>,
) => ({
  invitations: isInvited === true ? [{ invitationId, ...pending, ...(mailStatus && { mailStatus }) }] : [],
});

const pages = {
  project: {
    address: `/projects/${projectId}/members`,
    of: { projectId },
    invite: 'projects_InviteProjectMember',
    remove: 'projects_RemoveProjectMember',
    setRole: 'projects_SetProjectMemberRole',
    resend: 'projects_ResendProjectInvitation',
    link: 'projects_IssueProjectInvitationLink',
    invitationId: 'p_invite_1',
    invitations: 'projects_QueryProjectInvitations',
    answers: ({ isOwner = true, members = [owner, member], more, ...invited }: Hub): AnswerTable => ({
      ...projectAnswers,
      projects_GetProjectDetails: () => ({ projectId, name: 'Harbour cranes', deviceCount: 3, isOwner }),
      projects_QueryProjectMembers: () => ({ users: [...members] }),
      projects_QueryProjectInvitations: () => invitationsOf('p_invite_1', invited),
      ...more,
    }),
  },
  repository: {
    address: `/repositories/${repositoryId}/members`,
    of: { repositoryId },
    invite: 'repositories_InviteRepositoryMember',
    remove: 'repositories_RemoveRepositoryMember',
    setRole: 'repositories_SetRepositoryMemberRole',
    resend: 'repositories_ResendRepositoryInvitation',
    link: 'repositories_IssueRepositoryInvitationLink',
    invitationId: 'repo_invite_1',
    invitations: 'repositories_QueryRepositoryInvitations',
    answers: ({ isOwner = true, members = [owner, member], more, ...invited }: Hub): AnswerTable => ({
      ...repositoryAnswers,
      repositories_GetRepositoryDetails: () => ({ ...repository, name: 'Harbour cranes', isOwner }),
      repositories_QueryRepositoryMembers: () => ({ members: [...members] }),
      repositories_QueryRepositoryInvitations: () => invitationsOf('repo_invite_1', invited),
      ...more,
    }),
  },
} as const;

type PageOf = (typeof pages)[keyof typeof pages];

const openPage = (page: PageOf, { config, ...hub }: Hub & { config?: typeof withoutMail } = {}) =>
  renderConsole(page.address, page.answers(hub), config);

/** Answers an action, and keeps what it was called with. */
function recording(action: string, answer: (input: never) => unknown = () => ({})) {
  const calls: unknown[] = [];
  const more = { [action]: (input: never) => (calls.push(input), answer(input)) } as AnswerTable;
  return { calls, more };
}

describe.each(Object.entries(pages))('the members of a %s', (_kind, page) => {
  const open = (hub?: Hub) => openPage(page, hub);

  test('"table with columns User (display name plus email), Role (badge Owner or Member), Actions (remove button per member)"', async () => {
    open();
    const table = await screen.findByRole('table', { name: 'Members' });
    const heads = within(table)
      .getAllByRole('columnheader')
      .map(({ textContent }) => textContent);
    expect(heads).toEqual(['User', 'Role', 'Actions']);
    const [, first, second] = within(table).getAllByRole('row');
    expect(first).toHaveTextContent(/Mara Keller \(you\)mara@harbour.exampleOwner/u);
    expect(second).toHaveTextContent(/jon@harbour.exampleMember/u);
  });

  test('"A separate invitations table with columns ID and Email appears only when pending invitations exist"', async () => {
    const { unmount } = open();
    await screen.findByRole('table', { name: 'Members' });
    expect(screen.queryByRole('table', { name: 'Invitations' })).toBeNull();
    unmount();
    open({ isInvited: true });
    const table = await screen.findByRole('table', { name: 'Invitations' });
    const heads = within(table)
      .getAllByRole('columnheader')
      .map(({ textContent }) => textContent);
    expect(heads).toEqual(['ID', 'Email', 'Sent', 'Ends', 'Actions']);
    expect(table).toHaveTextContent('kim@harbour.example');
  });

  test('"An Invite User button opens a dialog with one required Email field and an Invite button; the dialog closes on success and the invitations list refreshes.": several addresses are pasted at once; those that the hub refuses are named, and the others are not invited again', async () => {
    let isRefusing = true;
    const { calls, more } = recording(page.invite, ({ email }: { email: string }) => {
      if (isRefusing && email === 'jon@x.example')
        throw new ActionError('Invalid', `${email} is a member already.`);
      return { invitationId: page.invitationId };
    });
    const { user } = open({ more });
    await user.click(await screen.findByRole('button', { name: 'Invite User' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Invite User' }));
    const field = dialog.getByRole('textbox', { name: /Email/u });
    fireEvent.paste(field, {
      clipboardData: { getData: () => 'Kim@x.example\njon@x.example\r\nkim@x.example\n' },
    });
    await waitFor(() => expect(field).toHaveValue('Kim@x.example, jon@x.example, kim@x.example'));
    await user.click(dialog.getByRole('button', { name: 'Invite' }));
    expect(await dialog.findByRole('alert')).toHaveTextContent(
      '1 person was invited. jon@x.example is a member already.',
    );
    expect(field).toHaveValue('Kim@x.example, jon@x.example, kim@x.example');
    isRefusing = false;
    await user.click(dialog.getByRole('button', { name: 'Invite' }));
    expect(await screen.findByText('2 invitations are on their way')).toBeInTheDocument();
    // By its name, because the toast is a dialog too.
    await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Invite User' })).toBeNull());
    expect(calls.map((input) => (input as { email: string }).email)).toEqual([
      'kim@x.example',
      'jon@x.example',
      'jon@x.example',
    ]);
  });

  test('owners make others owners and members again, after a prompt that says what that means', async () => {
    const { calls, more } = recording(page.setRole);
    const { user } = open({ more });
    await user.click(await screen.findByRole('button', { name: 'Make Owner: jon@harbour.example' }));
    const dialog = within(await screen.findByRole('alertdialog'));
    expect(dialog.getByText(/Owners may invite and remove people/u)).toBeVisible();
    await user.click(dialog.getByRole('button', { name: 'Make Owner' }));
    await waitFor(() => expect(calls).toEqual([{ ...page.of, userId: 'u_2', isOwner: true }]));
  });

  test('an administrator who removes the last owner takes the place', async () => {
    const { calls, more } = recording(page.remove);
    const { user } = open({ members: [{ ...member, isOwner: true }], more });
    await user.click(await screen.findByRole('button', { name: 'Remove jon@harbour.example' }));
    const dialog = within(await screen.findByRole('alertdialog', { name: 'Remove jon@harbour.example' }));
    expect(dialog.getByText(/^This is the last owner, so you become an owner/u)).toBeVisible();
    await user.click(dialog.getByRole('button', { name: 'Remove' }));
    await waitFor(() => expect(calls).toEqual([{ ...page.of, userId: 'u_2', newOwner: userId }]));
  });

  test('members may leave, and change nobody else', async () => {
    const self = { ...owner, isOwner: false };
    const other = { ...member, isOwner: true };
    const { calls, more } = recording(page.remove);
    const { user, address } = open({
      isOwner: false,
      members: [other, self],
      isInvited: true,
      more,
    });
    expect(await screen.findByRole('button', { name: 'Remove jon@harbour.example' })).toHaveAttribute(
      'aria-disabled',
      'true',
    );
    expect(screen.queryByRole('button', { name: 'Invite User' })).toBeNull();
    expect(
      screen.getByRole('button', { name: 'Revoke the invitation of kim@harbour.example' }),
    ).toHaveAttribute('aria-disabled', 'true');
    await user.click(screen.getByRole('button', { name: 'Leave' }));
    const dialog = within(await screen.findByRole('alertdialog', { name: 'Leave “Harbour cranes”' }));
    await user.click(dialog.getByRole('button', { name: 'Leave' }));
    await waitFor(() => expect(calls).toEqual([{ ...page.of, userId }]));
    await waitFor(() => expect(address()).toBe(page.address.split('/').slice(0, 2).join('/')));
  });

  test('a double click sends an invitation again once', async () => {
    const { promise, resolve } = Promise.withResolvers<Record<string, never>>();
    const { calls, more } = recording(page.resend, () => promise);
    open({ isInvited: true, more });
    const button = await screen.findByRole('button', {
      name: 'Resend the invitation of kim@harbour.example',
    });
    fireEvent.click(button);
    fireEvent.click(button);
    await waitFor(() => expect(button).toHaveAttribute('aria-busy', 'true'));
    resolve({});
    await waitFor(() => expect(button).not.toHaveAttribute('aria-busy'));
    expect(calls).toEqual([{ invitationId: page.invitationId }]);
  });

  test('the link of an invitation is copied', async () => {
    const { calls, more } = recording(page.link, () => ({
      url: 'https://hub/signup?invitation=a',
      expiresAt: pending.expiresAt,
    }));
    const { user } = open({ isInvited: true, more });
    document.execCommand = () => true;
    await user.click(await screen.findByRole('button', { name: 'Copy Link for kim@harbour.example' }));
    expect(await screen.findByText(/The link for kim@harbour.example was copied/u)).toBeVisible();
    expect(calls).toEqual([{ invitationId: page.invitationId }]);
  });
});

describe('the members of either', () => {
  const page = pages.project;
  const open = (hub?: Hub & { config?: typeof withoutMail }) => openPage(page, hub);

  test('"Invite email (project and repository): empty gives Please enter an email address.; bad shape ({email}, no spaces) gives Please enter a valid email address. Validated on every change. Resetting the dialog clears form and errors."', async () => {
    const { user } = open();
    await user.click(await screen.findByRole('button', { name: 'Invite User' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Invite User' }));
    const field = dialog.getByRole('textbox', { name: /Email/u });
    const submit = dialog.getByRole('button', { name: 'Invite' });
    expect(submit).toBeDisabled();
    await user.type(field, 'k');
    expect(dialog.getByText('Please enter a valid email address.')).toBeVisible();
    await user.type(field, '{Backspace}');
    expect(dialog.getByText('Please enter an email address.')).toBeVisible();
    await user.paste('kim harbour');
    expect(dialog.getByText('Please enter a valid email address.')).toBeVisible();
    await user.paste('@harbour.example');
    expect(dialog.getByText('Please enter a valid email address.')).toBeVisible();
    await user.clear(field);
    await user.paste('kim');
    expect(dialog.getByText('Please enter a valid email address.')).toBeVisible();
    await user.paste('@harbour.example');
    expect(dialog.queryByText(/Please enter/u)).toBeNull();
    expect(submit).toBeEnabled();
    await user.click(dialog.getByRole('button', { name: 'Cancel' }));
    await user.click(await screen.findByRole('button', { name: 'Invite User' }));
    expect(await screen.findByRole('textbox', { name: /Email/u })).toHaveValue('');
  });

  test('a list of addresses is still there after Escape and after its page was left, until Cancel', async () => {
    const { user, router } = open();
    const visit = (to: string) => act(() => router.navigate({ to }));
    const list = 'kim@x.example, jon@x.example';
    const field = () => screen.findByRole('textbox', { name: /Email/u });
    const openDialog = async () => {
      await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Invite User' })).toBeNull());
      await user.click(await screen.findByRole('button', { name: 'Invite User' }));
    };
    await openDialog();
    await user.click(await field());
    await user.paste(list);
    await user.keyboard('{Escape}');
    await openDialog();
    expect(await field()).toHaveValue(list);
    expect(screen.getByRole('button', { name: 'Invite' })).toBeEnabled();
    await user.click(await field());
    await user.paste(', ann@x.example');
    await visit('/settings/profile');
    await visit(page.address);
    await openDialog();
    expect(await field()).toHaveValue(`${list}, ann@x.example`);
    await user.click(screen.getByRole('button', { name: 'Cancel' }));
    await openDialog();
    expect(await field()).toHaveValue('');
  });

  test('the rest of a list that was invited in part is still there after Escape', async () => {
    const { more } = recording(page.invite, ({ email }: { email: string }) => {
      if (email === 'jon@x.example') throw new ActionError('Invalid', `${email} is a member already.`);
      return { invitationId: page.invitationId };
    });
    const { user } = open({ more });
    await user.click(await screen.findByRole('button', { name: 'Invite User' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Invite User' }));
    await user.click(dialog.getByRole('textbox', { name: /Email/u }));
    await user.paste('kim@x.example; jon@x.example');
    await user.click(dialog.getByRole('button', { name: 'Invite' }));
    await dialog.findByRole('alert');
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Invite User' })).toBeNull());
    await user.click(screen.getByRole('button', { name: 'Invite User' }));
    expect(await screen.findByRole('textbox', { name: /Email/u })).toHaveValue('jon@x.example');
  });

  test('without a mail server it says that nothing is mailed, and to pass the link on', async () => {
    const more = {
      ...recording(page.invite, () => ({ invitationId: page.invitationId })).more,
      ...recording(page.resend).more,
    };
    const { user } = open({ more, isInvited: true, mailStatus: 'NotMailed', config: withoutMail });
    const table = await screen.findByRole('table', { name: 'Invitations' });
    expect(within(table).getByText('Not mailed')).toBeVisible();
    const note = await screen.findByRole('note');
    expect(note).toHaveTextContent(
      'No emails are sent: this hub has no mail serverCopy the link of an invitation, and pass it on. An administrator of this hub can set one.',
    );
    await user.click(within(table).getByRole('button', { name: /^Resend/u }));
    const resent = 'The invitation of kim@harbour.example is renewed, but no email was sent';
    expect(await screen.findByText(resent)).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Invite User' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Invite User' }));
    expect(dialog.getByText(/^This hub cannot send email: copy the link/u)).toBeVisible();
    await user.click(dialog.getByRole('textbox', { name: /Email/u }));
    await user.paste('jon@x.example');
    await user.click(dialog.getByRole('button', { name: 'Invite' }));
    expect(await screen.findByText('1 person is invited, but no email was sent')).toBeInTheDocument();
    expect(screen.queryByText(/on its way|sent again/u)).toBeNull();
  });

  test('without a mail server it shows administrators where to set one', async () => {
    const more: AnswerTable = {
      users_GetUserDetails: () => ({ userId, email: owner.email, isAdmin: true }),
    };
    open({ more, isInvited: true, config: withoutMail });
    const link = await screen.findByRole('link', { name: 'Set the mail server' });
    expect(link).toHaveAttribute('href', '/admin/settings');
  });

  test('the last owner can neither be demoted nor leave before another is named', async () => {
    open();
    const leave = await screen.findByRole('button', { name: 'Leave' });
    expect(leave).toHaveAttribute('aria-disabled', 'true');
    expect(leave).toHaveAccessibleDescription('This is the last owner. Make another member an owner first.');
    expect(screen.getByRole('button', { name: 'Make Member: Mara Keller' })).toHaveAttribute(
      'aria-disabled',
      'true',
    );
  });

  test('members and invitations are sorted each by a parameter of its own', async () => {
    const invited = ['zoe', 'ada'].map((name, at) => ({
      ...pending,
      invitationId: `p_invite_${at}` as const,
      email: `${name}@harbour.example`,
    }));
    const { user, address } = open({ more: { [page.invitations]: () => ({ invitations: invited }) } });
    const emails = (table: string) =>
      within(screen.getByRole('table', { name: table }))
        .getAllByRole('row')
        .slice(1)
        .map(({ textContent }) => /zoe|ada|mara|jon/u.exec(textContent ?? '')?.[0]);
    await screen.findByRole('table', { name: 'Invitations' });
    await user.click(screen.getByRole('button', { name: /^User/u }));
    await waitFor(() => expect(address()).toBe(`${page.address}?sort=user`));
    await waitFor(() => expect(emails('Members')).toEqual(['jon', 'mara']));
    expect(emails('Invitations')).toEqual(['zoe', 'ada']);
    await user.click(screen.getByRole('button', { name: /^Email/u }));
    await waitFor(() => expect(address()).toBe(`${page.address}?sort=user&invitationsSort=email`));
    await waitFor(() => expect(emails('Invitations')).toEqual(['ada', 'zoe']));
    expect(emails('Members')).toEqual(['jon', 'mara']);
  });

  test('more than 20 pending invitations have a filter of their own', async () => {
    const invitations = Array.from({ length: 21 }, (_, at) => ({
      ...pending,
      invitationId: `p_invite_${at + 1}` as const,
      email: `guest-${at + 1}@harbour.example`,
    }));
    const { user, address } = open({ more: { [page.invitations]: () => ({ invitations }) } });
    const filter = await screen.findByRole('searchbox', { name: 'Filter invitations' });
    expect(screen.queryByRole('searchbox', { name: 'Filter members' })).toBeNull();
    await user.click(filter);
    await user.paste('guest-21');
    await waitFor(() => expect(address()).toBe(`${page.address}?invitationsQ=guest-21`));
    const rows = (table: string) => within(screen.getByRole('table', { name: table })).getAllByRole('row');
    await waitFor(() => expect(rows('Invitations')).toHaveLength(2));
    expect(rows('Members')).toHaveLength(3);
  });

  test('a link that the browser does not let the page copy is shown', async () => {
    const url = 'https://hub/signup?invitation=a';
    const { more } = recording(page.link, () => ({ url, expiresAt: pending.expiresAt }));
    const { user } = open({ isInvited: true, more });
    document.execCommand = () => false;
    await user.click(await screen.findByRole('button', { name: 'Copy Link for kim@harbour.example' }));
    const dialog = await screen.findByRole('dialog', { name: 'The link for kim@harbour.example' });
    expect(within(dialog).getByRole('group', { name: 'invitation link' })).toHaveTextContent(url);
    expect(dialog).toHaveTextContent('The browser does not let this page write to the clipboard');
    // jsdom has no animations: this one ends with the test.
    const { promise, resolve } = Promise.withResolvers<void>();
    dialog.getAnimations = () => [{ finished: promise }] as never;
    await user.keyboard('{Escape}');
    await waitFor(() => expect(dialog).toHaveAttribute('data-ending-style'));
    expect(dialog).toHaveTextContent(url);
    resolve();
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });
});
