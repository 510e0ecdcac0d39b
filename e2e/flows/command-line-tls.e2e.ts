import { connectProxy } from '../../agent/test/connect-proxy.ts';
import { cliLauncher } from '../fixtures/command-line.ts';
import { runProgram } from '../fixtures/program.ts';
import { expect, test } from '../fixtures/test.ts';

// One after the other, so that one hub serves both.
test.describe.configure({ mode: 'default' });

const token = `u_sk_${'z'.repeat(66)}`;

test('over TLS the token is sent only to a hub whose certificate is trusted and names the host', async ({
  tlsHub: { port, authorityFile },
}) => {
  const login = async (host: string, env: Record<string, string>) => {
    const url = `https://${host}:${port}`;
    const { code, stderr } = await runProgram(process.execPath, [cliLauncher, 'whoami'], {
      env: { CORRAL_URL: url, CORRAL_TOKEN: token, HOME: '/nonexistent', ...env },
    });
    return { code, message: stderr.replace(`The hub at ${url} cannot be reached: `, '').trim() };
  };
  expect(await login('localhost', {})).toEqual({
    code: 1,
    message:
      'its certificate is signed by nobody whom this machine trusts; if it is the right one, give the file of the certificate that signed it in SSL_CERT_FILE.',
  });
  // The answer of the hub itself: the token is well-formed but unknown.
  const answered = { code: 3, message: expect.stringMatching(/^Forbidden: /) };
  expect(await login('localhost', { SSL_CERT_FILE: authorityFile })).toEqual(answered);
  expect(await login('127.0.0.1', { NODE_EXTRA_CA_CERTS: authorityFile })).toEqual(answered);
  expect(await login('127.0.0.2', { SSL_CERT_FILE: authorityFile })).toEqual({
    code: 1,
    message: 'its certificate is for another name.',
  });
  expect(await login('localhost', { SSL_CERT_FILE: '/nonexistent.pem' })).toEqual({
    code: 1,
    message: 'SSL_CERT_FILE: the file /nonexistent.pem cannot be read.',
  });
  const plain = await runProgram(process.execPath, [cliLauncher, 'whoami'], {
    env: { CORRAL_URL: `http://127.0.0.1:${port}`, CORRAL_TOKEN: token, HOME: '/nonexistent' },
  });
  expect(plain.code).toBe(1);
});

test('calls use the proxy of HTTPS_PROXY, except for hosts in NO_PROXY', async ({
  tlsHub: { port, authorityFile },
}) => {
  await using proxy = await connectProxy();
  const run = (env: Record<string, string>, ...args: string[]) =>
    runProgram(process.execPath, [cliLauncher, ...args], {
      env: {
        CORRAL_URL: `https://localhost:${port}`,
        CORRAL_TOKEN: token,
        HOME: '/nonexistent',
        SSL_CERT_FILE: authorityFile,
        HTTPS_PROXY: proxy.url,
        ...env,
      },
    });
  const refused = { code: 3, stderr: expect.stringMatching(/^Forbidden: /) };
  expect(await run({}, 'whoami')).toMatchObject(refused);
  expect(proxy.requested).toEqual([`localhost:${port} Basic ${btoa('device:secret')}`]);
  expect(await run({ NO_PROXY: 'localhost' }, 'whoami')).toMatchObject(refused);
  const byAddress = { CORRAL_URL: `https://127.0.0.1:${port}`, NO_PROXY: '10.0.0.0/8,127.0.0.0/8' };
  expect(await run(byAddress, 'whoami')).toMatchObject(refused);
  expect(proxy.requested).toHaveLength(1);
  const withoutScheme = { HTTPS_PROXY: proxy.url.replace('http://', '') };
  expect(await run(withoutScheme, 'whoami')).toMatchObject(refused);
  expect(proxy.requested).toHaveLength(2);
  const dead = { HTTPS_PROXY: 'http://name:secret@127.0.0.1:1' };
  expect(await run(dead, 'whoami')).toMatchObject({
    code: 1,
    stderr: 'The proxy http://127.0.0.1:1 cannot be reached: nothing listens there.\n',
  });
  expect(await run({ HTTPS_PROXY: 'socks5h://127.0.0.1:1080' }, 'whoami')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('HTTPS_PROXY names a proxy for socks5h, which is not supported'),
  });
});
