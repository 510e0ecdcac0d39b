import { ActionError, ids, type PairingKeyParts, writePairingKey } from '@corral/contract';
import { renderSVG } from 'uqr';
import { mustBeName } from '../../../auth/names.ts';
import type { Handler, HandlerContext } from '../../../calls/handler.ts';
import { instanceKey } from '../../instance/index.ts';
import { mustOwnProject, type ProjectAccess } from '../../projects/index.ts';
import { digestOf, newPairingKey } from '../policy/key-digest.ts';
import { addKey, hasRoomForKey } from '../sql/pairing-keys.ts';

type Context = HandlerContext<'projects_CreateDevicePairingKey'>;

const defaultSecs = 300;

/** Creates a pairing key; only owners may, since whoever has it adds a device whose certificate is accepted. */
export const CreateDevicePairingKey: Handler<'projects_CreateDevicePairingKey', ProjectAccess> = {
  authorize: ({ tx, actor, input }) => mustOwnProject(tx, actor, input.projectId),

  async run(context, { projectId }) {
    const { tx, input, now, origins, emit } = context;
    const name = input.name === undefined ? null : mustBeName(input.name, 'deviceName');
    if (!(await hasRoomForKey(tx, projectId, now)))
      throw new ActionError(
        'Invalid',
        'A project may have at most 20 open pairing keys. Use or revoke one, or wait until one has expired.',
      );
    const expiresAt = new Date(now.getTime() + (input.validForSecs ?? defaultSecs) * 1_000);
    const { keyId, parts } = await addNewKey(context, { projectId, name, expiresAt });
    const pairingKeyId = ids.pairingKey.of(keyId);
    const { selector } = parts;
    emit('projects_PairingKeyCreated', {
      projectId: input.projectId,
      pairingKeyId,
      selector,
      expiresAt: expiresAt.toISOString(),
    });
    const pairingKey = writePairingKey(parts);
    const value = `${new URL(origins.console).host},${pairingKey}`;
    return {
      pairingKeyId,
      pairingKey,
      selector,
      createdAt: now.toISOString(),
      expiresAt: expiresAt.toISOString(),
      value,
      qrSvg: renderSVG(value, { border: 2 }),
    };
  },
};

/** Another selector is tried where one is taken: of a thousand million, a project has 120 at most. */
async function addNewKey(
  context: Context,
  given: { readonly projectId: string; readonly name: string | null; readonly expiresAt: Date },
): Promise<{ readonly keyId: string; readonly parts: PairingKeyParts }> {
  const { tx, now } = context;
  const key = await instanceKey(context, 'pairing-keys');
  for (let attempt = 1; attempt <= 3; attempt += 1) {
    const parts = newPairingKey();
    const { selector } = parts;
    const keyId = await addKey(tx, { ...given, selector, digest: digestOf(key, parts), now });
    if (keyId !== undefined) return { keyId, parts };
  }
  throw new Error('Three random selectors are taken.');
}
