import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { createLog, describeError, withoutSecrets } from './log.ts';

const token = `u_sk_${'z'.repeat(66)}`;

function logged(format: 'json' | 'pretty', write: (log: ReturnType<typeof createLog>) => void): string {
  const destination = new PassThrough();
  write(createLog({ level: 'info', format, destination }));
  return String(destination.read());
}

test('writes fields that are known, and leaves out all others', () => {
  const line = logged('json', (log) =>
    log.info(
      {
        deviceId: 'd_1',
        headers: { cookie: 'a' },
        token,
        password: 'p',
        actor: { actor: 'User', userId: 'u_1', token },
        // The compiler refuses these fields where it sees them.
      } as object,
      'hello',
    ),
  );
  const { time, ...rest } = JSON.parse(line) as Record<string, unknown>;
  expect(rest).toEqual({
    level: 'info',
    deviceId: 'd_1',
    actor: { actor: 'User', userId: 'u_1' },
    msg: 'hello',
  });
  expect(time).toMatch(/^\d{4}-.*Z$/);
});

test("logs an error's message and stack, without fields that a library attached", () => {
  const cause = Object.assign(new Error(`token ${token} at postgres://user:secret@host/db`), {
    code: '23505',
    detail: 'Key (email)=(a@b)',
    parameters: ['x'],
  });
  const shown = describeError(new Error('failed', { cause }));
  expect(shown).toMatchObject({ type: 'Error', message: 'failed', cause: { code: '23505' } });
  const text = JSON.stringify(shown);
  for (const secret of [token, 'secret', 'a@b', 'parameters']) expect(text).not.toContain(secret);
  expect(shown.cause?.message).toBe('token u_sk_… at postgres://user:…@host/db');
});

test.each(['u_sk_', 'u_session_sk_', 'deployment_', 'd_sk_'])(
  'takes secrets that begin with %s out of texts',
  (tag) => {
    expect(withoutSecrets(`x ${tag}${'z'.repeat(66)} y`)).toBe(`x ${tag}… y`);
  },
);

test('does not redact public ids', () => {
  const text = `deployment_id_${'z'.repeat(22)} u_pk_${'z'.repeat(22)} u_session_pk_${'z'.repeat(22)} d_${'z'.repeat(22)}`;
  expect(withoutSecrets(text)).toBe(text);
});

test('writes the readable format in one line', () => {
  const line = logged('pretty', (log) => log.warn({ deviceId: 'd_1', err: new Error('broke') }, 'hello'));
  expect(line).toContain('WARN');
  expect(line).toContain('hello');
  expect(line).toContain('d_1');
});
