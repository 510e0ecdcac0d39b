import { ids } from '@corral/contract';
import { mustBeName } from '../../../auth/names.ts';
import { newRawSecret } from '../../../auth/random.ts';
import { networkOf } from '../../../auth/network.ts';
import { countsOf } from '../../../auth/request-limits.ts';
import { hashSecret, lookupKey } from '../../../auth/secret.ts';
import { newUserCode } from '../../../auth/user-code.ts';
import type { Handler } from '../../../calls/handler.ts';
import { refusalBy } from '../../../limits/limit.ts';
import { limits } from '../../../limits/table.ts';
import { mustHaveNoToken } from '../policy/logins.ts';
import { validLifetimeDays, validVerbs } from '../policy/new-token.ts';
import { instanceKey } from '../../instance/index.ts';
import { addLoginRequest } from '../sql/login-requests.ts';
import { countRequest } from '../sql/request-limits.ts';

const intervalSecs = 2;

/** Stores a request for a user token, and makes its code and secret. */
export const RequestLogin: Handler<'users_RequestLogin'> = {
  authorize: ({ actor }) => mustHaveNoToken(actor),

  async run(context) {
    const { tx, input, origin, now, origins } = context;
    const key = await instanceKey(context, 'request-limits');
    const ofNetwork = countsOf(key, 'loginsOfNetwork', networkOf(origin.ip ?? ''));
    await countRequest(tx, [...ofNetwork, ...countsOf(key, 'logins')], now);
    const secret = newRawSecret();
    const userCode = newUserCode();
    const request = {
      request_id: lookupKey(secret),
      secret_hash: hashSecret(secret),
      user_code: userCode,
      network: ofNetwork.map(({ subject }) => subject).join(),
      address: origin.ip ?? null,
      name: mustBeName(input.name, 'name'),
      is_read_only: input.access === 'read',
      project_ids: input.projects?.map(ids.project.raw) ?? null,
      repository_ids: input.repositories?.map(ids.repository.raw) ?? null,
      is_administrator: input.administrator === true,
      verbs: validVerbs(input),
      token_valid_secs: validLifetimeDays(input.validForDays) * 86_400,
    };
    const expiresAt = await addLoginRequest(tx, request, now);
    if (expiresAt === undefined) throw refusalBy(limits.pendingLogins);
    const url = `${origins.console}/login/device`;
    return { secret, userCode, url, expiresAt: expiresAt.toISOString(), intervalSecs };
  },
};
