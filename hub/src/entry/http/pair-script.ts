import { readFile } from 'node:fs/promises';
import type { FastifyInstance } from 'fastify';
import type { HttpContext } from './identity.ts';

const scriptFile = new URL('pair.sh', import.meta.url);
/** What the address of a hub may consist of, so that the shell reads it as it is. */
const plainAddress = /^https?:\/\/[\w.:[\]-]+$/;

/** `GET /pair.sh`: a script for devices, which redeems a pairing key at this hub and configures the agent. */
export function addPairScript(server: FastifyInstance, { publicOrigin }: HttpContext): void {
  let script: Promise<string> | undefined;
  server.get('/pair.sh', async (_request, reply) => {
    const address = publicOrigin();
    if (!plainAddress.test(address))
      return reply
        .code(404)
        .type('text/plain; charset=utf-8')
        .send('The address of this hub fits no script.\n');
    const text = await (script ??= readFile(scriptFile, 'utf8'));
    return reply
      .header('cache-control', 'no-cache')
      .type('text/x-shellscript; charset=utf-8')
      .send(text.replaceAll('@HUB@', address));
  });
}
