import { ids, type Output, type ProxyTokenFault } from '@corral/contract';
import { proxyKeyPurpose, readProxyToken, type ReadProxyToken } from '../../../auth/proxy-token.ts';
import type { Handler, HandlerContext } from '../../../calls/handler.ts';
import { hostOf } from '../policy/proxy-token-options.ts';
import { mayReadTokensOf, mustBeTokenChecker, type TokenChecker } from '../policy/token-checks.ts';
import { existingInstanceKey } from '../../instance/index.ts';
import { isGrantValid, isRedeemed } from '../sql/proxy-access.ts';

type Context = HandlerContext<'devices_ValidateDeviceHttpProxyToken'>;
type Answer = Output<'devices_ValidateDeviceHttpProxyToken'>;

/** Checks an entry or access token and its grant without redeeming it. Users can check tokens of devices that they may access. */
export const ValidateDeviceHttpProxyToken: Handler<'devices_ValidateDeviceHttpProxyToken', TokenChecker> = {
  authorize: ({ actor }) => mustBeTokenChecker(actor),

  async run(context, checker) {
    const { tx, actor, origins } = context;
    const token = await readEither(context);
    if (token === undefined || !(await mayReadTokensOf(tx, actor, token.grant.deviceId)))
      return invalid(checker, 'Unknown');
    const { deviceId, label, port, redirect } = token.grant;
    const fault = await faultOf(context, token);
    if (fault !== undefined)
      return invalid(checker, fault, redirect === undefined ? undefined : origins.console + redirect);
    return { result: 'Valid', deviceId: ids.device.of(deviceId), hostname: hostOf(origins, label), port };
  },
};

async function readEither({ tx, input, now, vault }: Context): Promise<ReadProxyToken | undefined> {
  const key = await existingInstanceKey({ tx, vault }, proxyKeyPurpose);
  if (key === undefined) return undefined;
  const access = await readProxyToken(key, 'access', input.jwt, now);
  return access ?? readProxyToken(key, 'entry', input.jwt, now);
}

async function faultOf(
  { tx, now }: Context,
  { kind, isExpired, grant }: ReadProxyToken,
): Promise<ProxyTokenFault | undefined> {
  if (isExpired) return 'Expired';
  if (!(await isGrantValid(tx, grant, now))) return 'Withdrawn';
  return kind === 'entry' && (await isRedeemed(tx, grant)) ? 'Used' : undefined;
}

function invalid(checker: TokenChecker, reason: ProxyTokenFault, redirect?: string): Answer {
  return {
    result: 'Invalid',
    ...(redirect === undefined ? {} : { redirect }),
    ...(checker === 'hub' ? { reason } : {}),
  };
}
