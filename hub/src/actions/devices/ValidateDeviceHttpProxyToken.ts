import { ids, type Output, type ProxyTokenFault } from '@corral/contract';
import { proxyKeyPurpose, readProxyToken, type ReadProxyToken } from '../../auth/proxy-token.ts';
import type { Handler, HandlerContext } from '../../executor/handler.ts';
import { hostOf } from '../../policy/proxy-wishes.ts';
import { mayReadTokensOf, mustCheckTokens, type TokenChecker } from '../../policy/token-checks.ts';
import { existingInstanceKey } from '../../store/instance-keys.ts';
import { isPassAlive, isUsedUp } from '../../store/proxy-access.ts';

type Context = HandlerContext<'devices_ValidateDeviceHttpProxyToken'>;
type Answer = Output<'devices_ValidateDeviceHttpProxyToken'>;

/** Checks a way in or an access, and all that it rests on; nothing is used up. Users learn of the devices that they may access. */
export const ValidateDeviceHttpProxyToken: Handler<'devices_ValidateDeviceHttpProxyToken', TokenChecker> = {
  authorize: ({ actor }) => mustCheckTokens(actor),

  async run(context, checker) {
    const { tx, actor, origins } = context;
    const token = await readEither(context);
    if (token === undefined || !(await mayReadTokensOf(tx, actor, token.pass.deviceId)))
      return invalid(checker, 'Unknown');
    const { deviceId, label, port, redirect } = token.pass;
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
  { kind, isOutdated, pass }: ReadProxyToken,
): Promise<ProxyTokenFault | undefined> {
  if (isOutdated) return 'Expired';
  if (!(await isPassAlive(tx, pass, now))) return 'Withdrawn';
  return kind === 'entry' && (await isUsedUp(tx, pass)) ? 'Used' : undefined;
}

function invalid(checker: TokenChecker, reason: ProxyTokenFault, redirect?: string): Answer {
  return {
    result: 'Invalid',
    ...(redirect === undefined ? {} : { redirect }),
    ...(checker === 'hub' ? { reason } : {}),
  };
}
