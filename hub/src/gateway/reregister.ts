import { createGate } from '../gate.ts';
import type { Link } from './link.ts';
import { whoIs, type State } from './state.ts';

const reregistrationsAtOnce = 64;

/** Registers every live connection under the node's present id; what can not be registered is ended. */
export async function reregister(state: State): Promise<void> {
  const turns = createGate(reregistrationsAtOnce, Infinity, () => new Error('the line has no end'));
  const links = [...state.directory.links()].filter(
    (link) => link.isRegistered && !state.presence.isCurrent(link),
  );
  await Promise.all(links.map((link) => turns.run(() => reregisterLink(state, link))));
}

async function reregisterLink(state: State, link: Link): Promise<void> {
  try {
    if (!link.hasEnded) await state.presence.register(link);
  } catch (error) {
    const fields = { ...whoIs(link), err: error };
    state.parts.log.warn(fields, 'a connection could not be registered anew and is ended');
    link.close('go elsewhere');
  }
}
