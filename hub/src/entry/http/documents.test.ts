import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { actions, newerNames } from '@corral/contract';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { httpHub, type HttpHub } from '../../../test/http-hub.ts';
import { sanitizeBanner } from './documents.ts';

const metricsScript = {
  src: 'https://metrics.example/script.js',
  attributes: { defer: '', integrity: 'sha384-AAAA', 'data-site': 'hub' },
};

describe('public documents', () => {
  let hub: HttpHub;
  beforeAll(async () => {
    hub = await httpHub({
      env: {
        CORRAL_BANNER: '<b>Hi</b><script>alert(1)</script>',
        CORRAL_PRODUCT_URL: 'https://corral.example/',
        CORRAL_REGISTRATION: 'closed',
        CORRAL_TERMS_URL: 'https://corral.example/terms',
        CORRAL_PRIVACY_URL: 'https://corral.example/privacy',
        CORRAL_ADMIN_CONTACT: 'mara@harbour.example',
        CORRAL_SMTP_URL: 'smtps://hub:secret@mail.harbour.example',
      },
      scripts: [metricsScript, { src: '/own.js', attributes: {} }],
    });
  });
  afterAll(() => hub[Symbol.asyncDispose]());

  test('"GET /api/config.json: returns public config (banner) and runtime config (scripts with src and attributes).": also version, registration, consents, support link, and whether a mail server is set', async () => {
    const answer = await hub.call('/api/config.json');
    expect(answer.json).toEqual({
      banner: { text: '<b>Hi</b>' },
      scripts: [metricsScript, { src: '/own.js', attributes: {} }],
      version: '1.2.3',
      productUrl: 'https://corral.example/',
      termsUrl: 'https://corral.example/terms',
      privacyUrl: 'https://corral.example/privacy',
      adminContact: 'mailto:mara@harbour.example',
      isInsecure: false,
      isRegistrationOpen: false,
      isMailConfigured: true,
      passkeyOrigin: expect.stringMatching(/^http:\/\/localhost:\d+$/) as string,
    });
  });

  test('the content security policy allows only the configured scripts from other origins', async () => {
    const { headers } = await hub.call('/', { headers: { accept: 'text/html' } });
    expect(headers['content-security-policy']).toBe(
      "default-src 'self'; script-src 'self' https://metrics.example; style-src 'self'; img-src 'self' data:; font-src 'self'; " +
        "connect-src 'self'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'",
    );
  });

  test('openapi.json lists every action by all its names, and is revalidated', async () => {
    const answer = await hub.call('/api/openapi.json');
    expect(answer.json).toMatchObject({ openapi: '3.1.0', info: { version: '1.2.3' } });
    const paths = Object.keys({ ...actions, ...newerNames }).map((name) => `/api/v1/actions/invoke/${name}`);
    expect(Object.keys(answer.json['paths'] as object)).toEqual(paths);
    const again = await hub.call('/api/openapi.json', {
      headers: { 'if-none-match': String(answer.headers.etag) },
    });
    expect([again.status, again.text]).toEqual([304, '']);
  });

  test.each([
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ] as const)('openapi.json is compressed once, as %s', async (encoding, decompress) => {
    const path = `${hub.url}/api/openapi.json`;
    const request = get(path, { headers: { 'accept-encoding': `${encoding};q=0.8, identity` } });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    expect(response.headers).toMatchObject({ 'content-encoding': encoding, vary: 'accept-encoding' });
    const bytes = Buffer.concat(await response.toArray());
    expect(decompress(bytes).toString()).toBe((await hub.call('/api/openapi.json')).text);
    expect(bytes.length).toBeLessThan(50_000);
  });
});

test('settings of administrators take effect at once; their banner is text, not HTML', async () => {
  await using hub = await httpHub();
  const password = 'a long enough password 7';
  await hub.user('admin@example.org', { isAdmin: true, password });
  const cookie = await hub.signIn('admin@example.org', password);
  const set = (key: string, value: string) =>
    hub.invoke('instance_SetInstanceSettingRaw', { key, value }, { cookie });
  expect((await set('banner', 'Down <b>today</b>\nat 9')).status).toBe(200);
  expect((await set('registration', 'closed')).status).toBe(200);
  expect((await set('adminContact', 'mara@harbour.example')).status).toBe(200);
  expect((await set('smtpUrl', 'smtps://mail.harbour.example')).status).toBe(200);
  await vi.waitFor(async () =>
    expect((await hub.call('/api/config.json')).json).toMatchObject({
      banner: { text: 'Down &lt;b&gt;today&lt;/b&gt;<br />at 9' },
      isRegistrationOpen: false,
      isMailConfigured: true,
      adminContact: 'mailto:mara@harbour.example',
    }),
  );
  const form = { email: 'new@example.org', password, consentedToTerms: true };
  const refused = await hub.invoke('users_RegisterUser', form);
  expect(refused.json['message']).toBe(
    'This hub takes no registrations. Ask its administrator for an account.',
  );
});

test.each([
  [
    '<a href="https://x.example" target="_top" onclick="a()">x</a>',
    '<a href="https://x.example" rel="noopener">x</a>',
  ],
  ['<a href="mailto:a@b">x</a>', '<a href="mailto:a@b" rel="noopener">x</a>'],
  ['<a href="javascript:alert(1)">x</a>', '<a rel="noopener">x</a>'],
  ['<a href="//x.example">x</a>', '<a rel="noopener">x</a>'],
  ['<img src=x onerror=alert(1)><p style="a">t<br>u</p>', '<p>t<br />u</p>'],
  ['<style>b{}</style><span class="a"><code>c</code></span>', '<span><code>c</code></span>'],
  [
    '<iframe srcdoc="x"></iframe><em>e</em><i>i</i><strong>s</strong>',
    '<em>e</em><i>i</i><strong>s</strong>',
  ],
])('of the banner %s remains %s', async (html, clean) => {
  expect(await sanitizeBanner(html)).toBe(clean);
});
