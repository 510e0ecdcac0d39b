import type { AnswerTable } from '@corral/client';
import { ActionError } from '@corral/contract';
import { screen, waitFor, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { held, renderConsole, signedOut, withoutMail } from '../../../test/render-console.tsx';

const field = (name: RegExp) => screen.findByLabelText(name);
const fullName = () => field(/^Full name/);
const email = () => field(/^Email/);
const password = () => field(/^Password/);
const confirmation = () => field(/^Confirm password/);
const terms = () => screen.findByRole('checkbox', { name: /Terms of Service/ });
const submit = () => screen.findByRole('button', { name: 'Sign Up' });
const heading = (name: string) => screen.findByRole('heading', { level: 1, name });

const status = { tag: 'Waiting' } as const;
const createdAt = '2026-11-20T10:00:00Z';

/** Pastes instead of typing: one render per field instead of one per letter. */
async function enter(user: UserEvent, input: HTMLElement, text: string): Promise<void> {
  await user.click(input);
  await user.paste(text);
}

async function fill(user: UserEvent): Promise<void> {
  await enter(user, await fullName(), 'Mara Keller');
  await enter(user, await email(), 'mara@harbour.example');
  await enter(user, await password(), 'denim and rivet');
  await enter(user, await confirmation(), 'denim and rivet');
  await user.click(await terms());
}

async function signUp(answers: AnswerTable) {
  const view = renderConsole('/signup', { ...signedOut, ...answers });
  await fill(view.user);
  await view.user.click(await submit());
  return view;
}

test('"Accounts are free evaluation accounts and may be ended at any time.": shown with the form, whose fields say whether they are required', async () => {
  renderConsole('/signup', signedOut);
  await heading('Create Your Account');
  for (const ask of [fullName, email, password, confirmation]) expect(await ask()).toBeRequired();
  expect(await terms()).toBeRequired();
  const marketing = screen.getByRole('checkbox', { name: /news .*\(optional\)/ });
  expect(marketing).not.toBeRequired();
  for (const box of [await terms(), marketing]) expect(box).not.toBeChecked();
  expect(
    screen.getAllByText('Accounts are free evaluation accounts and may be ended at any time.').length,
  ).toBeGreaterThan(0);
});

async function expectMessage(ask: () => Promise<HTMLElement>, typed: string, message: string): Promise<void> {
  const { user } = renderConsole('/signup', signedOut);
  const input = await ask();
  await user.type(input, typed);
  expect(screen.queryByText(message), 'while it is typed').toBeNull();
  await user.tab();
  expect(screen.getByText(message)).toBeVisible();
  expect(input).toHaveAttribute('data-tone', 'red');
}

test('"Sign-up: full name not blank after trimming (Please enter your full name.)"', () =>
  expectMessage(fullName, '   ', 'Please enter your full name.'));

test.each(['mara harbour@example', 'harbour.example', 'mara@', 'two@at@signs'])(
  '"email shaped {email} (Please enter a valid email address.)": %s is not',
  (typed) => expectMessage(email, typed, 'Please enter a valid email address.'),
);

test.each(['1234567', '🐎🐎🐎🐎'])(
  '"password at least 8 characters (Password must be at least 8 characters long.)": %s is too short',
  (typed) => expectMessage(password, typed, 'Password must be at least 8 characters long.'),
);

test('"Password minimum 8 characters.": eight are enough, and spaces count', async () => {
  const { user } = renderConsole('/signup', signedOut);
  await user.type(await password(), '  ab  cd');
  expect(await password()).toHaveAttribute('data-tone', 'green');
});

test('"password and confirmation match (Passwords do not match.), re-checked when either changes"', async () => {
  const { user } = renderConsole('/signup', signedOut);
  await user.type(await password(), 'denim and rivet');
  await user.type(await confirmation(), 'denim and rivets');
  await user.tab();
  expect(screen.getByText('Passwords do not match.')).toBeVisible();
  await user.type(await password(), 's');
  expect(screen.queryByText('Passwords do not match.')).toBeNull();
  expect(await confirmation()).toHaveAttribute('data-tone', 'green');
  await user.type(await password(), '!');
  expect(screen.getByText('Passwords do not match.')).toBeVisible();
  await user.type(await confirmation(), '!');
  expect(screen.queryByText('Passwords do not match.')).toBeNull();
});

test('"terms consent required (Please agree to the Terms of Service and Privacy Policy.)"', async () => {
  const register = vi.fn();
  const { user } = renderConsole('/signup', { ...signedOut, users_RegisterUser: register });
  await fill(user);
  await user.click(await terms());
  await user.click(await submit());
  const sentence = 'Please agree to the Terms of Service and Privacy Policy.';
  await waitFor(() => expect(screen.getAllByText(sentence)).toHaveLength(2));
  expect(await terms()).toBeInvalid();
  expect(register).not.toHaveBeenCalled();
  await user.click(await terms());
  expect(screen.queryByText(sentence)).toBeNull();
});

test('after submitting with mistakes, they are listed with links to their fields', async () => {
  const { user } = renderConsole('/signup', signedOut);
  await user.click(await submit());
  const summary = await screen.findByRole('group', { name: '5 fields need your attention' });
  expect(summary).toHaveFocus();
  expect(
    within(summary)
      .getAllByRole('link')
      .map((link) => link.textContent),
  ).toEqual([
    'Please enter your full name.',
    'Please enter a valid email address.',
    'Password must be at least 8 characters long.',
    'Passwords do not match.',
    'Please agree to the Terms of Service and Privacy Policy.',
  ]);
  for (const ask of [fullName, email, password, confirmation, terms]) expect(await ask()).toBeInvalid();
  await user.click(within(summary).getByRole('link', { name: 'Please enter a valid email address.' }));
  expect(await email()).toHaveFocus();
  await user.keyboard('mara@harbour.example');
  expect(within(summary).queryByRole('link', { name: /email/ })).toBeNull();
  await user.click(await submit());
  expect(await screen.findByRole('group', { name: '4 fields need your attention' })).toHaveFocus();
});

test('"marketing consent optional": all values are sent; names are trimmed, the password is not', async () => {
  const register = vi.fn(() => ({ result: 'Created', status, createdAt }) as const);
  const { user } = renderConsole('/signup', { ...signedOut, users_RegisterUser: register });
  await user.type(await fullName(), '  Mara Keller ');
  await user.type(await email(), ' mara@harbour.example ');
  await user.type(await password(), ' denim and rivet');
  await user.type(await confirmation(), ' denim and rivet');
  await user.click(await terms());
  await user.click(screen.getByRole('checkbox', { name: /news/ }));
  await user.click(await submit());
  await heading('Awaiting Email Confirmation');
  expect(register).toHaveBeenCalledExactlyOnceWith({
    displayName: 'Mara Keller',
    email: 'mara@harbour.example',
    password: ' denim and rivet',
    consentedToTerms: true,
    consentedToMarketing: true,
  });
});

test('while it submits, a spinner covers the form and the inputs are disabled', async () => {
  const answer = held<never>();
  await signUp({ users_RegisterUser: () => answer.promise });
  expect(await screen.findByText('Signing up')).toBeInTheDocument();
  for (const ask of [fullName, email, password, confirmation, terms, submit])
    expect(await ask()).toBeDisabled();
  answer.reject(new ActionError('Throttled', 'Too many attempts. Try again in 20 seconds.'));
  await waitFor(async () => expect(await email()).toBeEnabled());
});

test('"Sign-up failure: box titled An Error Occurred, with Please try again later plus the error message."', async () => {
  const { user } = await signUp({
    users_RegisterUser: () => {
      throw new ActionError('Throttled', 'Too many attempts.');
    },
  });
  const box = await screen.findByRole('alert');
  expect(box).toHaveTextContent(/^An Error OccurredPlease try again later\.Too many attempts\.$/);
  expect(box).toHaveFocus();
  expect(await email(), 'nothing typed is lost').toHaveValue('mara@harbour.example');
  expect(await password()).toHaveValue('denim and rivet');
  await user.clear(await email());
  await user.click(await submit());
  expect(screen.queryByRole('alert'), 'gone with the next attempt').toBeNull();
});

test('a refusal as invalid, such as of a common password, is shown without the advice to try again later', async () => {
  const sentence = 'This password is one of the most common ones. Please choose another one.';
  const { user } = await signUp({
    users_RegisterUser: ({ password: sent }) => {
      if (sent === 'denim and rivet') throw new ActionError('Invalid', sentence);
      throw new ActionError('Internal', 'Something went wrong in the hub.');
    },
  });
  const box = await screen.findByRole('alert');
  expect(box).toHaveTextContent(new RegExp(`^An Error Occurred${sentence}$`));
  expect(box).toHaveFocus();
  expect(await password(), 'nothing typed is lost').toHaveValue('denim and rivet');
  await user.type(await password(), 's');
  expect(screen.queryByRole('alert'), 'it was about the password before').toBeNull();
  await user.type(await confirmation(), 's');
  await user.click(await submit());
  expect(await screen.findByText('Please try again later.')).toBeVisible();
});

test('"Created (awaiting email confirmation)": names the address, and resends on request', async () => {
  const resend = vi.fn(() => ({}));
  const { user } = await signUp({
    users_RegisterUser: () => ({ result: 'Created', status, createdAt }),
    users_ResendRegistrationEmail: resend,
  });
  expect(await heading('Awaiting Email Confirmation')).toHaveFocus();
  expect(document.title).toBe('Awaiting Email Confirmation · Corral');
  expect(screen.getByText('mara@harbour.example')).toBeVisible();
  await user.dblClick(screen.getByRole('button', { name: 'Send Again' }));
  expect(await screen.findByText('The email was sent to mara@harbour.example again.')).toBeVisible();
  expect(resend).toHaveBeenCalledExactlyOnceWith({ email: 'mara@harbour.example' });
});

test('without a mail server it says that no email was sent, and whom to ask for the link', async () => {
  const answers: AnswerTable = {
    ...signedOut,
    users_RegisterUser: () => ({ result: 'Created', status, createdAt }),
  };
  const { user } = renderConsole('/signup', answers, withoutMail);
  expect(await email()).toHaveAccessibleDescription(/sends no emails/);
  await fill(user);
  await user.click(await submit());
  await heading('Awaiting Email Confirmation');
  expect(screen.getByText(/No email was sent to/)).toHaveTextContent(
    'No email was sent to mara@harbour.example, because this hub has no mail server.',
  );
  expect(screen.getByRole('link', { name: 'ops@harbour.example' })).toBeVisible();
  expect(screen.queryByText(/on its way|spam/)).toBeNull();
  expect(screen.queryByRole('button', { name: 'Send Again' })).toBeNull();
});

test('"Pending (already pending for this email)": names the address; an error when resending is shown', async () => {
  const { user } = await signUp({
    users_RegisterUser: () => ({ result: 'Pending', status, createdAt }),
    users_ResendRegistrationEmail: () => {
      throw new ActionError('Throttled', 'An email was sent a moment ago.');
    },
  });
  expect(await heading('Pending Registration')).toHaveFocus();
  expect(screen.getByText('mara@harbour.example')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Send Again' }));
  expect(await screen.findByRole('alert')).toHaveTextContent('An email was sent a moment ago.');
});

test('"User Exists (links to log in and reset password)"', async () => {
  await signUp({ users_RegisterUser: () => ({ result: 'EmailAlreadyExists' }) });
  expect(await heading('User Exists')).toHaveFocus();
  expect(screen.getByText('mara@harbour.example')).toBeVisible();
  expect(screen.getByRole('link', { name: 'Log In' })).toHaveAttribute('href', '/login');
  expect(screen.getByRole('link', { name: 'Reset Password' })).toHaveAttribute('href', '/reset-password');
  expect(screen.queryByRole('button', { name: 'Send Again' })).toBeNull();
});

test('"use another email" returns to the form and asks only for the address', async () => {
  const { user } = await signUp({ users_RegisterUser: () => ({ result: 'EmailAlreadyExists' }) });
  await user.click(await screen.findByRole('button', { name: 'Use another email' }));
  expect(await email()).toHaveFocus();
  expect(await email()).toHaveValue('');
  expect(await fullName()).toHaveValue('Mara Keller');
  expect(await confirmation()).toHaveValue('denim and rivet');
  expect(await terms()).toBeChecked();
});

test('the sign-in page links to sign-up, and back', async () => {
  const { user, address } = renderConsole('/login', signedOut);
  await user.click(await screen.findByRole('link', { name: 'Sign up' }));
  await heading('Create Your Account');
  expect(address()).toBe('/signup');
  await user.click(screen.getByRole('link', { name: 'Sign in' }));
  await heading('Welcome Back');
});
