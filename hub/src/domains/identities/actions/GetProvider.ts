import type { Handler } from '../../../calls/handler.ts';
import { readSettings } from '../../instance/index.ts';
import { mustAdministerBySession } from '../../users/index.ts';
import { readTest } from '../sql/provider-tests.ts';
import { countLinked, firstLinked } from '../sql/user-identities.ts';

/** Returns what the settings of the provider depend on, and who depends on them. */
export const GetProvider: Handler<'users_GetProvider'> = {
  authorize: ({ tx, actor }) => mustAdministerBySession(tx, actor),

  async run({ tx, vault, settings, origins }) {
    const stored = await readSettings(tx, vault);
    const [issuer, clientId] = ['oidcIssuer', 'oidcClientId'].map(
      (key) => settings.get(key)?.configured?.value ?? stored.get(key),
    );
    const test = await readTest(tx);
    const isTested = test !== undefined && test.issuer === issuer && test.client_id === clientId;
    const linked = typeof issuer === 'string' ? issuer : '';
    return {
      callbackUrl: `${origins.console}/api/private/login/callback`,
      logoutUrl: `${origins.console}/api/private/logout/provider`,
      ...(isTested ? { testedAt: test.tested_at } : {}),
      linkedCount: await countLinked(tx, linked),
      linked: await firstLinked(tx, linked),
    };
  },
};
