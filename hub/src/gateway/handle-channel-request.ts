import type { ChannelRequest } from '@corral/multiplex';
import { limits } from '../limits/table.ts';
import { forward, parseForward } from './forward.ts';
import type { Link } from './link.ts';
import { serveExecutor } from './serve-executor.ts';
import type { GatewayContext } from './gateway-context.ts';

/** Clients of 2026-08 open one for each command, and have at most 32 channels on a connection. */
/** Clients open as many executors as they may, so only a faulty one has more than 20 of these rejections a second, or 40 at once. */
const framesPerExecutorRejection = 99;
const forwardTimeoutMs = 15_000;

/** Accepts or rejects a channel that a device or a command line requests. */
export function handleChannelRequest(context: GatewayContext, link: Link, request: ChannelRequest): void {
  if (request.endpoint === 'executor') return handleExecutorRequest(context, link, request);
  const to = parseForward(request.endpoint);
  if (to === undefined) return request.reject('unknown endpoint');
  const parts = {
    executor: context.parts.executor,
    forwardedStreams: context.forwardedStreams,
    openTimeoutMs: context.parts.forwardTimeoutMs ?? forwardTimeoutMs,
    router: context.router,
    streamsOfUsers: context.streamsOfUsers,
  };
  forward(parts, link, request, to).catch((error: unknown) => {
    context.parts.log.error({ err: error }, 'a forwarding failed');
  });
}

/** Of these channels only a few serve a call at a time, so that a connection holds few inputs and outputs in memory. */
function handleExecutorRequest(context: GatewayContext, link: Link, request: ChannelRequest): void {
  if (link.executorCount < limits.executorsOfLink.ofCaller) return openExecutor(context, link, request);
  const { waitingExecutors } = link;
  waitingExecutors.push(request);
  // Channels whose end has just arrived are closed in the next turn of the event loop. All answers of that turn are one write.
  if (waitingExecutors.length === 1)
    setImmediate(() => {
      for (const waiting of waitingExecutors.splice(0))
        if (link.executorCount < limits.executorsOfLink.ofCaller) openExecutor(context, link, waiting);
        else waiting.reject('too many executor channels', framesPerExecutorRejection);
    });
}

function openExecutor(context: GatewayContext, link: Link, request: ChannelRequest): void {
  link.executorCount += 1;
  void serveExecutor(context, link, request.accept()).finally(() => (link.executorCount -= 1));
}
