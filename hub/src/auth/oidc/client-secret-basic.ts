import type { ClientAuth } from 'openid-client';

/** Sends the secret in the header (RFC 6749, section 2.3.1), with no more escapes than it takes: some providers decode none, and know `-` and `_` only as themselves. */
export function clientSecretBasic(clientId: string, clientSecret: string): ClientAuth {
  const credentials = [clientId, clientSecret].map((text) => encodeURIComponent(text).replaceAll('%20', '+'));
  const header = `Basic ${Buffer.from(credentials.join(':')).toString('base64')}`;
  return (_server, _client, _body, headers) => headers.set('authorization', header);
}
