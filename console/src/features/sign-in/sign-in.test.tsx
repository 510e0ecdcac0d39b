import { ActionError } from '@corral/contract';
import { screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { held, renderConsole, signedIn, signedOut } from '../../../test/render-console.tsx';

const email = () => screen.findByRole('textbox', { name: /^Email/ });
const password = () => screen.findByLabelText(/^Password/);
const submit = () => screen.findByRole('button', { name: 'Sign In' });

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

/** A hub that accepts every user with this password. */
function hubWithPassword(known: string) {
  let isIn = false;
  const answers = {
    ...signedIn,
    actor_GetActor: () => (isIn ? signedIn : signedOut).actor_GetActor?.({}) as never,
  };
  const signIn = async (typed: { password: string }) => {
    if (typed.password !== known) throw new ActionError('NotSignedIn', 'Invalid username or password!');
    isIn = true;
  };
  return { answers, overrides: { signIn } };
}

test('the page shows a greeting and labelled fields, and Sign In is disabled on load', async () => {
  renderConsole('/login', signedOut);
  expect(await screen.findByRole('heading', { level: 1, name: 'Welcome Back' })).toBeVisible();
  expect(screen.getByText('Please enter your email and password to sign in.')).toBeVisible();
  expect(screen.getAllByText('(required)')).toHaveLength(2);
  expect(screen.getByRole('checkbox', { name: 'Remember me (optional)' })).not.toBeChecked();
  expect(screen.getByRole('link', { name: /Forgot your password/ })).toHaveAttribute(
    'href',
    '/reset-password',
  );
  expect(await submit()).toBeDisabled();
});

test('a field turns red when changed, blurred and invalid, and green when valid', async () => {
  const { user } = renderConsole('/login', signedOut);
  const field = await email();
  expect(field).toHaveAttribute('data-tone', 'plain');
  await user.click(field);
  await user.tab();
  expect(field, 'left untouched').toHaveAttribute('data-tone', 'plain');
  await user.type(field, 'a');
  expect(field, 'valid').toHaveAttribute('data-tone', 'green');
  await user.clear(field);
  expect(field, 'emptied, not left').toHaveAttribute('data-tone', 'red');
  await user.tab();
  expect(field, 'emptied and left').toHaveAttribute('data-tone', 'red');
  expect(screen.getByText('Please enter your email address.')).toBeVisible();
  await user.type(field, '   ');
  expect(field, 'blank').toHaveAttribute('data-tone', 'red');
  await user.type(await password(), ' ');
  await user.tab();
  expect(screen.getByText('Please enter your password.')).toBeVisible();
  expect(await submit()).toBeDisabled();
});

test('"Login form: idle, submitting (inputs disabled, overlay), then success (navigate to redirect or /) or failure (error banner, stay)."', async () => {
  const answer = held<void>();
  const { user } = renderConsole('/login', signedOut, { signIn: () => answer.promise });
  await user.type(await email(), 'mara@harbour.example');
  await user.type(await password(), 'denim');
  await user.click(await submit());
  expect(await screen.findByText('Signing in')).toBeInTheDocument();
  for (const field of [await email(), await password(), await submit()]) expect(field).toBeDisabled();
  answer.reject(new ActionError('Throttled', 'Too many attempts. Try again in 20 seconds.'));
  expect(await screen.findByText('Too many attempts. Try again in 20 seconds.')).toBeVisible();
  expect(await email()).toBeEnabled();
});

test('"Login failure: banner titled Error with message Invalid username or password!": the e-mail is kept', async () => {
  const { answers, overrides } = hubWithPassword('denim');
  const { user, address } = renderConsole('/login', answers, overrides);
  await user.type(await email(), 'mara@harbour.example');
  await user.type(await password(), 'canvas');
  await user.click(await submit());
  const banner = await screen.findByRole('alert');
  expect(banner).toHaveTextContent(/^ErrorInvalid username or password!$/);
  expect(await email()).toHaveValue('mara@harbour.example');
  await waitFor(async () => expect(await password()).toHaveFocus());
  expect(address()).toBe('/login');
  await user.type(await password(), 'd');
  expect(screen.queryByRole('alert')).toBeNull();
});

test('the right password redirects to the target', async () => {
  const { answers, overrides } = hubWithPassword('denim');
  const { user, address } = renderConsole('/login?redirect=%2Fsettings%2Fprofile', answers, overrides);
  await user.type(await email(), 'mara@harbour.example');
  await user.type(await password(), 'denim{Enter}');
  expect(await screen.findByRole('heading', { level: 1, name: 'Profile' })).toBeVisible();
  expect(address()).toBe('/settings/profile');
  expect(screen.queryByText('Sign in again')).toBeNull();
});

test('without a target, or with one of another site, it redirects to the projects', async () => {
  const { answers, overrides } = hubWithPassword('denim');
  const { user, address } = renderConsole('/login?redirect=%2F%2Fevil.example', answers, overrides);
  await user.type(await email(), 'mara@harbour.example');
  await user.type(await password(), 'denim{Enter}');
  expect(await screen.findByRole('heading', { level: 1, name: 'Projects' })).toBeVisible();
  expect(address()).toBe('/projects');
});

test('a signed-in user is redirected to the target at once', async () => {
  const { address } = renderConsole('/login?redirect=%2Fsettings%2Fprofile', signedIn);
  expect(await screen.findByRole('heading', { level: 1, name: 'Profile' })).toBeVisible();
  expect(address()).toBe('/settings/profile');
});

/**
 * A browser that fills in forms, which jsdom does not: the inputs match `:autofill` until they are changed, and the first interaction
 * exposes their values, without an event.
 */
function browserWithAutofill() {
  const filled = new WeakSet<Element>();
  const { matches } = HTMLInputElement.prototype;
  const value = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value');
  vi.stubGlobal('CSS', { supports: () => true });
  vi.spyOn(HTMLInputElement.prototype, 'matches').mockImplementation(function (this: Element, selector) {
    return selector === ':autofill' ? filled.has(this) : matches.call(this, selector);
  });
  return (input: HTMLElement, text: string): void => {
    filled.add(input);
    document.addEventListener('pointerdown', () => value?.set?.call(input, text), { once: true });
    input.addEventListener('input', () => filled.delete(input), { once: true });
  };
}

test('"Submit disabled while invalid; validated on load and on change": also after the browser has filled in the form', async () => {
  const fill = browserWithAutofill();
  const { user } = renderConsole('/login', signedOut);
  const [address, secret] = [await email(), await password()];
  expect(await submit()).toBeDisabled();
  fill(address, 'mara@harbour.example');
  fill(secret, 'denim');
  await waitFor(async () => expect(await submit()).toBeEnabled());
  await user.click(screen.getByRole('checkbox', { name: /^Remember me/ }));
  expect(await submit()).toBeEnabled();
  await user.type(address, '!');
  expect(await submit(), 'the password is still filled in').toBeEnabled();
  await user.clear(address);
  expect(await submit(), 'without an address').toBeDisabled();
  await user.type(address, 'mara@harbour.example');
  expect(await submit()).toBeEnabled();
  await user.clear(secret);
  expect(await submit(), 'without a password').toBeDisabled();
});
