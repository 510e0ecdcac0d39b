import type { Handler } from '../../../calls/handler.ts';
import { mustAdministerBySession } from '../../users/index.ts';
import { presentProvider } from '../policy/present-provider.ts';
import { countLinked, firstLinked } from '../sql/user-identities.ts';

/** Returns what the settings of the provider depend on, and who depends on them. */
export const GetProvider: Handler<'users_GetProvider'> = {
  authorize: ({ tx, actor }) => mustAdministerBySession(tx, actor),

  async run({ tx, vault, settings, origins }) {
    const { issuer: linked = '', testedAt } = await presentProvider({
      tx,
      vault,
      settings,
    });
    return {
      callbackUrl: `${origins.console}/api/private/login/callback`,
      logoutUrl: `${origins.console}/api/private/logout/provider`,
      ...(testedAt === undefined ? {} : { testedAt }),
      linkedCount: await countLinked(tx, linked),
      linked: await firstLinked(tx, linked),
    };
  },
};
