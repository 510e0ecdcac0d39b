import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { systemCaller } from '../../calls/handler.ts';
import { UnsubscribeByLink } from '../../domains/users/internal/UnsubscribeByLink.ts';
import type { HttpContext } from './identity.ts';

const maxTokenLength = 1_000;
const policy = "default-src 'none'; form-action 'self'; frame-ancestors 'none'";

const pageOf = (text: string, form = ''): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex"><title>E-mails of alerts</title></head><body><main><h1>E-mails of alerts</h1><p>${text}</p>${form}</main></body></html>
`;

/** `GET` and `POST /api/unsubscribe`: the page that e-mails of alerts link to, and the request that mail programs send for their readers (RFC 8058). Scanners of e-mails follow links, so a GET changes nothing. */
export function addUnsubscription(server: FastifyInstance, { executor }: HttpContext): void {
  const answer = async (request: FastifyRequest, reply: FastifyReply, isDone: boolean) => {
    const { token } = request.query as Record<string, unknown>;
    const isToken = typeof token === 'string' && token.length <= maxTokenLength;
    const isKnown = isToken && (await executor.run(systemCaller, UnsubscribeByLink, { token, isDone }));
    reply.type('text/html; charset=utf-8').header('content-security-policy', policy);
    if (!isKnown)
      return reply
        .code(404)
        .send(pageOf('This link does not work. Sign in, and change it in the alert rules.'));
    if (isDone) return reply.send(pageOf('You get no more e-mails of this alert rule. Other rules go on.'));
    const form = '<form method="post"><button>Unsubscribe</button></form>';
    return reply.send(pageOf('Press the button to get no more e-mails of this alert rule.', form));
  };
  server.get('/api/unsubscribe', (request, reply) => answer(request, reply, false));
  server.post('/api/unsubscribe', (request, reply) => answer(request, reply, true));
}
