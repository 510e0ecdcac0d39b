import { forEachConcurrently } from '../concurrency/for-each-concurrently.ts';
import type { Link } from './link.ts';
import { logFieldsOf, type GatewayContext } from './gateway-context.ts';

const reregistrationsAtOnce = 64;

/** Registers every live connection under the node's current id; one that cannot be registered is closed. */
export async function reregister(context: GatewayContext): Promise<void> {
  const links = [...context.registry.links()].filter(
    (link) => link.isRegistered && !context.presence.isCurrent(link),
  );
  await forEachConcurrently(links, reregistrationsAtOnce, (link) => reregisterLink(context, link));
}

async function reregisterLink(context: GatewayContext, link: Link): Promise<void> {
  try {
    if (!link.hasEnded) await context.presence.register(link);
  } catch (error) {
    const fields = { ...logFieldsOf(link), err: error };
    context.parts.log.warn(fields, 'a connection could not be registered again and is closed');
    link.close('go elsewhere');
  }
}
